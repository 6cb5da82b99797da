// Populations: one pass over the membranes, without branches.
#include "lib/emulation/lanes/emitters/CrossingCall.h"
#include "lib/emulation/lanes/emitters/MembraneEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::lanes {

namespace {

/// Membrane and number of spikes of a neuron.
struct Fired {
  Value membrane, count;
};

Value select(KernelBuilder &b, Value condition, Value yes, Value no) {
  return b.make<arith::SelectOp>(condition, yes, no);
}

Value compare(KernelBuilder &b, arith::CmpFPredicate predicate, Value x, Value y) {
  return b.make<arith::CmpFOp>(predicate, x, y);
}

/// One spike where the threshold is reached.
Fired fireOnce(KernelBuilder &b, Value v, Value limit, Value reset) {
  Value spike = compare(b, arith::CmpFPredicate::OGE, v, limit);
  Value after = reset ? reset : b.make<arith::SubFOp>(v, limit);
  return {select(b, spike, after, v), b.zeroOrOne(spike)};
}

/// As many spikes as thresholds are reached, at most `most`.
Fired fire(KernelBuilder &b, Value v, Value limit, Value reset, int64_t most) {
  if (most == 1)
    return fireOnce(b, v, limit, reset);
  KernelBuilder::Values last = b.reduce({most}, {v, b.splat(0)}, [&](ValueRange, ValueRange sofar) {
    Fired next = fireOnce(b, sofar[0], limit, reset);
    return KernelBuilder::Values{next.membrane, b.make<arith::AddFOp>(sofar[1], next.count)};
  });
  return {last[0], last[1]};
}

/// Steps that neurons are still refractory; nothing is emitted where none ever is.
class RefractoryPeriod {
public:
  RefractoryPeriod(KernelBuilder &kernel, const snn::NeuronModel &model, int64_t neurons)
      : b(kernel), period(b, {model.refractory.begin(), model.refractory.end()}) {
    if (llvm::all_of(model.refractory, [](int64_t steps) { return steps == 0; }))
      return;
    buffer = b.addLaneBuffer(neurons);
    emitReset(b, *buffer, neurons, {0});
    left = b.view(*buffer, {neurons});
  }

  /// Neurons that rest keep their membrane and make no spike.
  Fired apply(Value n, Value before, Fired fired) {
    if (!buffer)
      return fired;
    Value steps = b.load(left, n);
    Value rests = compare(b, arith::CmpFPredicate::OGT, steps, b.splat(0));
    Value spiked = compare(b, arith::CmpFPredicate::OGT, fired.count, b.splat(0));
    Value awake = select(b, spiked, period.lanesFor(n), steps);
    Value fewer = b.make<arith::SubFOp>(steps, b.splat(1));
    b.store(select(b, rests, fewer, awake), left, n);
    return {select(b, rests, before, fired.membrane), select(b, rests, b.splat(0), fired.count)};
  }

private:
  KernelBuilder &b;
  ElementParameter period;
  std::optional<size_t> buffer;
  Value left;
};

/// Gathers sustained currents until the window starts, rises through it, spikes once.
void emitFirstSpikes(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons,
                     const Signals &signals, Value state) {
  auto addState = [&] {
    size_t buffer = b.addLaneBuffer(neurons);
    emitReset(b, buffer, neurons, {0});
    return b.view(buffer, {neurons});
  };
  Value sustained = addState(), fired = addState();
  ElementParameter threshold(b, model.threshold);
  auto isBefore = [&](int64_t step) {
    Value limit = b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(step));
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, b.stepArgument(), limit);
  };
  Value gathers = isBefore(model.start), runs = isBefore(model.start + model.window);
  Value current = b.view(signals.input(), {neurons}), spikes = b.view(signals.output, {neurons});
  b.loop({neurons}, [&](ValueRange n) {
    Value v = b.load(state, n), before = b.load(sustained, n), already = b.load(fired, n);
    Value j = b.make<arith::AddFOp>(before, b.load(current, n));
    Value gathered = b.make<arith::AddFOp>(v, j), risen = b.make<arith::AddFOp>(v, b.splat(1));
    Value reached = compare(b, arith::CmpFPredicate::OGE, risen, threshold.lanesFor(n[0]));
    Value first = compare(b, arith::CmpFPredicate::OEQ, already, b.splat(0));
    Value meets = b.zeroOrOne(b.make<arith::AndIOp>(reached, first));
    Value none = b.splat(0);
    Value spike = select(b, gathers, none, select(b, runs, meets, none));
    if (signals.put)
      signals.put(n[0], spike);
    else
      b.store(spike, spikes, n);
    b.store(b.make<arith::AddFOp>(already, spike), fired, n);
    b.store(select(b, gathers, j, before), sustained, n);
    b.store(select(b, gathers, gathered, select(b, runs, risen, v)), state, n);
  });
}

