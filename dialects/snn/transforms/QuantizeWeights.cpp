// Integer weights, and membranes that count their units.
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "dialects/snn/transforms/IntegerPaths.h"
#include "dialects/snn/transforms/Passes.h"
#include "dialects/snn/transforms/QuantizedLayers.h"

#include <cmath>
#include <map>
#include <set>

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNQUANTIZEWEIGHTS
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

constexpr int kMostShift = 23; // of sums that f32 carries

FailureOr<WeightedLayer> readLayer(Operation *op) {
  FailureOr<std::vector<float>> weights = constantFloats(op->getOperand(1));
  std::vector<float> none;
  FailureOr<std::vector<float>> bias =
      op->getNumOperands() > 2 ? constantFloats(op->getOperand(2)) : FailureOr(none);
  if (failed(weights) || failed(bias))
    return op->emitError("has weights that are not constant");
  ArrayRef<int64_t> offsets; // of compressed rows
  if (auto sparse = dyn_cast<SparseOp>(op))
    offsets = sparse.getOffsets();
  else if (auto delayed = dyn_cast<DelayedSparseOp>(op))
    offsets = delayed.getOffsets();
  size_t rows = offsets.empty() ? size_t(shapeOf(op->getOperand(1))[0]) : offsets.size() - 1;
  if (isa<ScaleOp>(op))
    rows = weights->size();
  WeightedLayer layer{op, *weights, *bias, {}, rows, std::vector<float>(rows, 0), {}};
  if (!layer.bias.empty() && layer.bias.size() != rows)
    return op->emitError("has biases of another number than weights per channel, expected one for "
                         "each channel");
  if (!offsets.empty())
    for (size_t o = 0; o < rows; ++o)
      layer.row.insert(layer.row.end(), size_t(offsets[o + 1] - offsets[o]), o);
  else
    for (size_t k = 0; k < layer.weights.size(); ++k)
      layer.row.push_back(k / (layer.weights.size() / rows));
  return layer;
}

Averages findAverages(Value signal) {
  Averages averages;
  while (Operation *op = signal.hasOneUse() ? signal.getDefiningOp() : nullptr) {
    if (auto average = dyn_cast<AvgPool2dOp>(op)) {
      bool wholeWindows = average.getCountIncludePad() ||
                          llvm::all_of(average.getPadding(), [](int64_t pad) { return pad == 0; });
      if (!wholeWindows)
        break;
      averages.pools.push_back(average);
      averages.window *= float(average.getKernel()[0] * average.getKernel()[1]);
    } else if (!isa<ReshapeOp, TransposeOp>(op)) {
      break;
    }
    signal = op->getOperand(0);
  }
  return averages;
}

void addUp(const Averages &averages) {
  for (AvgPool2dOp average : averages.pools) {
    OpBuilder builder(average);
    auto sum = SumPool2dOp::create(builder, average.getLoc(), average.getOutput().getType(),
                                   average.getInput(), average.getKernel(), average.getStrides(),
                                   average.getPadding(), average.getLayerAttr());
    average.replaceAllUsesWith(sum.getOutput());
    average.erase();
  }
}

/// Layers after a current, through what passes the unit on.
LogicalResult findLayers(Value current, WeightTarget &target, bool integers) {
  Operation *op = current.getDefiningOp();
  auto synapse = dyn_cast_or_null<SynapseOp>(op);
  bool passes = passesUnit(op, integers);
  if (!passes && !(synapse && synapse.hasWeights())) {
    target.hasOtherSources = true;
    return success();
  }
  size_t before = target.layers.size();
  if (passes) {
    if (!isa<EncodeOp>(op))
      target.views.push_back(op);
    for (Value source : op->getOperands())
      if (failed(findLayers(source, target, integers)))
        return failure();
  } else {
    FailureOr<WeightedLayer> layer = readLayer(op);
    if (failed(layer))
      return failure();
    target.layers.push_back(std::move(*layer));
  }
  if (target.layers.size() > before && !current.hasOneUse())
    return op->emitError("is read more than once, expected one population for each layer");
  return success();
}

