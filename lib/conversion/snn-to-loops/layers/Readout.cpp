// The answer of the network: what the decoder says after the last step.
#include "lib/conversion/snn-to-loops/layers/Layers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// Counts add up spikes; of first spikes the earliest has the largest value.
llvm::Error emitReadout(const LayerTask &task, snn::DecodeOp op) {
  if (op.getDecoding() == snn::Decoding::Membrane)
    return layerError(op, "reads currents, expected the membranes of snn.fixed_li, or decoding "
                          "count or first_spike");
  bool counts = op.getDecoding() == snn::Decoding::Count;
  int64_t classes = snn::sizeOf(op.getInput()), steps = task.steps();
  Lanes lanes(classes, std::min(task.sources[0].lanes, classes));
  Value answer = task.program.argument({"answer", ArrayRole::Answer, "", {classes}, task.bits});
  LayerNest nest{task.location(), task.layer.name, {lanes.groups}, {steps}, lanes.lanes, {}};
  nest.combine = counts ? Combine::Sum : Combine::Maximum;
  auto loop = [&](unsigned number) { return task.program.body.getAffineDimExpr(number); };
  AffineExpr step = loop(1), neuron = lanes.number(loop(0), loop(2));
  nest.room = lanes.room(neuron);
  auto left = [&](const NestPoint &point) -> Value { // steps from this one on
    auto map = AffineMap::get(unsigned(point.counters.size()), 0, -step + steps);
    Value number =
        affine::AffineApplyOp::create(point.builder, point.location, map, point.counters);
    return arith::IndexCastOp::create(point.builder, point.location,
                                      task.program.integer(task.bits), number);
  };
  auto term = [&](const NestPoint &point) {
    IntegerMath math{task.program, point};
    Value spike = point.load(task.sources[0].array, {step, neuron});
    if (counts)
      return amount(math, task.sources[0], spike, task.bits);
    Value value = left(point);
    return math.select(spike, value, math.constant(value, 0));
  };
  emitNest(task.program, nest, task.bits, {}, term,
           [&](const NestPoint &point, Value sum) { point.store(sum, answer, {neuron}); });
  return llvm::Error::success();
}

llvm::Error emitMembranes(const LayerTask &task, const std::string &population) {
  const Signal &membranes = task.sources[0];
  int64_t classes = cast<MemRefType>(membranes.array.getType()).getShape()[1];
  Value answer =
      task.program.argument({"answer", ArrayRole::Answer, population, {classes}, task.bits});
  LayerNest nest{task.location(), task.layer.name, {classes}, {}, 1, {}};
  AffineExpr neuron = task.program.body.getAffineDimExpr(0);
  AffineExpr last = task.program.body.getAffineConstantExpr(task.steps() - 1);
  emitNest(
      task.program, nest, task.bits, {},
      [&](const NestPoint &point) {
        return point.load(membranes.array, {last, neuron});
      },
      [&](const NestPoint &point, Value membrane) { point.store(membrane, answer, {neuron}); });
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