/// The rectified membrane, less what was output of it before.
void emitRectifiers(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons,
                    const Signals &signals, Value state, MembraneEmitter &membrane) {
  auto addState = [&] {
    size_t buffer = b.addLaneBuffer(neurons);
    emitReset(b, buffer, neurons, {0});
    return b.view(buffer, {neurons});
  };
  bool isClamped = !model.maximum.empty();
  Value made = addState(), ceiling = isClamped ? addState() : Value();
  ElementParameter maximum(b, model.maximum);
  Value output = b.view(signals.output, {neurons});
  b.loop({neurons}, [&](ValueRange n) {
    Value v = membrane.after(n[0], b.load(state, n)), none = b.splat(0);
    Value rectified = select(b, compare(b, arith::CmpFPredicate::OGT, v, none), v, none);
    if (isClamped) {
      Value most = b.make<arith::AddFOp>(b.load(ceiling, n), maximum.lanesFor(n[0]));
      b.store(most, ceiling, n);
      Value less = compare(b, arith::CmpFPredicate::OLT, rectified, most);
      rectified = select(b, less, rectified, most);
    }
    b.store(b.make<arith::SubFOp>(rectified, b.load(made, n)), output, n);
    b.store(rectified, made, n);
    b.store(v, state, n);
  });
}

} // namespace

void emitNeurons(KernelBuilder &b, snn::NeuronModel neuron, int64_t neurons, const Signals &signals,
                 size_t membranes, NeuronModels &models) {
  models.push_back(std::make_unique<snn::NeuronModel>(std::move(neuron)));
  const snn::NeuronModel &model = *models.back();
  emitReset(b, membranes, neurons, model.initial);
  Value state = b.view(membranes, {neurons});
  if (model.kind == snn::NeuronKind::FirstSpike)
    return emitFirstSpikes(b, model, neurons, signals, state);
  MembraneEmitter membrane(b, model, neurons, signals);
  if (model.kind == snn::NeuronKind::Rectifier)
    return emitRectifiers(b, model, neurons, signals, state, membrane);
  if (model.exactCrossing)
    return emitCrossings(b, model, neurons, signals, membranes, membrane);
  RefractoryPeriod refractory(b, model, neurons);
  ElementParameter threshold(b, model.threshold), reset(b, model.reset);
  Value spikes = b.view(signals.output, {neurons});
  b.loop({neurons}, [&](ValueRange n) {
    Value before = b.load(state, n), after = membrane.after(n[0], before);
    if (model.spikes()) {
      Value resetTo = model.resetBySubtraction ? Value() : reset.lanesFor(n[0]);
      Fired fired = fire(b, after, threshold.lanesFor(n[0]), resetTo, model.maxSpikes);
      fired = refractory.apply(n[0], before, fired);
      if (signals.put)
        signals.put(n[0], fired.count);
      else
        b.store(fired.count, spikes, n);
      after = fired.membrane;
    }
    b.store(after, state, n);
  });
}

} // namespace spindle::lanes
