// Projections as operations: delays, synapses, sums.
#include "lib/frontend/network/NetworkBuilder.h"

#include "dialects/snn/Names.h"

#include "fmt/format.h"

#include <cmath>

using namespace mlir;

namespace spindle::network {

/// Signals that take the same time from the same population are one. The first operation that asks
/// for one stands before all others, for populations are made one after the other.
Value NetworkBuilder::arrive(size_t from, int64_t delay, bool feedsBack) {
  const Population &source = description.populations[from];
  if (!feedsBack && delay == 0)
    return signals[from];
  Value &signal = (feedsBack ? back : late)[{from, delay}];
  if (signal)
    return signal;
  if (feedsBack)
    signal = make("feedback", {}, spikes(source.shape), "",
                  {attribute("population", builder.getStringAttr(source.name)),
                   attribute("steps", builder.getI64IntegerAttr(delay))});
  else
    signal = make("delay", signals[from], signals[from].getType(), "",
                  attribute("steps", builder.getDenseI64ArrayAttr({delay})));
  return signal;
}

/// One value where all synapses have the same, so that it takes no room; listed ones in the order
/// of the rows, or of the list; drawn ones row by row.
static std::vector<float> weightsOf(const Projection &projection, uint64_t seed,
                                    llvm::ArrayRef<int64_t> offsets,
                                    llvm::ArrayRef<uint32_t> pairs) {
  const Values &weight = projection.weight;
  auto count = static_cast<size_t>(offsets.back());
  if (weight.isOne())
    return std::vector<float>(std::min<size_t>(1, count), static_cast<float>(weight.numbers[0]));
  std::vector<float> values(count);
  bool isListed = weight.kind == Values::Kind::Listed;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    CounterRandom random = randomOf(seed, projection.name + ".weight", static_cast<uint32_t>(row));
    for (auto k = size_t(offsets[row]); k < size_t(offsets[row + 1]); ++k)
      values[k] = static_cast<float>(isListed ? weight.numbers[pairs.empty() ? k : pairs[k]]
                                              : draw(weight, random));
  }
  return values;
}

llvm::Expected<std::vector<float>> NetworkBuilder::weightValues(const Projection &projection,
                                                                llvm::ArrayRef<int64_t> offsets,
                                                                llvm::ArrayRef<uint32_t> pairs) {
  std::vector<float> values = weightsOf(projection, description.seed, offsets, pairs);
  bool takesConductances = description.populations[projection.target].neurons()->takesConductances;
  for (float value : values)
    if (!std::isfinite(value) || (takesConductances && value < 0))
      return inputError(
          projection.place,
          fmt::format("projection '{}' has the weight {}, expected {}; list or draw "
                      "others (uniform has bounds)",
                      projection.name, value,
                      takesConductances ? "conductances of zero or more" : "finite numbers"));
  return values;
}

llvm::Expected<Value> NetworkBuilder::weights(const Projection &projection,
                                              llvm::ArrayRef<int64_t> offsets,
                                              llvm::ArrayRef<uint32_t> pairs,
                                              llvm::ArrayRef<int64_t> shape) {
  SPINDLE_ASSIGN(std::vector<float> values, weightValues(projection, offsets, pairs));
  return constant(shape, values); // a single value stands for all
}

/// Drawn connections of one weight: the rule stands for them.
static std::optional<RandomRows> ruleOf(const Projection &projection, uint64_t seed) {
  if (!projection.weight.isOne())
    return std::nullopt;
  return randomRows(projection.rule, projection.ends, seed, projection.name);
}

void NetworkBuilder::addRule(const RandomRows &rule, SmallVectorImpl<NamedAttribute> &attributes) {
  auto range = [&](const IndexRange &of) {
    return builder.getDenseI64ArrayAttr({of.begin, of.end});
  };
  attributes.append({attribute("key", builder.getI64IntegerAttr(static_cast<int64_t>(rule.key))),
                     attribute("source_range", range(rule.sources)),
                     attribute("target_range", range(rule.targets)),
                     attribute("autapses", builder.getBoolAttr(!rule.avoidsSelf))});
  if (rule.fanIn)
    attributes.push_back(attribute("fan_in", builder.getI64IntegerAttr(*rule.fanIn)));
  else
    attributes.push_back(attribute("probability", builder.getF64FloatAttr(rule.probability)));
}

