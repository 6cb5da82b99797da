// Projections whose synapses differ in their delays.
#include "lib/frontend/network/NetworkBuilder.h"

#include "fmt/format.h"

#include <cmath>
#include <set>

using namespace mlir;

namespace spindle::network {

/// Steps of each synapse: listed in the order of the rows, or of the list; or drawn row by row and
/// rounded.
static std::vector<int64_t> delaysOf(const Projection &projection, const Rows &rows,
                                     uint64_t seed) {
  const Values &delays = projection.delays;
  std::vector<int64_t> steps(rows.sources.size());
  for (size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    CounterRandom random = randomOf(seed, projection.name + ".delay", static_cast<uint32_t>(row));
    for (auto k = size_t(rows.offsets[row]); k < size_t(rows.offsets[row + 1]); ++k)
      steps[k] = std::llround(delays.kind == Values::Kind::Listed
                                  ? delays.numbers[rows.pairs.empty() ? k : rows.pairs[k]]
                                  : draw(delays, random));
  }
  return steps;
}

/// The rows of one delay, and their weights: one for all, or one each.
static std::vector<float> takeDelay(const Rows &all, llvm::ArrayRef<int64_t> delays, int64_t delay,
                                    llvm::ArrayRef<float> weights, Rows &rows) {
  std::vector<float> values;
  for (size_t row = 0; row + 1 < all.offsets.size(); ++row) {
    for (auto k = size_t(all.offsets[row]); k < size_t(all.offsets[row + 1]); ++k) {
      if (delays[k] != delay)
        continue;
      rows.sources.push_back(all.sources[k]);
      if (weights.size() > 1)
        values.push_back(weights[k]);
    }
    rows.offsets.push_back(static_cast<int64_t>(rows.sources.size()));
  }
  if (weights.size() <= 1 && !rows.sources.empty())
    values = weights.vec();
  return values;
}

/// An operation for each delay reads the spikes of so many steps ago: the ring in which they wait
/// is that of the signal. Sums are added from the shortest delay to the longest.
llvm::Expected<Value> NetworkBuilder::projectByDelay(const Projection &projection, bool feedsBack,
                                                     Value bias) {
  Rows all = connect(projection.rule, projection.ends, description.seed, projection.name);
  SPINDLE_ASSIGN(std::vector<float> weights, weightValues(projection, all.offsets, all.pairs));
  std::vector<int64_t> delays = delaysOf(projection, all, description.seed);
  std::set<int64_t> distinct(delays.begin(), delays.end());
  if (distinct.empty())
    distinct.insert(projection.delay);
  Type type = current(description.populations[projection.target].shape);
  Value sum;
  for (int64_t delay : distinct) {
    Rows rows;
    std::vector<float> values = takeDelay(all, delays, delay, weights, rows);
    SmallVector<Value> operands{arrive(projection.source, delay, feedsBack),
                                constant({rows.offsets.back()}, values)};
    if (bias && !sum)
      operands.push_back(bias);
    Value term = make("sparse", operands, type, fmt::format("{}.{}", projection.name, delay),
                      {attribute("offsets", builder.getDenseI64ArrayAttr(rows.offsets)),
                       attribute("indices", builder.getDenseI32ArrayAttr(rows.sources))});
    sum = sum ? make("add", {sum, term}, type, "") : term;
  }
  return sum;
}

} // namespace spindle::network
