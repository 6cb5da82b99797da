// Populations: one pass over the membranes, without branches.
#include "lib/emulation/engine/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::engine {

void emitNeurons(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons, Signals signals,
                 size_t membranes) {
  emitReset(b, membranes, neurons, model.initial);
  bool leaky = model.kind == snn::NeuronKind::LeakyIntegrateAndFire;
  const std::vector<float> none{0};
  ElementParameter rate(b, leaky ? model.rate : none), leak(b, leaky ? model.leak : none);
  ElementParameter resistance(b, leaky ? model.resistance : none);
  ElementParameter threshold(b, model.spikes() ? model.threshold : none);
  ElementParameter reset(b, model.spikes() && !model.resetBySubtraction ? model.reset : none);
  Value current = b.view(signals.input, {neurons}), spikes = b.view(signals.output, {neurons});
  Value state = b.view(membranes, {neurons});
  b.loop({neurons}, [&](ValueRange n) {
    Value v = b.load(state, n), drive = b.load(current, n);
    if (leaky) { // ((leak − v) + r·i) · rate
      Value input = b.make<arith::MulFOp>(resistance.lanesFor(n[0]), drive);
      Value decay = b.make<arith::SubFOp>(leak.lanesFor(n[0]), v);
      drive = b.make<arith::MulFOp>(b.make<arith::AddFOp>(decay, input), rate.lanesFor(n[0]));
    }
    v = b.make<arith::AddFOp>(v, drive);
    if (model.spikes()) {
      Value limit = threshold.lanesFor(n[0]);
      Value spike = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGE, v, limit);
      Value after =
          model.resetBySubtraction ? b.make<arith::SubFOp>(v, limit) : reset.lanesFor(n[0]);
      v = b.make<arith::SelectOp>(spike, after, v);
      b.store(b.zeroOrOne(spike), spikes, n);
    }
    b.store(v, state, n);
  });
}

} // namespace spindle::engine
