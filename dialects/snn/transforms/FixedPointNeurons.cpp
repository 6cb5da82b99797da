// From neurons in float on integer currents to neurons in fixed point.
#include "dialects/snn/transforms/Passes.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNFIXEDPOINTNEURONS
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

/// Whether a current is made of spikes and weights alone.
bool comesFromSpikes(Value signal) {
  if (auto synapse = signal.getDefiningOp<SynapseOp>())
    return llvm::all_of(synapse.getSources(), comesFromSpikes);
  return isa<SpikeBundleType>(signal.getType());
}

/// Membranes of a population above its leak, in units of 2^−fraction · gain.
struct Scale {
  int64_t decay = 0, fraction = 0;
  double gain = 1;
  float leak = 0;

  double of(float v) const { return std::ldexp((double(v) - leak) / gain, int(fraction)); }
  SmallVector<float> of(ArrayRef<float> values) const {
    return llvm::map_to_vector(values, [&](float v) { return float(std::round(of(v))); });
  }
};

struct FixedPointNeurons : impl::SnnFixedPointNeuronsBase<FixedPointNeurons> {
  using SnnFixedPointNeuronsBase::SnnFixedPointNeuronsBase;

  double most() const { return std::ldexp(1.0, int(membraneBits) - 1) - 1; }

  /// Half of the range is room above the threshold, another half below it.
  int64_t fractionFor(const NeuronModel &model, const Scale &scale) const {
    if (fractionBits >= 0)
      return fractionBits;
    if (scale.decay == 0)
      return 0; // nothing is ever rounded
    double largest = 1;
    for (float threshold : model.threshold)
      largest = std::max(largest, std::abs(scale.of(threshold)));
    return std::clamp<int64_t>(std::ilogb(most() / (2 * largest)), 0, 16);
  }

  FailureOr<Scale> scaleOf(NeuronOp op, const NeuronModel &model) {
    for (const std::vector<float> *values : {&model.resistance, &model.rate, &model.leak})
      if (!llvm::all_equal(*values))
        return op.emitError("has tau, r or v_leak that differ between its neurons, expected one "
                            "value");
    Scale scale;
    scale.gain = model.resistance.front();
    if (model.kind == NeuronKind::LeakyIntegrateAndFire) {
      scale.gain *= model.rate.front();
      scale.leak = model.leak.front();
      scale.decay = std::llround(std::ldexp(double(model.rate.front()), int(decayBits)));
      if (scale.decay == 0)
        return op.emitError("leaks less than ")
               << decayBits.getValue() << " bits can say, expected more decay-bits";
    }
    if (scale.gain <= 0)
      return op.emitError("has an r that is not positive");
    if (model.resetBySubtraction && scale.leak != 0)
      return op.emitError("subtracts its threshold and leaks to another value than zero, which "
                          "fixed point cannot say");
    scale.fraction = fractionFor(model, scale);
    return scale;
  }

  LogicalResult replace(NeuronOp op) {
    NeuronModel model = op.neuronModel();
    bool known = model.kind == NeuronKind::IntegrateAndFire ||
                 model.kind == NeuronKind::LeakyIntegrateAndFire;
    if (!known || model.exactCrossing)
      return op.emitError("has no counterpart in fixed point, expected snn.if or snn.lif on the "
                          "grid of steps");
    FailureOr<Scale> scale = scaleOf(op, model);
    if (failed(scale))
      return failure();
    OpBuilder builder(op);
    OperationState state(op.getLoc(), FixedLifOp::getOperationName());
    for (StringRef same : {"reset", "refractory", "max_spikes", "layer"})
      if (Attribute attribute = op->getAttr(same))
        state.addAttribute(same, attribute);
    for (StringRef name : {"threshold", "v_reset", "initial_membrane"}) {
      auto values = op->getAttrOfType<DenseF32ArrayAttr>(name);
      std::vector<float> old = values ? values.asArrayRef().vec() : std::vector<float>{0};
      SmallVector<float> units = scale->of(old);
      for (float &value : units) {
        if (name == "threshold")
          value = std::max(value, 1.0f);
        if (std::abs(value) > most())
          return op.emitError("has the ")
                 << name << " " << int64_t(value) << " in units of its membrane, expected at most "
                 << int64_t(most()) << "; use more membrane-bits or fewer fraction-bits";
      }
      state.addAttribute(name, builder.getDenseF32ArrayAttr(units));
    }
    state.addAttribute("decay", builder.getI64IntegerAttr(scale->decay));
    state.addAttribute("decay_bits", builder.getI64IntegerAttr(decayBits));
    state.addAttribute("weight_shift", builder.getI64IntegerAttr(scale->fraction));
    state.addAttribute("membrane_bits", builder.getI64IntegerAttr(membraneBits));
    state.addOperands(op.getSources());
    state.addTypes(op->getResultTypes());
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
    ++replaced;
    return success();
  }

  void runOnOperation() override {
    SmallVector<NeuronOp> populations;
    for (auto op : getOperation().getOps<NeuronOp>())
      if (!isa<FixedLifOp>(op) && op.neuronModel().spikes() &&
          llvm::all_of(op.getSources(), comesFromSpikes))
        populations.push_back(op);
    for (NeuronOp op : populations)
      if (failed(replace(op)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace spindle::snn
