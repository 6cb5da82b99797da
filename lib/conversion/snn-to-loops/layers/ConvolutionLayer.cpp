// One place of the image after the other; the lanes are filters of one group.
#include "lib/conversion/snn-to-loops/layers/Windows.h"

using namespace mlir;

namespace spindle::snn_to_loops {

llvm::Error emitConvolution(const LayerTask &task, snn::Conv2dOp op) {
  ArrayRef<int64_t> shape = snn::shapeOf(op.getWeight()); // filters, channels, rows, columns
  auto groups = int64_t(op.getGroups());
  int64_t filters = shape[0] / groups;
  SPINDLE_RETURN_IF_ERROR(checkLanes(task, filters, groups > 1 ? "filters of a group" : "filters"));
  SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(op, op.getWeight(), "weight"));
  task.layer.weightBits = bitsOf(values);
  Value weights = task.program.table(task.layer.name, "weight", shape.vec(), task.layer.weightBits,
                                     std::move(values));
  SPINDLE_ASSIGN(Parameter bias, biasOf(task, op.getBias()));

  Windows windows{snn::shapeOf(op.getInput()),
                  snn::shapeOf(op.getOutput()),
                  {shape[2], shape[3]},
                  {op.getStrides()[0], op.getStrides()[1]},
                  {op.getDilations()[0], op.getDilations()[1]},
                  op.getPadding()};
  Lanes lanes(filters, task.layer.lanes);
  task.layer.lanes = lanes.lanes;
  LayerNest nest{task.location(), task.layer.name, {}, {}, lanes.lanes, {}};
  nest.outer = {task.steps(), windows.output[1], windows.output[2], groups, lanes.groups};
  nest.taps = {shape[1], shape[2], shape[3]};
  auto loop = [&](unsigned number) { return task.program.body.getAffineDimExpr(number); };
  AffineExpr step = loop(0), group = loop(3), inGroup = lanes.number(loop(4), loop(nest.lane()));
  AffineExpr filter = group * filters + inGroup;
  AffineExpr neuron = windows.numberOf(filter, {loop(1), loop(2)});
  Windows::Element input =
      windows.at(group * shape[1] + loop(5), {loop(1), loop(2)}, {loop(6), loop(7)});
  nest.room = lanes.room(inGroup);
  auto start = [&](const NestPoint &point) { return point.at(task.program, bias, filter); };
  auto term = [&](const NestPoint &point) {
    Value element = readWindow(point, task.program, task.sources[0], step, input);
    Value weight = point.load(weights, {filter, loop(5), loop(6), loop(7)});
    return weigh({task.program, point}, task.sources[0], element, weight, task.bits);
  };
  emitNest(task.program, nest, task.bits, bias.type ? NestPoint::Make(start) : NestPoint::Make(),
           term, [&](const NestPoint &point, Value sum) { task.finish(point, step, neuron, sum); });
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
