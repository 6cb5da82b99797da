// Layers whose outputs read one element of each source.
#include "lib/conversion/snn-to-loops/layers/Layers.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// `term` computes an element from its number and step.
static llvm::Error
emitEach(const LayerTask &task, int64_t elements,
         llvm::function_ref<Value(const NestPoint &, AffineExpr step, AffineExpr element)> term) {
  SPINDLE_RETURN_IF_ERROR(checkLanes(task, elements, "neurons"));
  Lanes lanes(elements, task.layer.lanes);
  task.layer.lanes = lanes.lanes;
  LayerNest nest{task.location(), task.layer.name, {}, {}, lanes.lanes, {}};
  nest.outer = {task.steps(), lanes.groups};
  auto dimension = [&](unsigned loop) { return task.program.body.getAffineDimExpr(loop); };
  AffineExpr step = dimension(0), element = lanes.number(dimension(1), dimension(2));
  nest.room = lanes.room(element);
  emitNest(
      task.program, nest, task.bits, {},
      [&](const NestPoint &point) { return term(point, step, element); },
      [&](const NestPoint &point, Value sum) { task.finish(point, step, element, sum); });
  return llvm::Error::success();
}

static Value read(const LayerTask &task, const NestPoint &point, size_t source, AffineExpr step,
                  AffineExpr element) {
  const Signal &signal = task.sources[source];
  return amount({task.program, point}, signal, point.load(signal.array, {step, element}),
                task.bits);
}

llvm::Error emitElements(const LayerTask &task, Operation *op) {
  return emitEach(task, snn::sizeOf(op->getResult(0)),
                  [&](const NestPoint &point, AffineExpr step, AffineExpr element) {
                    return read(task, point, 0, step, element);
                  });
}

llvm::Error emitAdd(const LayerTask &task, snn::AddOp op) {
  return emitEach(task, snn::sizeOf(op.getOutput()),
                  [&](const NestPoint &point, AffineExpr step, AffineExpr element) {
                    Value left = read(task, point, 0, step, element);
                    Value right = read(task, point, 1, step, element);
                    return IntegerMath{task.program, point}.add(left, right);
                  });
}

/// One value per element, of one per channel or element.
static std::vector<int64_t> spread(const std::vector<int64_t> &values, int64_t elements) {
  std::vector<int64_t> all;
  for (int64_t element = 0; element < elements; ++element)
    all.push_back(values[size_t(element * int64_t(values.size()) / elements)]);
  return all;
}

llvm::Error emitScale(const LayerTask &task, snn::ScaleOp op) {
  int64_t elements = snn::sizeOf(op.getOutput());
  SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(op, op.getFactor(), "factor"));
  task.layer.weightBits = bitsOf(values);
  Parameter factor = task.program.parameter(task.layer.name, "factor", task.layer.weightBits,
                                            spread(values, elements));
  Parameter bias{task.program.integer(task.bits), 0, {}};
  if (op.getBias()) {
    SPINDLE_ASSIGN(values, integersOf(op, op.getBias(), "bias"));
    bias = task.program.parameter(task.layer.name, "bias", task.bits, spread(values, elements));
  }
  return emitEach(task, elements, [&](const NestPoint &point, AffineExpr step, AffineExpr element) {
    IntegerMath math{task.program, point};
    Value input = point.load(task.sources[0].array, {step, element});
    Value product =
        weigh(math, task.sources[0], input, point.at(task.program, factor, element), task.bits);
    return math.add(product, point.at(task.program, bias, element));
  });
}

} // namespace spindle::snn_to_loops
