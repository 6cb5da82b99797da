// Sums that stand as counts of one weight, as neurons read them.
#pragma once

#include "lib/emulation/lanes/KernelBuilder.h"
#include "lib/emulation/layers/Plan.h"

namespace spindle::layers {

/// Gives vector n of the sums and leaves zeros. `buffer` is one of the kernel.
///
/// A sum is made by additions, one after the other; as long as rounding lets k additions be the
/// product with k, it is a product. Vectors with larger counts are added up.
mlir::Value takeCounts(lanes::KernelBuilder &b, size_t buffer, const Counts &counts, mlir::Value n);

/// The largest k up to `most` such that the sum of 1, 2, … k weights is the product.
int64_t exactMultiples(float weight, int64_t most);

} // namespace spindle::layers