/// The unit of each row. A row of zeros takes that of its bias, so that the bias survives.
void chooseUnits(WeightTarget &target, bool perChannel) {
  bool joins = target.layers.size() > 1;
  float all = 0; // of the current, where it is one for all
  for (WeightedLayer &layer : target.layers) {
    for (size_t k = 0; k < layer.weights.size(); ++k)
      layer.unit[layer.row[k]] = std::max(layer.unit[layer.row[k]], std::abs(layer.weights[k]));
    for (size_t o = 0; o < layer.rows; ++o)
      all = std::max(all, layer.unit[o] / (joins ? layer.averages.window : 1) / layer.levels);
  }
  if (all == 0)
    for (WeightedLayer &layer : target.layers)
      for (float bias : layer.bias)
        all = std::max(all, std::abs(bias) / layer.levels);
  for (WeightedLayer &layer : target.layers)
    for (size_t o = 0; o < layer.rows; ++o) {
      float largest = layer.unit[o];
      if (largest == 0 && !layer.bias.empty())
        largest = std::abs(layer.bias[o]);
      float unit = largest / layer.levels;
      if (!perChannel || joins)
        unit = all * (joins ? layer.averages.window : 1);
      layer.unit[o] = unit > 0 ? unit : 1;
    }
}

/// The unit of a tensor layer's sums is that of its levels, divided by a power of two: rounding to
/// levels is a shift then. It is the smallest one that no weight clips at.
LogicalResult shiftToLevels(WeightTarget &target) {
  double most = 0, unit = target.levels.getUnit().convertToDouble();
  for (WeightedLayer &layer : target.layers)
    for (float weight : layer.weights)
      most = std::max(most, double(std::abs(weight)) / layer.averages.window / layer.levels);
  int shift = most > 0 ? std::min(int(std::floor(std::log2(unit / most))), kMostShift) : 0;
  if (shift < 0)
    return target.levels.emitError("has weights too large for the activations that it hands on: "
                                   "one level is less than a unit of weights, expected another "
                                   "layer to be a tensor or more weight-bits");
  for (WeightedLayer &layer : target.layers)
    layer.unit.assign(layer.rows, float(std::ldexp(unit, -shift) * layer.averages.window));
  target.levels.setUnit(APFloat(std::ldexp(1.0f, shift)));
  return success();
}

/// One unit for all rows has to do for the largest weight and for the many: what clips the largest
/// one loses least, as the sum of squares, where few are large.
void fitUnit(WeightedLayer &layer) {
  constexpr int kUnits = 28; // down to a third
  float largest = layer.unit[0], best = largest;
  double least = INFINITY;
  for (int k = 0; k < kUnits; ++k) {
    float unit = largest * (1 - float(k) / 42);
    double loss = 0;
    for (float weight : layer.weights) {
      float level = std::clamp(std::round(weight / unit), -layer.levels, layer.levels);
      loss += std::pow(double(weight) - double(level) * unit, 2);
    }
    if (loss < least) {
      least = loss;
      best = unit;
    }
  }
  layer.unit.assign(layer.rows, best);
}

/// The unit of each neuron: that of its row's current, carried through the views.
std::vector<float> unitsOf(const WeightTarget &target) {
  auto population = size_t(sizeOf(target.neurons->getResult(0)));
  if (target.layers.empty())
    return std::vector<float>(population, 1 / target.averages.window);
  const WeightedLayer &layer = target.layers[0];
  size_t count = size_t(sizeOf(layer.op->getResult(0)));
  std::vector<float> units(count);
  for (size_t n = 0; n < count; ++n)
    units[n] = layer.currentUnit(n / (count / layer.rows));
  if (target.layers.size() > 1) // all equal
    return std::vector<float>(population, units[0]);
  for (Operation *view : llvm::reverse(target.views)) {
    LinearMap map = sourcesOfView(view);
    std::vector<float> before = units;
    units.resize(map.outputs);
    for (size_t n = 0; n < map.outputs; ++n)
      units[n] = before[map.indices[map.offsets[n]]];
  }
  return units;
}

/// Sets a parameter to f(value, unit), as short as it can be said.
void setParameter(NeuronOp op, StringRef name, ArrayRef<float> old, ArrayRef<float> units,
                  function_ref<float(size_t, float, float)> f) {
  std::vector<float> values(units.size());
  for (size_t n = 0; n < values.size(); ++n)
    values[n] = f(n, old[old.size() == 1 ? 0 : n], units[n]);
  size_t channels = size_t(shapeOf(op.getTarget())[0]), block = values.size() / channels;
  bool channelwise = true;
  for (size_t n = 0; n < values.size(); ++n)
    channelwise &= values[n] == values[n / block * block];
  if (llvm::all_equal(values))
    values.resize(1);
  else if (channelwise) {
    for (size_t c = 0; c < channels; ++c)
      values[c] = values[c * block];
    values.resize(channels);
  }
  op->setAttr(name, DenseF32ArrayAttr::get(op->getContext(), values));
}

