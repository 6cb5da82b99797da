#include "dialects/snn/IntegerRange.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace spindle::snn {

unsigned IntegerRange::bits() const {
  unsigned bits = 1;
  while (lowest < -std::ldexp(1.0, int(bits) - 1) || highest > std::ldexp(1.0, int(bits) - 1) - 1)
    ++bits;
  return bits;
}

std::string IntegerRange::excessText() const {
  return fmt::format("may reach {:.0f}, expected at most {:.0f}, up to which sums are exact", most,
                     kExactSums);
}

namespace {

/// The population whose spikes come back.
Operation *populationOfFeedback(FeedbackOp feedback) {
  for (Operation &op : *feedback->getBlock())
    if (isa<NeuronOp, GatherOp>(op) && layerOf(&op) == feedback.getPopulation())
      return &op;
  return nullptr;
}

/// The most spikes of one neuron in one step.
double mostSpikes(Operation *op) {
  if (auto feedback = dyn_cast_or_null<FeedbackOp>(op))
    op = populationOfFeedback(feedback);
  if (auto gather = dyn_cast_or_null<GatherOp>(op))
    op = gather.getInput().getDefiningOp();
  if (auto neuron = dyn_cast_or_null<NeuronOp>(op))
    return double(neuron.neuronModel().maxSpikes);
  return 1;
}

class Ranges {
public:
  explicit Ranges(NotInteger *place) : fault(place) {}

  FailureOr<IntegerRange> ofSums(SynapseOp synapse, ArrayRef<IntegerRange> inputs) {
    std::vector<IntegerRange> sums;
    double before = 0; // by amount, of the sources
    for (auto [index, input] : llvm::enumerate(inputs)) {
      FailureOr<LinearMap> map = synapse.linearMap(unsigned(index));
      if (failed(map))
        return refuse(synapse, "", 0);
      before = std::max(before, input.most);
      sums.resize(map->outputs);
      for (size_t output = 0; output < map->outputs; ++output)
        if (failed(add(synapse, *map, output, input, sums[output])))
          return failure();
    }
    IntegerRange range;
    range.most = before;
    for (const IntegerRange &sum : sums)
      range = {std::min(range.lowest, sum.lowest), std::max(range.highest, sum.highest),
               std::max(range.most, sum.most)};
    return range;
  }

  FailureOr<IntegerRange> of(Value signal) {
    Operation *op = signal.getDefiningOp();
    if (auto pool = dyn_cast_or_null<MaxPool2dOp>(op))
      return of(pool.getInput());
    if (auto synapse = dyn_cast_or_null<SynapseOp>(op))
      return ofSums(synapse);
    if (isa<SpikeBundleType>(signal.getType())) {
      double most = mostSpikes(op);
      return IntegerRange{0, most, most};
    }
    if (auto encode = dyn_cast_or_null<EncodeOp>(op); encode && isa<CurrentType>(signal.getType()))
      return of(encode.getInput());
    if (auto quantize = dyn_cast_or_null<QuantizeOp>(op))
      return ofLevels(quantize);
    if (auto decode = dyn_cast_or_null<DecodeOp>(op); decode && decode.getMaximum()) {
      auto most = double(*decode.getMaximum());
      return IntegerRange{0, most, most};
    }
    return refuse(op, "", 0);
  }

private:
  LogicalResult refuse(Operation *op, const char *what, float value) {
    if (fault)
      *fault = {op, what, value};
    return failure();
  }

  /// Sums that are shifted were exact before, and so is half a unit added to them.
  FailureOr<IntegerRange> ofLevels(QuantizeOp op) {
    double low = double(int64_t(op.getLow())), high = double(int64_t(op.getHigh()));
    IntegerRange range{std::min(low, 0.0), std::max(high, 0.0), std::max(-low, high)};
    if (isa<BlockArgument>(op.getInput()))
      return range;
    FailureOr<IntegerRange> before = of(op.getInput());
    if (failed(before))
      return failure();
    double unit = op.getUnit().convertToDouble();
    range.lowest = std::max(range.lowest, std::floor(before->lowest / unit + 0.5));
    range.highest = std::min(range.highest, std::floor(before->highest / unit + 0.5));
    range.most = std::max(range.most, before->most + unit / 2);
    return range;
  }

  FailureOr<IntegerRange> ofSums(SynapseOp synapse) {
    std::vector<IntegerRange> inputs;
    for (Value source : synapse.getSources()) {
      FailureOr<IntegerRange> input = of(source);
      if (failed(input))
        return failure();
      inputs.push_back(*input);
    }
    return ofSums(synapse, inputs);
  }

  /// One row of weights on inputs of a range.
  LogicalResult add(Operation *op, const LinearMap &map, size_t output, const IntegerRange &input,
                    IntegerRange &sum) {
    auto widen = [&](double low, double high) {
      sum.lowest += std::min({low, high, 0.0});
      sum.highest += std::max({low, high, 0.0});
      sum.most += std::max(std::abs(low), std::abs(high));
    };
    float bias = map.bias[output];
    if (bias != std::trunc(bias))
      return refuse(op, "bias", bias);
    widen(bias, bias);
    for (size_t k = map.offsets[output]; k < map.offsets[output + 1]; ++k) {
      float weight = map.weights[k];
      if (weight != std::trunc(weight))
        return refuse(op, "weight", weight);
      widen(double(weight) * input.lowest, double(weight) * input.highest);
    }
    return success();
  }

  NotInteger *fault;
};

} // namespace

FailureOr<IntegerRange> integerRange(Value signal, NotInteger *fault) {
  return Ranges(fault).of(signal);
}

FailureOr<IntegerRange> rangeOfSums(SynapseOp layer, ArrayRef<IntegerRange> sources,
                                    NotInteger *fault) {
  return Ranges(fault).ofSums(layer, sources);
}

FailureOr<unsigned> accumulatorBits(SynapseOp layer) {
  FailureOr<IntegerRange> range = integerRange(layer.getTarget());
  if (failed(range))
    return failure();
  return range->bits();
}

} // namespace spindle::snn
