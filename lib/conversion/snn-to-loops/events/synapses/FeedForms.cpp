#include "lib/conversion/snn-to-loops/events/synapses/FeedForms.h"

#include "lib/conversion/snn-to-loops/layers/Layers.h"

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

using WeightOf = std::function<int64_t(int64_t neuron, int64_t input)>;

/// All of a map, one after the other.
std::vector<int64_t> weightsOf(const snn::LinearMap &map) {
  return {map.weights.begin(), map.weights.end()};
}

WeightOf weightOf(std::shared_ptr<const snn::LinearMap> map) {
  return [map](int64_t neuron, int64_t input) -> int64_t {
    auto begin = map->indices.begin() + int64_t(map->offsets[size_t(neuron)]);
    auto end = map->indices.begin() + int64_t(map->offsets[size_t(neuron) + 1]);
    auto found = std::lower_bound(begin, end, uint32_t(input));
    return found == end || *found != uint32_t(input)
               ? 0
               : int64_t(map->weights[size_t(found - map->indices.begin())]);
  };
}

llvm::Expected<std::optional<WindowFilters>> windowsOf(const Feed &feed) {
  if (feed.isDirect)
    return feed.shape.size() == 3 ? std::optional(identityFilters(feed.shape)) : std::nullopt;
  if (!feed.weights)
    return std::nullopt;
  return filtersOf(feed.weights);
}

/// What a way weighs, and by how many bits.
llvm::Expected<WeightOf> rowsOf(const Feed &feed, unsigned &bits) {
  if (feed.isDirect) {
    bits = std::max(bits, bitsFor(1));
    return [](int64_t neuron, int64_t input) { return int64_t(neuron == input); };
  }
  if (auto dense = dyn_cast_or_null<snn::DenseOp>(feed.weights)) {
    SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(dense, dense.getWeight(), "weight"));
    bits = std::max(bits, bitsOf(values));
    int64_t inputs = snn::sizeOf(dense.getInput());
    return [inputs, values = std::move(values)](int64_t neuron, int64_t input) {
      return values[size_t(neuron * inputs + input)];
    };
  }
  std::shared_ptr<const snn::LinearMap> map = feed.map;
  if (!map) { // integers: its sums have been measured
    FailureOr<snn::LinearMap> found = cast<snn::SynapseOp>(feed.weights).linearMap(0);
    if (failed(found))
      return layerError(feed.weights, "has weights that are not constant");
    map = std::make_shared<snn::LinearMap>(std::move(*found));
  }
  bits = std::max(bits, bitsOf(weightsOf(*map)));
  return weightOf(map);
}

} // namespace

llvm::Expected<FeedForms> FeedForms::of(ArrayRef<Feed> feeds) {
  FeedForms forms;
  forms.feeds.assign(feeds.begin(), feeds.end());
  for (const Feed &feed : feeds) {
    SPINDLE_ASSIGN(std::optional<WindowFilters> filters, windowsOf(feed));
    if (filters && (forms.windows.empty() || filters->to == forms.windows.front().to))
      forms.windows.push_back(std::move(*filters));
  }
  if (forms.windows.size() == feeds.size()) {
    for (const WindowFilters &filters : forms.windows)
      forms.weightBits = std::max(forms.weightBits, bitsOf(filters.weights));
    return forms;
  }
  forms.windows.clear();
  for (const Feed &feed : feeds) {
    SPINDLE_ASSIGN(WeightOf weights, rowsOf(feed, forms.weightBits));
    forms.weights.push_back(std::move(weights));
  }
  return forms;
}

std::optional<int64_t> FeedForms::filters() const {
  if (windows.empty())
    return std::nullopt;
  return windows.front().to[0];
}

llvm::Expected<std::unique_ptr<Synapses>> FeedForms::make(ProgramBuilder &program, Operation *place,
                                                          ArrayRef<SpikeWords> layouts,
                                                          HardwareLayer &layer) const {
  layer.weightBits = weightBits;
  if (!windows.empty()) {
    std::vector<WindowSource> sources;
    for (auto [feed, filters, layout] : llvm::zip(feeds, windows, layouts))
      sources.push_back({layout, feed.inputOf, filters});
    return makeWindows(program, place, sources, layer);
  }
  std::vector<RowSource> sources;
  for (auto [feed, weightOf, layout] : llvm::zip(feeds, weights, layouts))
    sources.push_back({layout, feed.inputOf, weightOf});
  return makeRows(program, sources, layer);
}

} // namespace spindle::snn_to_loops