void followUnits(NeuronOp op, ArrayRef<float> units) {
  NeuronModel model = op.neuronModel();
  auto inUnits = [](size_t, float value, float unit) { return std::round(value / unit); };
  if (!model.spikes())
    return setParameter(op, "r", model.resistance, units,
                        [](size_t, float r, float unit) { return r * unit; });
  setParameter(op, "threshold", model.threshold, units, [&](size_t n, float value, float unit) {
    float floor = model.resetBySubtraction ? 0 : std::round(valueAt(model.reset, n) / unit);
    return std::max(std::round(value / unit), floor + 1); // the verifier wants it above
  });
  setParameter(op, "v_reset", model.reset, units, inUnits);
  setParameter(op, "initial_membrane", model.initial, units, inUnits);
  if (!model.leak.empty())
    setParameter(op, "v_leak", model.leak, units, inUnits);
}

struct QuantizeWeights : impl::SnnQuantizeWeightsBase<QuantizeWeights> {
  using SnnQuantizeWeightsBase::SnnQuantizeWeightsBase;

  std::map<std::string, unsigned> bitsOf; // of single layers
  std::set<std::string> unmet;            // those of no layer so far

  LogicalResult readLayerBits() {
    bitsOf.clear();
    for (const std::string &each : layerBits) {
      auto [name, text] = StringRef(each).rsplit('=');
      unsigned width = 0;
      if (text.getAsInteger(10, width) || width < 2 || width > 16)
        return emitError(getOperation().getLoc(),
                         "expected 2 to 16 bits for the weights of layer '")
               << name << "', found '" << text << "'";
      bitsOf[name.str()] = width;
      unmet.insert(name.str());
    }
    return success();
  }

  LogicalResult checkLayerBits() {
    if (unmet.empty())
      return success();
    return emitError(getOperation().getLoc(), "weight-bits are given for the layer '")
           << *unmet.begin() << "', expected one with weights before a population";
  }

  float levelsOf(Operation *layer) {
    unmet.erase(layerOf(layer).str());
    auto own = bitsOf.find(layerOf(layer).str());
    return float((1 << ((own == bitsOf.end() ? bits : own->second) - 1)) - 1);
  }

  /// Those of tensor layers, whose sums become levels.
  LogicalResult findTensorTargets(std::vector<WeightTarget> &targets,
                                  llvm::DenseSet<Operation *> &seen) {
    for (auto levels : getOperation().getOps<QuantizeOp>()) {
      if (isa<BlockArgument>(levels.getInput()))
        continue;
      WeightTarget target{{}, levels, {}, {}};
      if (failed(findLayers(levels.getInput(), target, true)))
        return failure();
      if (target.layers.empty() || target.hasOtherSources)
        return levels.emitError("rounds sums of which some have no weights, expected weights on "
                                "all that it reads");
      for (WeightedLayer &layer : target.layers) {
        seen.insert(layer.op);
        layer.levels = levelsOf(layer.op);
        layer.averages = findAverages(layer.op->getOperand(0));
      }
      targets.push_back(std::move(target));
    }
    return success();
  }

  /// Sums of tensor layers that are the answer.
  LogicalResult findAnswer(std::vector<WeightTarget> &targets, llvm::DenseSet<Operation *> &seen) {
    Operation *end = getOperation().getBody().front().getTerminator();
    WeightTarget target{{}, {}, {}, {}};
    for (Value answer : end->getOperands())
      if (failed(findLayers(answer, target, true)))
        return failure();
    if (target.layers.empty())
      return success();
    if (target.hasOtherSources)
      return end->emitError("returns sums of which some have no weights, expected weights on all "
                            "of them");
    for (WeightedLayer &layer : target.layers) {
      seen.insert(layer.op);
      layer.levels = levelsOf(layer.op);
      layer.averages = findAverages(layer.op->getOperand(0));
    }
    targets.push_back(std::move(target));
    return success();
  }

