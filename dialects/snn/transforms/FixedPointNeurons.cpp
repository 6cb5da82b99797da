// From neurons in float on integer currents to neurons in fixed point.
#include "dialects/snn/IntegerRange.h"
#include "dialects/snn/transforms/FixedPointScale.h"
#include "dialects/snn/transforms/Passes.h"

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNFIXEDPOINTNEURONS
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

/// Whether a current is made of spikes and weights alone; averages that are still there are none.
bool comesFromSpikes(Value signal) {
  if (signal.getDefiningOp<AvgPool2dOp>())
    return false;
  if (auto synapse = signal.getDefiningOp<SynapseOp>())
    return llvm::all_of(synapse.getSources(), comesFromSpikes);
  return isa<SpikeBundleType>(signal.getType());
}

bool hasSynapse(const NeuronModel &model) {
  return model.kind == NeuronKind::CubaLeakyIntegrateAndFire;
}

bool isLeaky(const NeuronModel &model) {
  return hasSynapse(model) || model.kind == NeuronKind::LeakyIntegrateAndFire ||
         model.kind == NeuronKind::LeakyIntegrator;
}

bool hasCounterpart(const NeuronModel &model) {
  switch (model.kind) {
  case NeuronKind::IntegrateAndFire:
  case NeuronKind::LeakyIntegrateAndFire:
    return !model.exactCrossing;
  case NeuronKind::CubaLeakyIntegrateAndFire:
    return !model.exactSynapse;
  case NeuronKind::Integrator:
    return !model.sustained;
  default:
    return model.kind == NeuronKind::LeakyIntegrator;
  }
}

constexpr int64_t kMostBits = 25; // of a membrane, which f32 carries

struct FixedPointNeurons : impl::SnnFixedPointNeuronsBase<FixedPointNeurons> {
  using SnnFixedPointNeuronsBase::SnnFixedPointNeuronsBase;

  double most() const { return std::ldexp(1.0, int(membraneBits) - 1) - 1; }

  /// Of the parameters that a membrane must hold, by amount.
  static double largestOf(const NeuronModel &model, const FixedPointScale &scale) {
    double largest = 1;
    for (float threshold : model.threshold)
      largest = std::max(largest, std::abs(scale.of(threshold)));
    return largest;
  }

  /// Half of the range is room above the threshold, another half below it.
  int64_t fractionFor(NeuronOp op, const NeuronModel &model, const FixedPointScale &scale) const {
    if (fractionBits >= 0)
      return fractionBits;
    double largest = largestOf(model, scale);
    bool isShifted = integers && largest > most() / 2 && directEncoderOf(op.getSources()[0]);
    if (isShifted)
      return -int64_t(std::ceil(std::log2(2 * largest / most())));
    if (scale.decay == 0 && scale.synapseDecay == 0)
      return 0; // nothing is ever rounded
    return std::clamp<int64_t>(std::ilogb(most() / (2 * largest)), 0, 16);
  }

  /// The share of a state that it loses per step; none where it is less than half a unit.
  FailureOr<int64_t> decayFor(NeuronOp op, float rate) {
    int64_t decay = std::llround(std::ldexp(double(rate), int(decayBits)));
    if (decay == 0)
      return op.emitError("leaks less than ")
             << decayBits.getValue() << " bits can say, expected more decay-bits";
    return decay;
  }

  FailureOr<FixedPointScale> scaleOf(NeuronOp op, const NeuronModel &model) {
    for (const std::vector<float> *values :
         {&model.resistance, &model.rate, &model.leak, &model.synapseRate, &model.synapseGain})
      if (!llvm::all_equal(*values))
        return op.emitError("has tau, r or v_leak that differ between its neurons, expected one "
                            "value");
    FixedPointScale scale;
    scale.gain = model.resistance.front();
    if (isLeaky(model)) {
      scale.gain *= model.rate.front();
      scale.leak = model.leak.front();
      FailureOr<int64_t> decay = decayFor(op, model.rate.front());
      if (failed(decay))
        return failure();
      scale.decay = *decay;
    }
    if (hasSynapse(model)) {
      scale.gain *= double(model.synapseGain.front()) * model.synapseRate.front();
      FailureOr<int64_t> decay = decayFor(op, model.synapseRate.front());
      if (failed(decay))
        return failure();
      scale.synapseDecay = *decay;
    }
    if (scale.gain <= 0)
      return op.emitError("has an r that is not positive");
    if (model.spikes() && model.resetBySubtraction && scale.leak != 0)
      return op.emitError("subtracts its threshold and leaks to another value than zero, which "
                          "fixed point cannot say");
    return scale;
  }

  /// The most, by amount, that a membrane can gather, in units of the current.
  double gathered(NeuronOp op, const FixedPointScale &scale) const {
    FailureOr<IntegerRange> range = integerRange(op.getSources()[0]);
    if (failed(range) || (steps <= 0 && scale.decay == 0))
      return std::ldexp(1.0, kMostBits);
    double lasts = scale.decay == 0 ? double(steps) : std::ldexp(1.0, int(decayBits)) / scale.decay;
    if (steps > 0)
      lasts = std::min(lasts, double(steps));
    return std::ceil(lasts * std::max(-range->lowest, range->highest));
  }

