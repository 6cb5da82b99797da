// Each group of neurons takes up all inputs, some at a time.
#include "lib/conversion/snn-to-loops/layers/Layers.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

llvm::Error emitDense(const LayerTask &task, snn::DenseOp op) {
  int64_t neurons = snn::sizeOf(op.getOutput()), inputs = snn::sizeOf(op.getInput());
  int64_t side = task.layer.inputs;
  SPINDLE_RETURN_IF_ERROR(checkLanes(task, neurons, "neurons"));
  if (side < 1 || side > inputs)
    return inputError("", fmt::format("layer '{}' takes {} inputs at a time, expected 1 to {}",
                                      task.layer.name, side, inputs));
  SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(op, op.getWeight(), "weight"));
  task.layer.weightBits = bitsOf(values);
  Value weights = task.program.table(task.layer.name, "weight", {neurons, inputs},
                                     task.layer.weightBits, std::move(values));
  SPINDLE_ASSIGN(Parameter bias, biasOf(task, op.getBias()));

  Lanes lanes(neurons, task.layer.lanes);
  task.layer.lanes = lanes.lanes;
  LayerNest nest{task.location(), task.layer.name, {}, {}, lanes.lanes, {}};
  nest.outer = {task.steps(), lanes.groups};
  nest.taps = {(inputs + side - 1) / side};
  SmallVector<Value> copies = task.program.copies(task.sources[0].array, (side + 1) / 2);
  auto dimension = [&](unsigned loop) { return task.program.body.getAffineDimExpr(loop); };
  AffineExpr step = dimension(0), neuron = lanes.number(dimension(1), dimension(3));
  nest.room = lanes.room(neuron);
  auto start = [&](const NestPoint &point) { return point.at(task.program, bias, neuron); };
  auto product = [&](const NestPoint &point, Value array, AffineExpr input) {
    Value element = point.load(array, {step, input});
    Value weight = point.load(weights, {neuron, input});
    return weigh({task.program, point}, task.sources[0], element, weight, task.bits);
  };
  auto term = [&](const NestPoint &point) {
    IntegerMath math{task.program, point};
    Value sum;
    for (int64_t n = 0; n < side; ++n) {
      AffineExpr input = dimension(2) * side + n;
      SmallVector<AffineExpr> room;
      if (n >= inputs % side && inputs % side != 0)
        room.push_back(-input + (inputs - 1));
      Value next = point.choose(
          room, false,
          [&](const NestPoint &inside) { return product(inside, copies[size_t(n / 2)], input); },
          [&](const NestPoint &) {
            return task.program.constant(task.program.integer(task.bits), 0);
          });
      sum = sum ? math.add(sum, next) : next;
    }
    return sum;
  };
  emitNest(task.program, nest, task.bits, bias.type ? NestPoint::Make(start) : NestPoint::Make(),
           term, [&](const NestPoint &point, Value sum) { task.finish(point, step, neuron, sum); });
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
