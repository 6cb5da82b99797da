#include "lib/emulation/layers/kernels/WriteSpikes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace spindle::layers {

using lanes::kLanes;
using lanes::Number;

/// The number of a vector, as i64.
static Number integerOf(lanes::KernelBuilder &b, mlir::Value index) {
  return {b, b.make<mlir::arith::IndexCastOp>(b.integer(64), index)};
}

MaskWriter::MaskWriter(lanes::KernelBuilder &kernel, size_t maskBuffer)
    : b(kernel), masks(kernel.array(maskBuffer, kernel.integer(kLanes))) {}

void MaskWriter::write(mlir::Value n, mlir::Value spikes) {
  Number some = Number(b, spikes) != 0;
  (masks + integerOf(b, n)).store(some.as(b.integer(kLanes)));
}

EventAppender::EventAppender(lanes::KernelBuilder &kernel, size_t count)
    : b(kernel), elements(int64_t(count)),
      entries(kernel.array(kernel.addLaneBuffer(1),
                           kernel.integer(elements <= UINT16_MAX + 1 ? 16 : 32))),
      end(kernel.array(kernel.addLaneBuffer(1), kernel.integer(64))) {
  end.store(Number(b, b.integer(64), int64_t(0)));
}

void EventAppender::append(mlir::Value n, mlir::Value counts) {
  Number spikes = Number(b, counts) != 0, first = integerOf(b, n) * kLanes;
  if (elements % kLanes != 0) // lanes of the last vector after the last neuron hold none
    spikes = spikes & lanesBefore(first.like(elements) - first);
  Number isSome = spikes.as(b.integer(kLanes)) != 0;
  b.when(isSome.value(), [&] {
    Number neurons = lanes::laneNumbers(b) + first.resized(32), before = end.load();
    int64_t bits = entries.elementType().getIntOrFloatBitWidth();
    (entries + before).store(neurons.compressed(spikes).resized(bits));
    end.store(before + spikes.ones());
  });
}

} // namespace spindle::layers