  /// Fraction and width of a membrane that is read: leaks are rounded a few bits after the point.
  int64_t formatReadout(NeuronOp op, const NeuronModel &model, FixedPointScale &scale) const {
    double least = gathered(op, scale);
    auto bitsOf = [&] {
      double largest = std::ldexp(least, int(scale.fraction));
      for (float initial : model.initial)
        largest += std::abs(std::round(scale.of(initial)));
      return std::clamp<int64_t>(int64_t(std::ceil(std::log2(largest + 1))) + 1, 2, kMostBits);
    };
    int64_t widest = readoutBits > 0 ? int64_t(readoutBits) : kMostBits;
    if (fractionBits >= 0)
      scale.fraction = fractionBits;
    else if (scale.decay > 0)
      for (scale.fraction = 8; scale.fraction > 0 && bitsOf() >= widest;)
        --scale.fraction;
    return readoutBits > 0 ? widest : bitsOf();
  }

  /// In units of the membrane, which has to hold them.
  LogicalResult setInUnits(NeuronOp op, OperationState &state, StringRef name,
                           const FixedPointScale &scale, int64_t bits) {
    auto values = op->getAttrOfType<DenseF32ArrayAttr>(name);
    std::vector<float> old = values ? values.asArrayRef().vec() : std::vector<float>{0};
    SmallVector<float> units = scale.of(old);
    auto limit = float((int64_t(1) << (bits - 1)) - 1);
    for (float &value : units) {
      if (name == "threshold")
        value = std::max(value, 1.0f);
      if (std::abs(value) > limit)
        return op.emitError("has the ")
               << name << " " << int64_t(value) << " in units of its membrane, expected at most "
               << int64_t(limit) << "; use more membrane-bits or fewer fraction-bits";
    }
    state.addAttribute(name, Builder(op.getContext()).getDenseF32ArrayAttr(units));
    return success();
  }

  LogicalResult replace(NeuronOp op) {
    NeuronModel model = op.neuronModel();
    if (!hasCounterpart(model))
      return op.emitError("has no counterpart in fixed point, expected snn.if or snn.lif on the "
                          "grid of steps")
             << (integers ? ", snn.cuba_lif (euler), snn.integrator or snn.li" : "");
    FailureOr<FixedPointScale> scale = scaleOf(op, model);
    if (failed(scale))
      return failure();
    OpBuilder builder(op);
    auto integer = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
    StringRef name = FixedLifOp::getOperationName();
    int64_t bits = membraneBits;
    if (!model.spikes()) {
      name = FixedLiOp::getOperationName();
      bits = formatReadout(op, model, *scale);
    } else {
      scale->fraction = fractionFor(op, model, *scale);
    }
    if (hasSynapse(model))
      name = FixedCubaLifOp::getOperationName();
    OperationState state(op.getLoc(), name);
    for (StringRef same : {"reset", "refractory", "max_spikes", "layer"})
      if (Attribute attribute = op->getAttr(same))
        state.addAttribute(same, attribute);
    for (StringRef parameter : {"threshold", "v_reset", "initial_membrane"})
      if ((model.spikes() || parameter == "initial_membrane") &&
          failed(setInUnits(op, state, parameter, *scale, bits)))
        return failure();
    state.addAttribute("decay", integer(scale->decay));
    if (hasSynapse(model))
      state.addAttribute("decay_syn", integer(scale->synapseDecay));
    state.addAttribute("decay_bits", integer(decayBits));
    state.addAttribute("weight_shift", integer(std::max<int64_t>(scale->fraction, 0)));
    state.addAttribute("membrane_bits", integer(bits));
    if (!model.spikes())
      state.addAttribute("unit", builder.getF32FloatAttr(float(scale->unit())));
    if (scale->fraction < 0)
      shiftCurrent(directEncoderOf(op.getSources()[0]), -scale->fraction, int64_t(most()));
    state.addOperands(op.getSources());
    state.addTypes(op->getResultTypes());
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
    ++replaced;
    return success();
  }

  bool isReached(NeuronOp op) const {
    NeuronModel model = op.neuronModel();
    if (model.isFixedPoint())
      return false;
    if (integers)
      return llvm::all_of(op.getSources(),
                          [](Value source) { return succeeded(integerRange(source)); });
    return model.spikes() && llvm::all_of(op.getSources(), comesFromSpikes);
  }

  void runOnOperation() override {
    SmallVector<NeuronOp> populations;
    for (auto op : getOperation().getOps<NeuronOp>())
      if (isReached(op))
        populations.push_back(op);
    for (NeuronOp op : populations)
      if (failed(replace(op)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace spindle::snn
