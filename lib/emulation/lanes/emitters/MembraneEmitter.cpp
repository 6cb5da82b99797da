#include "lib/emulation/lanes/emitters/MembraneEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace spindle::lanes {

using snn::NeuronKind;

MembraneEmitter::MembraneEmitter(KernelBuilder &kernel, const snn::NeuronModel &neuron,
                                 int64_t count, const Signals &around)
    : b(kernel), model(neuron), neurons(count), signals(around), resistance(b, model.resistance),
      rate(b, model.rate), leakTo(b, model.leak), synapseRate(b, model.synapseRate),
      synapseGain(b, model.synapseGain),
      synapseCoupling(b, model.synapseCoupling), receptors{{{b, model.excitatory.rate},
                                                            {b, model.excitatory.coupling},
                                                            {b, model.excitatory.reversal},
                                                            {}},
                                                           {{b, model.inhibitory.rate},
                                                            {b, model.inhibitory.coupling},
                                                            {b, model.inhibitory.reversal},
                                                            {}}} {
  bool isCuba = model.kind == NeuronKind::CubaLeakyIntegrateAndFire ||
                model.kind == NeuronKind::CubaLeakyIntegrator;
  isCuba |= model.kind == NeuronKind::FixedCubaLeakyIntegrateAndFire;
  if (model.sustained || isCuba)
    synapse = addState();
  for (size_t receptor = 0; signals.inputs.size() == 2 && receptor < 2; ++receptor)
    receptors[receptor].state = addState();
}

Value MembraneEmitter::addState() {
  size_t buffer = b.addLaneBuffer(neurons);
  emitReset(b, buffer, neurons, {0});
  return b.view(buffer, {neurons});
}

Value MembraneEmitter::add(Value x, Value y) { return b.make<arith::AddFOp>(x, y); }
Value MembraneEmitter::subtract(Value x, Value y) { return b.make<arith::SubFOp>(x, y); }
Value MembraneEmitter::multiply(Value x, Value y) { return b.make<arith::MulFOp>(x, y); }

Value MembraneEmitter::current(size_t receptor, Value n) {
  if (Value taken = signals.take ? signals.take(receptor, n) : Value())
    return taken;
  size_t buffer = signals.inputs[receptor];
  Value memref = b.view(buffer, {neurons}), value = b.load(memref, n);
  if (llvm::is_contained(signals.taken, buffer))
    b.store(b.splat(0), memref, n);
  return value;
}

Value MembraneEmitter::after(Value n, Value v) {
  switch (model.kind) {
  case NeuronKind::IntegrateAndFire:
  case NeuronKind::Integrator:
  case NeuronKind::Rectifier:
    return integrate(n, v);
  case NeuronKind::LeakyIntegrateAndFire:
  case NeuronKind::LeakyIntegrator:
    return leak(n, v, current(0, n));
  case NeuronKind::FixedLeakyIntegrateAndFire:
  case NeuronKind::FixedLeakyIntegrator:
    return leakInFixedPoint(model.fixedPoint, v, current(0, n));
  case NeuronKind::FixedCubaLeakyIntegrateAndFire:
    return leakWithSynapseInFixedPoint(n, v);
  case NeuronKind::CubaLeakyIntegrateAndFire:
  case NeuronKind::CubaLeakyIntegrator:
    return leakWithSynapse(n, v);
  case NeuronKind::DualCubaLeakyIntegrateAndFire:
  case NeuronKind::CobaLeakyIntegrateAndFire:
    return leakWithReceptors(n, v);
  case NeuronKind::FirstSpike:
    break; // emitFirstSpikes
  }
  return v;
}

Value MembraneEmitter::integrate(Value n, Value v) {
  Value input = current(0, n);
  if (model.sustained) {
    input = add(b.load(synapse, n), input);
    b.store(input, synapse, n);
  }
  if (model.resistance != std::vector<float>{1})
    input = multiply(resistance.lanesFor(n), input);
  return add(v, input);
}

Value MembraneEmitter::leak(Value n, Value v, Value input) {
  Value drive = multiply(resistance.lanesFor(n), input);
  Value decay = subtract(leakTo.lanesFor(n), v);
  return add(v, multiply(add(decay, drive), rate.lanesFor(n)));
}

/// Whether 32 bits hold every number on the way: membranes are less than 2 · (most + 1) by amount
/// where one threshold, which may be negative, is subtracted (see the bounds of snn.fixed_lif).
static bool fitsWords(const snn::NeuronModel &model, const snn::FixedPoint &of) {
  return model.maxSpikes == 1 && (of.most + 1) * of.scale <= int64_t(1) << 30;
}

