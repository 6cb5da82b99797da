#include "lib/emulation/neuron-level/Bundles.h"

#include "fmt/format.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace spindle::neuron_level {

static int64_t linear(const Shape &position, const Shape &shape) {
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * shape[d] + position[d];
  return index;
}

/// A bundle whose trains `from` picks by their position.
static Bundle gather(Shape shape, const std::function<const Train &(const Shape &)> &from) {
  Bundle result;
  result.trains.resize(sizeOf(shape));
  Shape position(shape.size(), 0); // counted up like an odometer
  for (Train &train : result.trains) {
    train = from(position);
    for (size_t d = shape.size(); d-- > 0 && ++position[d] == shape[d];)
      position[d] = 0;
  }
  result.shape = std::move(shape);
  return result;
}

static const Train &at(const Bundle &bundle, const Shape &position) {
  return bundle.trains[static_cast<size_t>(linear(position, bundle.shape))];
}

static llvm::Error outside(const char *what, int64_t index, int64_t extent) {
  return dataError(fmt::format("{} {} of a bundle with {} there", what, index, extent));
}

llvm::Expected<Train> spikeBundleSelect(const Bundle &bundle, const Shape &position) {
  for (size_t d = 0; d < position.size(); ++d)
    if (position[d] >= bundle.shape[d])
      return outside("selects index", position[d], bundle.shape[d]);
  return at(bundle, position);
}

Bundle spikeBundleCollect(std::vector<Train> trains, Shape shape) {
  return {std::move(shape), std::move(trains)};
}

llvm::Expected<Bundle> spikeBundleInsert(const Bundle &inserted, const Bundle &bundle, size_t axis,
                                         int64_t position) {
  if (position > bundle.shape[axis])
    return outside("inserts at position", position, bundle.shape[axis]);
  Shape shape = bundle.shape, beside = bundle.shape;
  ++shape[axis];
  beside.erase(beside.begin() + static_cast<ptrdiff_t>(axis));
  if (inserted.shape != beside)
    return dataError(fmt::format("inserts a bundle of shape {}, expected {}", text(inserted.shape),
                                 text(beside)));
  return gather(shape, [&](Shape from) -> const Train & {
    if (from[axis] == position) {
      from.erase(from.begin() + static_cast<ptrdiff_t>(axis));
      return at(inserted, from);
    }
    from[axis] -= from[axis] > position;
    return at(bundle, from);
  });
}

llvm::Expected<Bundle> spikeBundleRemove(const Bundle &bundle, size_t axis, int64_t position) {
  if (position >= bundle.shape[axis])
    return outside("removes position", position, bundle.shape[axis]);
  Shape shape = bundle.shape;
  --shape[axis];
  return gather(shape, [&](Shape from) -> const Train & {
    from[axis] += from[axis] >= position;
    return at(bundle, from);
  });
}

llvm::Expected<Bundle> spikeBundleSlice(const Bundle &bundle, const Shape &offsets,
                                        const Shape &sizes, const Shape &strides) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t last = offsets[d] + (sizes[d] - 1) * strides[d];
    if (sizes[d] > 0 && last >= bundle.shape[d])
      return outside("slices up to index", last, bundle.shape[d]);
  }
  return gather(sizes, [&](Shape from) -> const Train & {
    for (size_t d = 0; d < from.size(); ++d)
      from[d] = offsets[d] + from[d] * strides[d];
    return at(bundle, from);
  });
}

Bundle spikeBundlePermute(const Bundle &bundle, const Shape &permutation) {
  Shape shape;
  for (int64_t dimension : permutation)
    shape.push_back(bundle.shape[static_cast<size_t>(dimension)]);
  return gather(shape, [&](const Shape &position) -> const Train & {
    Shape from(position.size());
    for (size_t d = 0; d < position.size(); ++d)
      from[static_cast<size_t>(permutation[d])] = position[d];
    return at(bundle, from);
  });
}

/// Indices by `before` of the first spikes; ties by lower index, silent trains last.
template <typename Before> static Indices order(const Bundle &bundle, Before before) {
  Indices result{{static_cast<int64_t>(bundle.trains.size())}, {}};
  result.values.resize(bundle.trains.size());
  std::iota(result.values.begin(), result.values.end(), 0);
  std::sort(result.values.begin(), result.values.end(), [&](int64_t a, int64_t b) {
    const Train &first = bundle.trains[static_cast<size_t>(a)];
    const Train &second = bundle.trains[static_cast<size_t>(b)];
    if (first.empty() != second.empty())
      return second.empty();
    if (first.empty() || first[0] == second[0])
      return a < b;
    return before(first[0], second[0]);
  });
  return result;
}

Indices getOrder(const Bundle &bundle) { return order(bundle, std::less<float>()); }
Indices getRevOrder(const Bundle &bundle) { return order(bundle, std::greater<float>()); }

} // namespace spindle::neuron_level
