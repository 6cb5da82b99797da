// Projections whose synapses differ in their delays.
#include "lib/frontend/network/NetworkBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace spindle::network {

/// Steps: listed in the order of the rows, or of the list; or drawn row by row and rounded.
static std::vector<int16_t> delaysOf(const Projection &projection, const Rows &rows,
                                     uint64_t seed) {
  const Values &delays = projection.delays;
  std::vector<int16_t> steps(rows.sources.size());
  auto drawSteps = [&](CounterRandom &random) {
    int64_t drawn = std::llround(draw(delays, random));
    while (drawn < 1 || drawn > kMostDelay)
      drawn = std::llround(draw(delays, random));
    return drawn;
  };
  for (size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    CounterRandom random = randomOf(seed, projection.name + ".delay", static_cast<uint32_t>(row));
    for (auto k = size_t(rows.offsets[row]); k < size_t(rows.offsets[row + 1]); ++k)
      steps[k] = static_cast<int16_t>(
          delays.kind == Values::Kind::Listed
              ? std::llround(delays.numbers[rows.pairs.empty() ? k : rows.pairs[k]])
              : drawSteps(random));
  }
  return steps;
}

/// Within each row the longest delay first, sources ascending where delays are equal. `weights` are
/// one for all, or one each.
static void sortByArrival(Rows &rows, std::vector<int16_t> &delays, std::vector<float> &weights) {
  struct Synapse {
    int16_t delay;
    int32_t source;
    float weight;
  };
  std::vector<Synapse> row;
  bool isOne = weights.size() <= 1;
  for (size_t r = 0; r + 1 < rows.offsets.size(); ++r) {
    auto first = size_t(rows.offsets[r]), end = size_t(rows.offsets[r + 1]);
    row.clear();
    for (size_t k = first; k < end; ++k)
      row.push_back({delays[k], rows.sources[k], isOne ? 0 : weights[k]});
    llvm::sort(row, [](const Synapse &a, const Synapse &b) {
      return a.delay != b.delay ? a.delay > b.delay : a.source < b.source;
    });
    for (size_t k = first; k < end; ++k) {
      delays[k] = row[k - first].delay;
      rows.sources[k] = row[k - first].source;
      if (!isOne)
        weights[k] = row[k - first].weight;
    }
  }
}

/// What comes back does so after the shortest delay; the synapses wait for the rest.
llvm::Expected<Value> NetworkBuilder::projectByDelay(const Projection &projection, bool feedsBack,
                                                     Value bias) {
  Rows rows = connect(projection.rule, projection.ends, description.seed, projection.name);
  SPINDLE_ASSIGN(std::vector<float> weights, weightValues(projection, rows.offsets, rows.pairs));
  std::vector<int16_t> delays = delaysOf(projection, rows, description.seed);
  int64_t shortest = 0;
  if (feedsBack) {
    shortest = delays.empty() ? projection.delay : *llvm::min_element(delays);
    for (int16_t &delay : delays)
      delay = static_cast<int16_t>(delay - shortest);
  }
  sortByArrival(rows, delays, weights);
  SmallVector<Value> operands{arrive(projection.source, shortest, feedsBack),
                              constant({rows.offsets.back()}, weights)};
  if (bias)
    operands.push_back(bias);
  return make("delayed_sparse", operands, current(description.populations[projection.target].shape),
              projection.name,
              {attribute("offsets", builder.getDenseI64ArrayAttr(rows.offsets)),
               attribute("indices", builder.getDenseI32ArrayAttr(rows.sources)),
               attribute("delays", DenseI16ArrayAttr::get(builder.getContext(), delays))});
}

} // namespace spindle::network
