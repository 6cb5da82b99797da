// In which order a crossbar updates its columns.
#pragma once

#include "core/chip/Clustering.h"

namespace spindle {

/// All units, those of a crossbar in the order in which it updates them: as `clustering.order`
/// says. With SpikesFirst the columns come first that make most packets for other crossbars in the
/// recorded samples: a spike for each of them that listens, a partial sum in every step; the same
/// number in the order of the units. What adds to another column of its crossbar comes before it.
std::vector<UnitId> columnOrder(const Clustering &clustering);

} // namespace spindle
