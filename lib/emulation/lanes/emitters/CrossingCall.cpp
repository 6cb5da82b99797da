#include "lib/emulation/lanes/emitters/CrossingCall.h"

#include "lib/emulation/interpreter/Crossing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::lanes {

static constexpr const char *kFunction = "spindle_find_crossings";

/// For all neurons and samples of a population. `spikes` comes with the membranes after a whole
/// step and goes with the numbers of spikes. Addresses are those of lane buffers, and of the model.
static void findCrossings(int64_t modelAt, int64_t neurons, int64_t currentAt, int64_t membranesAt,
                          int64_t refractoryAt, int64_t spikesAt) {
  auto lanes = [](int64_t address) { return reinterpret_cast<float *>(address); };
  const auto &model = *reinterpret_cast<const snn::NeuronModel *>(modelAt);
  const float *current = lanes(currentAt);
  float *membranes = lanes(membranesAt), *refractory = lanes(refractoryAt);
  float *spikes = lanes(spikesAt);
  for (size_t n = 0; n < size_t(neurons); ++n)
    for (size_t at = n * size_t(kLanes); at < (n + 1) * size_t(kLanes); ++at) {
      if (refractory[at] > 0) {
        refractory[at] -= 1;
        spikes[at] = 0;
        continue;
      }
      int64_t count = interpreter::crossingStep(model, n, current[at], spikes[at], membranes[at]);
      spikes[at] = static_cast<float>(count);
      if (count > 0)
        refractory[at] = static_cast<float>(snn::valueAt(model.refractory, n));
    }
}

void emitCrossings(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons,
                   const Signals &signals, size_t membranes, MembraneEmitter &membrane) {
  size_t refractory = b.addLaneBuffer(neurons);
  emitReset(b, refractory, neurons, {0});
  Value state = b.view(membranes, {neurons}), ends = b.view(signals.output, {neurons});
  b.loop({neurons},
         [&](ValueRange n) { b.store(membrane.after(n[0], b.load(state, n)), ends, n); });
  auto number = [&](int64_t value) {
    return b.make<arith::ConstantOp>(b.ops().getI64IntegerAttr(value));
  };
  b.call(kFunction,
         {number(reinterpret_cast<int64_t>(&model)), number(neurons), b.address(signals.input()),
          b.address(membranes), b.address(refractory), b.address(signals.output)});
}

MachineCode::Callee crossingCallee() {
  return {kFunction, reinterpret_cast<void *>(&findCrossings)};
}

} // namespace spindle::lanes
