// Projections whose synapses differ in their delays.
#include "lib/frontend/network/NetworkBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

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

/// Within each row the longest delay first, sources ascending where delays are equal.
static std::vector<size_t> orderOfArrival(const Rows &rows, llvm::ArrayRef<int16_t> delays) {
  std::vector<size_t> order(rows.sources.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t row = 0; row + 1 < rows.offsets.size(); ++row)
    std::stable_sort(order.begin() + rows.offsets[row], order.begin() + rows.offsets[row + 1],
                     [&](size_t a, size_t b) { return delays[a] > delays[b]; });
  return order;
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
  std::vector<size_t> arrival = orderOfArrival(rows, delays);
  auto arranged = [&](auto &values) {
    std::decay_t<decltype(values)> result;
    result.reserve(arrival.size());
    for (size_t k : arrival)
      result.push_back(values[k]);
    values = std::move(result);
  };
  arranged(rows.sources);
  arranged(delays);
  if (weights.size() > 1)
    arranged(weights);
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
