// Windows without weights; the lanes are channels.
#include "lib/conversion/snn-to-loops/layers/Windows.h"

using namespace mlir;

namespace spindle::snn_to_loops {

/// Loops over channels side by side, with the windows of an image and the elements of a window.
struct PoolingNest {
  LayerNest nest;
  AffineExpr step, neuron;
  Windows::Element input;
};

/// `stepPlace` is the position of the loop over steps among the outer ones.
static PoolingNest poolingNest(const LayerTask &task, const Windows &windows, unsigned stepPlace) {
  Lanes lanes(windows.output[0], task.layer.lanes);
  task.layer.lanes = lanes.lanes;
  PoolingNest made{{task.location(), task.layer.name, {}, {}, lanes.lanes, {}}, {}, {}, {}};
  made.nest.outer = {windows.output[1], windows.output[2], lanes.groups};
  made.nest.outer.insert(made.nest.outer.begin() + stepPlace, task.steps());
  made.nest.taps = {windows.kernel[0], windows.kernel[1]};
  SmallVector<AffineExpr> places;
  for (unsigned loop = 0; loop < 4; ++loop)
    if (loop != stepPlace)
      places.push_back(task.program.body.getAffineDimExpr(loop));
  auto loop = [&](unsigned number) { return task.program.body.getAffineDimExpr(number); };
  AffineExpr channel = lanes.number(places[2], loop(made.nest.lane()));
  made.step = loop(stepPlace);
  made.neuron = windows.numberOf(channel, {places[0], places[1]});
  made.input = windows.at(channel, {places[0], places[1]}, {loop(4), loop(5)});
  made.nest.room = lanes.room(channel);
  return made;
}

llvm::Error emitSumPooling(const LayerTask &task, snn::SumPool2dOp op) {
  Windows windows = windowsOf(op);
  SPINDLE_RETURN_IF_ERROR(checkLanes(task, windows.output[0], "channels"));
  PoolingNest made = poolingNest(task, windows, 0);
  auto term = [&](const NestPoint &point) {
    Value element = readWindow(point, task.program, task.sources[0], made.step, made.input);
    return amount({task.program, point}, task.sources[0], element, task.bits);
  };
  emitNest(task.program, made.nest, task.bits, {}, term, [&](const NestPoint &point, Value sum) {
    task.finish(point, made.step, made.neuron, sum);
  });
  return llvm::Error::success();
}

/// One window after the other, each for all steps: what its inputs have spiked so far is kept for
/// one window at a time, and overlapping windows share nothing.
llvm::Error emitMaxPooling(const LayerTask &task, snn::MaxPool2dOp op) {
  Windows windows = windowsOf(op);
  SPINDLE_RETURN_IF_ERROR(checkLanes(task, windows.output[0], "channels"));
  if (!task.sources[0].isSpikes())
    return layerError(op, "takes the maximum of currents, expected spikes");
  PoolingNest made = poolingNest(task, windows, 3);
  made.nest.combine = Combine::Maximum;
  ProgramBuilder &program = task.program;
  auto loop = [&](unsigned number) { return program.body.getAffineDimExpr(number); };
  AffineExpr lane = loop(made.nest.lane());
  Value counts = program.local(task.layer.name + ".counts",
                               {windows.kernel[0], windows.kernel[1], made.nest.lanes}, task.bits);
  Value most = program.local(task.layer.name + ".most", {made.nest.lanes}, task.bits);
  auto zero = [&](const NestPoint &) { return program.constant(program.integer(task.bits), 0); };
  auto term = [&](const NestPoint &point) {
    IntegerMath math{program, point};
    Value before = point.choose({made.step}, true, zero, [&](const NestPoint &later) {
      return later.load(counts, {loop(4), loop(5), lane});
    });
    Value element = readWindow(point, program, task.sources[0], made.step, made.input);
    Value count = math.add(before, amount(math, task.sources[0], element, task.bits));
    point.store(count, counts, {loop(4), loop(5), lane});
    return count;
  };
  emitNest(program, made.nest, task.bits, {}, term, [&](const NestPoint &point, Value maximum) {
    IntegerMath math{program, point};
    Value before = point.choose({made.step}, true, zero,
                                [&](const NestPoint &later) { return later.load(most, {lane}); });
    point.store(maximum, most, {lane});
    Value one = math.constant(maximum, 1);
    task.finish(point, made.step, made.neuron, math.isAtLeast(math.subtract(maximum, before), one));
  });
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