Value MembraneEmitter::leakInWords(const snn::FixedPoint &of, Value v, Value input) {
  VectorType words = b.lanesOf(b.ops().getI32Type());
  auto all = [&](int64_t value) {
    return b.make<arith::ConstantOp>(
        DenseElementsAttr::get(words, b.ops().getI32IntegerAttr(int32_t(value))));
  };
  auto clamp = [&](Value value, int64_t low, int64_t high) {
    return b.make<arith::MinSIOp>(b.make<arith::MaxSIOp>(value, all(low)), all(high));
  };
  Value product = b.make<arith::MulIOp>(b.make<arith::FPToSIOp>(words, v), all(of.kept));
  Value kept = b.make<arith::DivSIOp>(product, all(of.scale)); // towards zero
  Value whole = b.make<arith::FPToSIOp>(words, input);         // at most 2^24 by amount
  int64_t saturates = 4 * (of.most + 1) / of.weight + 1;       // whatever is kept
  if (saturates < int64_t(1) << 24)
    whole = clamp(whole, -saturates, saturates);
  Value next = b.make<arith::AddIOp>(kept, b.make<arith::MulIOp>(whole, all(of.weight)));
  return b.make<arith::SIToFPOp>(b.lanesOf(b.ops().getF32Type()),
                                 clamp(next, -of.most - 1, of.most));
}

/// In f64 where words do not hold every number on the way.
Value MembraneEmitter::leakInFixedPoint(const snn::FixedPoint &of, Value v, Value input) {
  if (fitsWords(model, of))
    return leakInWords(of, v, input);
  VectorType wide = b.lanesOf(b.ops().getF64Type());
  auto all = [&](double value) {
    return b.make<arith::ConstantOp>(DenseElementsAttr::get(wide, b.ops().getF64FloatAttr(value)));
  };
  Value share = all(double(of.kept) / double(of.scale)); // the scale is a power of two
  Value product = b.make<arith::MulFOp>(b.make<arith::ExtFOp>(wide, v), share);
  Value kept = b.make<math::TruncOp>(product);
  Value added = b.make<arith::MulFOp>(b.make<arith::ExtFOp>(wide, input), all(double(of.weight)));
  Value next = b.make<arith::AddFOp>(kept, added);
  next = b.make<arith::MinNumFOp>(b.make<arith::MaxNumFOp>(next, all(double(-of.most - 1))),
                                  all(double(of.most)));
  return b.make<arith::TruncFOp>(b.lanesOf(b.ops().getF32Type()), next);
}

Value MembraneEmitter::leakWithSynapseInFixedPoint(Value n, Value v) {
  Value j = leakInFixedPoint(model.fixedSynapse, b.load(synapse, n), current(0, n));
  b.store(j, synapse, n);
  return leakInFixedPoint(model.fixedPoint, v, j);
}

Value MembraneEmitter::leakWithSynapse(Value n, Value v) {
  Value s = multiply(synapseGain.lanesFor(n), current(0, n)), before = b.load(synapse, n);
  Value j = add(before, multiply(subtract(s, before), synapseRate.lanesFor(n)));
  b.store(j, synapse, n);
  if (!model.exactSynapse)
    return leak(n, v, j);
  Value excess = multiply(resistance.lanesFor(n), subtract(before, s));
  return add(leak(n, v, s), multiply(excess, synapseCoupling.lanesFor(n)));
}

Value MembraneEmitter::leakWithReceptors(Value n, Value v) {
  Value g[2], taken[2];
  bool isConductance = model.kind == NeuronKind::CobaLeakyIntegrateAndFire;
  for (size_t r = 0; r < 2; ++r) {
    ReceptorParameters &receptor = receptors[r];
    g[r] = add(b.load(receptor.state, n), current(r, n));
    taken[r] = multiply(g[r], isConductance ? subtract(receptor.reversal.lanesFor(n), v)
                                            : receptor.coupling.lanesFor(n));
    Value left = subtract(g[r], multiply(g[r], receptor.rate.lanesFor(n)));
    b.store(left, receptor.state, n);
  }
  Value rest = subtract(leakTo.lanesFor(n), v);
  if (isConductance)
    return add(v, multiply(add(add(rest, taken[0]), taken[1]), rate.lanesFor(n)));
  return add(add(v, multiply(rest, rate.lanesFor(n))), add(taken[0], taken[1]));
}

} // namespace spindle::lanes