  /// All targets first: nothing changes when one is refused.
  LogicalResult findTargets(std::vector<WeightTarget> &targets) {
    llvm::DenseSet<Operation *> seen;
    for (auto neurons : getOperation().getOps<NeuronOp>()) {
      if (isa<FirstSpikeOp>(neurons) || neurons.getSources().size() > 1)
        return neurons.emitError("cannot follow integer weights, expected neurons with one "
                                 "current and a threshold in its unit")
               << (isa<FirstSpikeOp>(neurons) ? "; use another conversion.method than first_spike"
                                              : "");
      WeightTarget target{neurons, {}, {}, {}};
      if (failed(findLayers(neurons.getSources()[0], target, integers)))
        return failure();
      if (target.layers.empty()) { // spikes or values as they are
        target.averages = findAverages(neurons.getSources()[0]);
        if (!target.averages.pools.empty() && (integers || target.averages.areOfSpikes()))
          targets.push_back(std::move(target));
        continue;
      }
      if (target.hasOtherSources)
        return neurons.emitError("adds currents with weights to currents without, expected weights "
                                 "on all; put an snn.scale on the others");
      for (WeightedLayer &layer : target.layers) {
        seen.insert(layer.op);
        layer.levels = levelsOf(layer.op);
        if (integers || target.layers.size() == 1) // of several, the units must be one
          layer.averages = findAverages(layer.op->getOperand(0));
      }
      targets.push_back(std::move(target));
    }
    if (integers && (failed(findTensorTargets(targets, seen)) || failed(findAnswer(targets, seen))))
      return failure();
    for (auto synapse : getOperation().getOps<SynapseOp>())
      if (synapse.hasWeights() && runsInTime(synapse.getTarget().getType()) &&
          !seen.contains(synapse) && sizeOf(synapse->getOperand(1)) > 0)
        return synapse.emitError(
            "has weights that do not lead to a population, expected one "
            "linear operation with weights before each; "
            "snn-compose-linear with rows merges those that follow each other");
    return success();
  }

  void quantize(WeightedLayer &layer) {
    OpBuilder builder(layer.op);
    float largest = 0, worst = 0;
    for (size_t k = 0; k < layer.weights.size(); ++k) {
      float unit = layer.unit[layer.row[k]], old = layer.weights[k];
      layer.weights[k] = std::clamp(std::round(old / unit), -layer.levels, layer.levels);
      largest = std::max(largest, std::abs(old));
      worst = std::max(worst, std::abs(old - layer.weights[k] * unit));
    }
    for (size_t o = 0; o < layer.bias.size(); ++o)
      layer.bias[o] = std::round(layer.bias[o] / layer.currentUnit(o));
    std::vector<float> *values[] = {&layer.weights, &layer.bias};
    for (unsigned n = 1; n < layer.op->getNumOperands(); ++n) {
      Value old = layer.op->getOperand(n);
      layer.op->setOperand(n, makeConstant(builder, old.getLoc(), shapeOf(old), *values[n - 1]));
      if (old.use_empty())
        old.getDefiningOp()->erase();
    }
    addUp(layer.averages);
    rounded += unsigned(layer.weights.size());
    largestError.updateMax(largest > 0 ? uint64_t(std::llround(1e6 * worst / largest)) : 0);
  }

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    std::vector<WeightTarget> targets;
    if (failed(readLayerBits()))
      return signalPassFailure();
    if (bits < 2 || bits > 16) {
      emitError(getOperation().getLoc(), "expected 2 to 16 bits for a weight, found ")
          << bits.getValue();
      return signalPassFailure();
    }
    if (integers)
      prepareIntegerPaths(getOperation());
    if (failed(findTargets(targets)) || failed(checkLayerBits()))
      return signalPassFailure();
    if (targets.empty()) {
      getOperation().emitError(
          "the network has no populations to quantise, expected a layer that rectifies");
      return signalPassFailure();
    }
    for (WeightTarget &target : targets)
      if (target.levels && failed(shiftToLevels(target)))
        return signalPassFailure();
    for (WeightTarget &target : targets) {
      if (target.levels) {
        for (WeightedLayer &layer : target.layers)
          quantize(layer);
        continue;
      }
      bool isRead = !target.neurons || (integers && !target.neurons.neuronModel().spikes());
      chooseUnits(target, perChannel && !isRead);
      if (perChannel && !isRead && steps > 0)
        silenceChannels(target, steps);
      if (isRead && target.layers.size() == 1)
        fitUnit(target.layers[0]);
      if (target.neurons)
        followUnits(target.neurons, unitsOf(target));
      addUp(target.averages);
      for (WeightedLayer &layer : target.layers)
        quantize(layer);
    }
  }
};
} // namespace

} // namespace spindle::snn