/// Vectors that are joined completely are a dense layer, random connections of one weight their
/// rule, all others compressed rows.
llvm::Expected<Value> NetworkBuilder::connectBy(const Projection &projection, bool feedsBack,
                                                Value bias) {
  const Population &source = description.populations[projection.source],
                   &target = description.populations[projection.target];
  const Ends &ends = projection.ends;
  if (!projection.delays.numbers.empty())
    return projectByDelay(projection, feedsBack, bias);
  Value input = arrive(projection.source, projection.delay, feedsBack);
  bool isDense = std::holds_alternative<AllToAll>(projection.rule) && !ends.avoidsSelf &&
                 source.shape.size() == 1 && target.shape.size() == 1 &&
                 ends.sources.size() == source.size() && ends.targets.size() == target.size();
  SmallVector<Value> operands{input};
  SmallVector<NamedAttribute> attributes;
  std::optional<RandomRows> rule = ruleOf(projection, description.seed);
  if (rule) {
    SPINDLE_ASSIGN(Value weight, weights(projection, {0, 1}, {}, {1}));
    operands.push_back(weight);
    addRule(*rule, attributes);
  } else if (isDense) {
    std::vector<int64_t> offsets;
    for (int64_t row = 0; row <= target.size(); ++row)
      offsets.push_back(row * source.size());
    SPINDLE_ASSIGN(Value weight, weights(projection, offsets, {}, {target.size(), source.size()}));
    operands.push_back(weight);
  } else {
    Rows rows = connect(projection.rule, ends, description.seed, projection.name);
    SPINDLE_ASSIGN(Value weight,
                   weights(projection, rows.offsets, rows.pairs, {rows.offsets.back()}));
    operands.push_back(weight);
    attributes = {attribute("offsets", builder.getDenseI64ArrayAttr(rows.offsets)),
                  attribute("indices", builder.getDenseI32ArrayAttr(rows.sources))};
  }
  if (bias)
    operands.push_back(bias);
  return make(rule      ? "random"
              : isDense ? "dense"
                        : "sparse",
              operands, current(target.shape), projection.name, attributes);
}

llvm::Expected<Value> NetworkBuilder::project(const Projection &projection, bool feedsBack,
                                              Value bias) {
  SPINDLE_ASSIGN(Value current, connectBy(projection, feedsBack, bias));
  if (projection.kind)
    current.getDefiningOp()->setAttr(
        snn::kSynapseKind, builder.getStringAttr(kSynapseKindNames[size_t(*projection.kind)]));
  return current;
}

/// What comes in by a receptor: its projections in the order of the file, added up; a constant
/// current is the bias of the first.
llvm::Expected<Value> NetworkBuilder::receive(size_t population, int receptor,
                                              const std::vector<float> &constantCurrent) {
  const Population &target = description.populations[population];
  std::vector<float> input = constantCurrent.empty() ? std::vector<float>{0} : constantCurrent;
  Value sum, bias;
  if (llvm::any_of(input, [](float value) { return value != 0; })) {
    std::vector<float> all(static_cast<size_t>(target.size()));
    for (size_t n = 0; n < all.size(); ++n)
      all[n] = input[n * input.size() / all.size()];
    bias = constant({target.size()}, all);
  }
  for (size_t p = 0; p < description.projections.size(); ++p) {
    const Projection &projection = description.projections[p];
    if (projection.target != population || projection.receptor != receptor)
      continue;
    SPINDLE_ASSIGN(Value term, project(projection, order.feedsBack[p], sum ? Value() : bias));
    sum = sum ? make("add", {sum, term}, current(target.shape), "") : term;
  }
  if (!sum)
    sum = encode(activation(target.shape, input), snn::Encoding::Direct, "");
  return sum;
}

} // namespace spindle::network
