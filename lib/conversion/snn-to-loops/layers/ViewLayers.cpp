// Signals in another order, as copies.
#include "lib/conversion/snn-to-loops/layers/Layers.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// The elements of one source after those of the ones before, along the axis.
static void copyPart(const LayerTask &task, size_t source, ArrayRef<int64_t> shape, int64_t axis,
                     int64_t offset, int64_t whole) {
  int64_t blocks = 1, inner = 1;
  for (auto [dimension, extent] : llvm::enumerate(shape))
    (int64_t(dimension) < axis ? blocks : inner) *= extent;
  int64_t perBlock = inner / shape[size_t(axis)]; // elements of a position on the axis
  LayerNest nest{task.location(), task.layer.name, {task.steps(), blocks, inner}, {}, 1, {}};
  auto loop = [&](unsigned number) { return task.program.body.getAffineDimExpr(number); };
  AffineExpr from = loop(1) * inner + loop(2);
  AffineExpr to = loop(1) * (whole * perBlock) + offset * perBlock + loop(2);
  const Signal &signal = task.sources[source];
  emitNest(
      task.program, nest, task.bits, {},
      [&](const NestPoint &point) {
        Value element = point.load(signal.array, {loop(0), from});
        return task.bits == 1 ? element : amount({task.program, point}, signal, element, task.bits);
      },
      [&](const NestPoint &point, Value element) { task.finish(point, loop(0), to, element); });
}

llvm::Error emitConcat(const LayerTask &task, snn::ConcatOp op) {
  auto axis = int64_t(op.getAxis());
  int64_t whole = snn::shapeOf(op.getOutput())[size_t(axis)], offset = 0;
  for (auto [source, input] : llvm::enumerate(op.getInputs())) {
    copyPart(task, source, snn::shapeOf(input), axis, offset, whole);
    offset += snn::shapeOf(input)[size_t(axis)];
  }
  return llvm::Error::success();
}

llvm::Error emitTranspose(const LayerTask &task, snn::TransposeOp op) {
  ArrayRef<int64_t> from = snn::shapeOf(op.getInput()), to = snn::shapeOf(op.getOutput());
  LayerNest nest{task.location(), task.layer.name, {task.steps()}, {}, 1, {}};
  nest.outer.append(to.begin(), to.end());
  auto loop = [&](unsigned number) { return task.program.body.getAffineDimExpr(number); };
  SmallVector<AffineExpr> subscripts(from.size());
  AffineExpr target = task.program.body.getAffineConstantExpr(0), source = target;
  for (unsigned dimension = 0; dimension < to.size(); ++dimension) {
    target = target * to[dimension] + loop(dimension + 1);
    subscripts[size_t(op.getPermutation()[dimension])] = loop(dimension + 1);
  }
  for (auto [subscript, extent] : llvm::zip(subscripts, from))
    source = source * extent + subscript;
  emitNest(
      task.program, nest, task.bits, {},
      [&](const NestPoint &point) {
        return point.load(task.sources[0].array, {loop(0), source});
      },
      [&](const NestPoint &point, Value element) { task.finish(point, loop(0), target, element); });
  return llvm::Error::success();
}

llvm::Error emitDelay(const LayerTask &task, snn::DelayOp op) {
  if (!llvm::all_equal(op.getSteps()))
    return layerError(op, "delays its elements by different numbers of steps, expected one");
  int64_t delay = op.getSteps().front();
  LayerNest nest{
      task.location(), task.layer.name, {task.steps(), snn::sizeOf(op.getOutput())}, {}, 1, {}};
  auto loop = [&](unsigned number) { return task.program.body.getAffineDimExpr(number); };
  SmallVector<AffineExpr> conditions;
  if (delay > 0)
    conditions.push_back(loop(0) - delay);
  emitNest(
      task.program, nest, task.bits, {},
      [&](const NestPoint &point) {
        return point.choose(
            conditions, false,
            [&](const NestPoint &later) {
              return later.load(task.sources[0].array, {loop(0) - delay, loop(1)});
            },
            [&](const NestPoint &) { return task.program.constant(task.sources[0].type(), 0); });
      },
      [&](const NestPoint &point, Value element) {
        task.finish(point, loop(0), loop(1), element);
      });
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
