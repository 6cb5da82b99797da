// Operations that move whole trains: one pure function each, named as the operation.
#pragma once

#include "lib/emulation/neuron-level/Values.h"

namespace spindle::neuron_level {

llvm::Expected<Train> spikeBundleSelect(const Bundle &bundle, const Shape &position);

/// The trains in row-major order; as many as the shape holds.
Bundle spikeBundleCollect(std::vector<Train> trains, Shape shape);

/// `inserted` is a bundle without the axis, or one train as a bundle without dimensions.
llvm::Expected<Bundle> spikeBundleInsert(const Bundle &inserted, const Bundle &bundle, size_t axis,
                                         int64_t position);

llvm::Expected<Bundle> spikeBundleRemove(const Bundle &bundle, size_t axis, int64_t position);

llvm::Expected<Bundle> spikeBundleSlice(const Bundle &bundle, const Shape &offsets,
                                        const Shape &sizes, const Shape &strides);

/// Dimension d of the result is dimension permutation[d] of the bundle.
Bundle spikeBundlePermute(const Bundle &bundle, const Shape &permutation);

/// Row-major indices of trains by first spike, earliest first; ties by index, silent trains last.
Indices getOrder(const Bundle &bundle);

/// The same, latest first; ties by index and silent trains last all the same.
Indices getRevOrder(const Bundle &bundle);

} // namespace spindle::neuron_level
