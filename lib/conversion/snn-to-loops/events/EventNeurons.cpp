#include "lib/conversion/snn-to-loops/events/EventNeurons.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace spindle::snn_to_loops {

static int64_t ofNeuron(const std::vector<float> &values, size_t neuron) {
  return int64_t(snn::valueAt(values, neuron));
}

llvm::Expected<EventNeurons> EventNeurons::make(ProgramBuilder &program, snn::NeuronOp population,
                                                NeuronGrid grid, std::vector<int64_t> bias,
                                                int64_t most, HardwareLayer &layer) {
  EventNeurons made(program, layer.name, std::move(grid));
  made.model = population.neuronModel();
  const snn::FixedPoint &format = made.model.fixedPoint;
  if (made.model.spikes() && made.model.maxSpikes != 1)
    return layerError(population, fmt::format("may spike {} times in a step, expected max_spikes 1",
                                              made.model.maxSpikes));
  if (llvm::any_of(made.model.refractory, [](int64_t steps) { return steps > 0; }))
    return layerError(population, "has refractory periods, which style event has no form for, "
                                  "expected style clock");
  made.bias = std::move(bias);
  for (int64_t &value : made.bias)
    value *= format.weight;
  made.shift = llvm::Log2_64(uint64_t(format.weight));
  made.membraneBits = bitsFor(format.most);
  made.decayBits = llvm::Log2_64(uint64_t(format.scale));
  layer.membraneBits = made.membraneBits;
  layer.currentBits = bitsFor(most);
  // A membrane, and behind it the sum of a step in any order.
  made.sumBits = bitsFor(format.most + 1 + most * format.weight);
  Location location = population.getLoc();
  made.sums = made.makeArray("sums", made.sumBits);
  made.fill(made.sums, location, [&](size_t neuron) { return made.startOf(neuron); });
  if (made.leaks()) {
    made.products = program.local(layer.name + ".products", {made.grid.lanes},
                                  made.membraneBits + made.decayBits + 1);
    program.separate(made.products, 0);
  }
  return made;
}

/// What the first step of a sample begins with.
int64_t EventNeurons::startOf(size_t neuron) const {
  const snn::FixedPoint &format = model.fixedPoint;
  return ofNeuron(model.initial, neuron) * format.kept / format.scale + bias[neuron];
}

Value EventNeurons::makeArray(const char *what, unsigned bits) {
  Value array = program.local(fmt::format("{}.{}", name, what), {grid.lanes, grid.groups}, bits);
  program.separate(array, 0);
  if (grid.groups == 1)
    program.separate(array, 1);
  return array;
}

bool EventNeurons::isUniform(int64_t lane, const OfNeuron &value) const {
  std::optional<int64_t> common;
  for (int64_t group = 0; group < grid.groups; ++group) {
    int64_t neuron = grid.at(lane, group);
    if (neuron >= 0 && value(size_t(neuron)) != common.value_or(value(size_t(neuron))))
      return false;
    if (neuron >= 0)
      common = value(size_t(neuron));
  }
  return true;
}

/// In all groups side by side, from constants.
void EventNeurons::fill(Value array, Location location, const OfNeuron &value) {
  OpBuilder::InsertionGuard guard(program.body);
  NestPoint point{program.body, location, {}};
  AffineExpr group = program.body.getAffineConstantExpr(0);
  if (grid.groups > 1) {
    auto loop = affine::AffineForOp::create(program.body, location, 0, grid.groups);
    loop->setAttr(kLayerName, program.body.getStringAttr(name));
    program.body.setInsertionPointToStart(loop.getBody());
    point.counters = {loop.getInductionVar()};
    group = point.dimension(0);
  }
  unsigned bits = cast<MemRefType>(array.getType()).getElementTypeBitWidth();
  for (int64_t lane = 0; lane < grid.lanes; ++lane) {
    std::vector<int64_t> values;
    for (int64_t g = 0; g < grid.groups; ++g)
      values.push_back(grid.at(lane, g) < 0 ? 0 : value(size_t(grid.at(lane, g))));
    Value first = program.constant(program.integer(bits), values.front());
    if (!llvm::all_equal(values))
      first = point.load(
          program.constants(fmt::format("{}.first{}", name, lane), {grid.groups}, bits, values),
          {group});
    point.store(first, array, {program.body.getAffineConstantExpr(lane), group});
  }
}

/// A constant where the neurons of the lane share it, else a word of a table.
Value EventNeurons::parameter(const LaneUpdate &lane, const char *what, const OfNeuron &value) {
  if (isUniform(lane.lane, value)) {
    int64_t shared = 0;
    for (int64_t group = 0; group < grid.groups; ++group)
      if (int64_t neuron = grid.at(lane.lane, group); neuron >= 0)
        shared = value(size_t(neuron));
    return lane.math.number(sumBits, shared);
  }
  Value &table = tables[{what, lane.lane}];
  if (!table) {
    std::vector<int64_t> values;
    for (int64_t group = 0; group < grid.groups; ++group)
      values.push_back(grid.at(lane.lane, group) < 0 ? 0
                                                     : value(size_t(grid.at(lane.lane, group))));
    table = program.constants(fmt::format("{}.{}{}", name, what, lane.lane), {grid.groups}, sumBits,
                              values);
  }
  return memref::LoadOp::create(lane.math.point.builder, lane.math.point.location, table,
                                lane.group);
}

