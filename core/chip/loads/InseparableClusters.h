// Which clusters have to be on a chip at the same time.
#pragma once

#include "core/chip/Clustering.h"

namespace spindle {

/// Clusters that pass partial sums to each other, or drive each other in a circle, lie in one part;
/// drivers come before what they drive.
std::vector<std::vector<ClusterId>> inseparableClusters(const Clustering &clustering);

} // namespace spindle
