#include "lib/conversion/snn-to-loops/FixedNeurons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::snn_to_loops {

llvm::Expected<FixedNeurons> FixedNeurons::make(ProgramBuilder &program, snn::NeuronOp op,
                                                const std::string &layer, Value outputs) {
  snn::NeuronModel model = op.neuronModel();
  if (model.spikes() && model.maxSpikes != 1)
    return layerError(
        op, fmt::format("may spike {} times in a step, expected max_spikes 1", model.maxSpikes));
  FixedNeurons made(program);
  made.format = model.fixedPoint;
  made.membraneBits = bitsFor(made.format.most);
  made.synapse = model.fixedSynapse;
  made.decayBits = llvm::Log2_64(uint64_t(made.format.scale));
  made.spikes = model.spikes();
  made.subtracts = model.resetBySubtraction;

  int64_t neurons = snn::sizeOf(op->getResult(0));
  made.outputs = outputs;
  made.membranes = program.local(layer + ".membranes", {neurons}, made.membraneBits);
  if (made.synapse.most > 0) {
    made.currents = program.local(layer + ".synaptic", {neurons}, made.membraneBits);
    made.silent = {program.integer(made.membraneBits), 0, {}};
  }
  auto parameter = [&](const char *name, const std::vector<float> &values) {
    return program.parameter(layer, name, made.membraneBits, toIntegers(values));
  };
  made.initial = parameter("initial_membrane", model.initial);
  if (!made.spikes)
    return made;
  made.threshold = parameter("threshold", model.threshold);
  if (!made.subtracts)
    made.reset = parameter("v_reset", model.reset);

  int64_t longest = *std::max_element(model.refractory.begin(), model.refractory.end());
  made.isRefractory = longest > 0;
  if (made.isRefractory) {
    unsigned bits = bitsFor(longest);
    made.rests = program.local(layer + ".refractory", {neurons}, bits);
    made.refractory = program.parameter(layer, "refractory_steps", bits, model.refractory);
    made.rested = {program.integer(bits), 0, {}};
  }
  return made;
}

/// What the neuron remembers: its initial value in the first step.
Value FixedNeurons::state(const NestPoint &point, AffineExpr step, AffineExpr neuron, Value array,
                          const Parameter &first) const {
  return point.choose(
      {step}, true, [&](const NestPoint &start) { return start.at(program, first, neuron); },
      [&](const NestPoint &later) { return later.load(array, {neuron}); });
}

/// saturate(truncate(v · kept / scale) + i · weight)
Value FixedNeurons::integrate(const IntegerMath &math, const snn::FixedPoint &rule, Value membrane,
                              Value current) const {
  Value kept = membrane;
  if (rule.kept != rule.scale) {
    Value product = math.scale(math.resize(membrane, membraneBits + decayBits + 1), rule.kept);
    kept = math.resize(math.divide(product, decayBits), membraneBits);
  }
  unsigned shift = llvm::Log2_64(uint64_t(rule.weight));
  unsigned currentBits = current.getType().getIntOrFloatBitWidth() + shift;
  unsigned bits = std::max(membraneBits, currentBits) + 1;
  Value next =
      math.add(math.resize(kept, bits), math.scale(math.resize(current, bits), rule.weight));
  return math.resize(math.clamp(next, -rule.most - 1, rule.most), membraneBits);
}

void FixedNeurons::step(const NestPoint &point, AffineExpr step, AffineExpr neuron,
                        Value current) const {
  IntegerMath math{program, point};
  Value old = state(point, step, neuron, membranes, initial);
  if (currents) { // which run on, whether the neuron is refractory or not
    Value before = state(point, step, neuron, currents, silent);
    current = integrate(math, synapse, before, current);
    point.store(current, currents, {neuron});
  }
  Value next = integrate(math, format, old, current);
  if (!spikes) {
    point.store(next, membranes, {neuron});
    return point.store(next, outputs, {step, neuron});
  }
  Value limit = point.at(program, threshold, neuron);
  Value spike = math.isAtLeast(next, limit);
  Value back = subtracts ? math.subtract(next, limit) : point.at(program, reset, neuron);
  Value membrane = math.select(spike, back, next);
  if (isRefractory) {
    Value rest = state(point, step, neuron, rests, rested);
    Value one = math.constant(rest, 1);
    Value isResting = math.isAtLeast(rest, one);
    Value after = math.select(spike, point.at(program, refractory, neuron), math.constant(rest, 0));
    point.store(math.select(isResting, math.subtract(rest, one), after), rests, {neuron});
    membrane = math.select(isResting, old, membrane);
    Value never = program.constant(program.integer(1), 0);
    spike = math.select(isResting, never, spike);
  }
  point.store(membrane, membranes, {neuron});
  point.store(spike, outputs, {step, neuron});
}

} // namespace spindle::snn_to_loops