/// A lane of the only group by a constant, else by the group, whose bank is known.
Value EventNeurons::load(const LaneUpdate &lane, Value array) const {
  const NestPoint &point = lane.math.point;
  if (grid.groups == 1)
    return point.load(array, {point.builder.getAffineConstantExpr(lane.lane),
                              point.builder.getAffineConstantExpr(0)});
  auto read = memref::LoadOp::create(point.builder, point.location, array,
                                     {program.position(lane.lane), lane.group});
  read->setAttr(hls::HlsDialect::bankName, point.builder.getI64IntegerAttr(lane.lane));
  return read;
}

void EventNeurons::store(const LaneUpdate &lane, Value value, Value array) const {
  const NestPoint &point = lane.math.point;
  if (grid.groups == 1)
    return point.store(
        value, array,
        {point.builder.getAffineConstantExpr(lane.lane), point.builder.getAffineConstantExpr(0)});
  auto write = memref::StoreOp::create(point.builder, point.location, value, array,
                                       {program.position(lane.lane), lane.group});
  write->setAttr(hls::HlsDialect::bankName, point.builder.getI64IntegerAttr(lane.lane));
}

/// Beyond the membrane's bits the sign says which end: no comparison.
Value EventNeurons::saturated(const WordMath &math, Value sum) const {
  int64_t most = model.fixedPoint.most;
  Value fits = math.compare(arith::CmpIPredicate::eq,
                            math.resize(math.resize(sum, membraneBits), sumBits), sum);
  Value isNegative = math.bit(sum, sumBits - 1);
  Value end = math.select(isNegative, math.number(sumBits, -most - 1), math.number(sumBits, most));
  return math.select(fits, sum, end);
}

Value EventNeurons::biasOf(const LaneUpdate &lane) {
  return parameter(lane, "bias", [&](size_t neuron) { return bias[neuron]; });
}

/// What a step begins with: truncate(v · kept / scale) and the bias. The product is that of the
/// iteration before; so neither of the two is long.
Value EventNeurons::start(const LaneUpdate &lane, Value sum) {
  const WordMath &math = lane.math;
  const NestPoint &point = math.point;
  AffineExpr at = point.builder.getAffineConstantExpr(lane.lane);
  Value product = point.load(products, {at});
  Value membrane = math.resize(math.resize(sum, membraneBits), membraneBits + decayBits + 1);
  point.store(math.scale(membrane, model.fixedPoint.kept), products, {at});
  return math.add(math.resize(math.divide(product, decayBits), sumBits), biasOf(lane));
}

/// Without a leak all that can be added at the end of a step goes through the same adder.
Value EventNeurons::sumOfStep(const LaneUpdate &lane, Value sum, Value spike) {
  const WordMath &math = lane.math;
  Value change = biasOf(lane);
  if (spike)
    change = math.select(
        spike,
        parameter(lane, "change",
                  [&](size_t neuron) { return bias[neuron] - ofNeuron(model.threshold, neuron); }),
        change);
  return math.add(math.select(lane.isEnd, saturated(math, sum), sum),
                  math.select(lane.isEnd, change, lane.current));
}

/// The membrane behind spike and reset.
Value EventNeurons::atEnd(const LaneUpdate &lane, Value sum, Value spike, Value threshold) {
  const WordMath &math = lane.math;
  Value membrane = saturated(math, sum);
  if (!spike)
    return membrane;
  Value back = model.resetBySubtraction ? math.subtract(membrane, threshold)
                                        : parameter(lane, "v_reset", [&](size_t neuron) {
                                            return ofNeuron(model.reset, neuron);
                                          });
  return math.select(spike, back, membrane);
}

Value EventNeurons::nextOf(const LaneUpdate &lane, Value sum, Value spike, Value threshold) {
  const WordMath &math = lane.math;
  if (!leaks() && (!spike || model.resetBySubtraction))
    return sumOfStep(lane, sum, spike);
  Value after = atEnd(lane, sum, spike, threshold);
  if (!leaks())
    after = math.add(after, biasOf(lane));
  Value next = math.select(lane.isEnd, after, math.add(sum, lane.current));
  return leaks() ? math.select(lane.isStart, start(lane, sum), next) : next;
}

Value EventNeurons::update(const LaneUpdate &given) {
  const WordMath &math = given.math;
  LaneUpdate lane = given;
  lane.current = math.shiftLeft(math.resize(given.current, sumBits), shift);
  Value sum = load(lane, sums), spike, threshold, found;
  if (spikes()) {
    threshold = parameter(lane, "threshold",
                          [&](size_t neuron) { return ofNeuron(model.threshold, neuron); });
    found = spike = math.isAtLeast(sum, threshold);
  } else {
    found = math.resize(saturated(math, sum), membraneBits);
  }
  Value start = parameter(lane, "start", [&](size_t neuron) { return startOf(neuron); });
  Value next = math.select(lane.isFresh, start, nextOf(lane, sum, spike, threshold));
  if (!lane.isKept) {
    store(lane, next, sums);
    return found;
  }
  math.only(lane.isKept, [&](const NestPoint &inside) {
    WordMath there(program, inside);
    store({there, lane.lane, lane.group, {}, {}, {}, {}, {}}, next, sums);
  });
  return found;
}

} // namespace spindle::snn_to_loops
