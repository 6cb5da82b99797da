#include "lib/conversion/snn-to-loops/events/EventNeurons.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <bit>
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
  const snn::FixedPoint &format =
      made.hasCurrent() ? made.model.fixedSynapse : made.model.fixedPoint;
  if (made.model.spikes() && made.model.maxSpikes != 1)
    return layerError(population, fmt::format("may spike {} times in a step, expected max_spikes 1",
                                              made.model.maxSpikes));
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
  if (made.hasCurrent()) // a membrane and a current
    made.sumBits = std::max(made.sumBits, bitsFor(2 * (format.most + 1)));
  Location location = population.getLoc();
  int64_t longest = 0; // period
  for (size_t neuron = 0; made.model.spikes() && neuron < made.model.refractory.size(); ++neuron)
    longest = std::max(longest, made.periodOf(neuron));
  made.restBits = unsigned(std::bit_width(uint64_t(longest)));
  if (made.restBits > 0) {
    made.resting = made.makeArray("refractory", made.restBits);
    made.fill(made.resting, "period", location, [](size_t) { return 0; });
  }
  made.sums = made.makeArray("sums", made.sumBits);
  made.fill(made.sums, "first", location, [&](size_t neuron) { return made.startOf(neuron); });
  if (made.leaks()) {
    made.products = program.local(layer.name + ".products", {made.grid.lanes},
                                  made.membraneBits + made.decayBits + 1);
    program.separate(made.products, 0);
  }
  if (made.hasCurrent()) {
    made.membranes = made.makeArray("membranes", made.membraneBits);
    made.fill(made.membranes, "membrane", location,
              [&](size_t neuron) { return made.firstMembrane(neuron); });
    made.membraneProducts = program.local(layer.name + ".membrane_products", {made.grid.lanes},
                                          made.membraneBits + made.decayBits + 1);
    program.separate(made.membraneProducts, 0);
  }
  return made;
}

/// What the first step of a sample begins with.
int64_t EventNeurons::startOf(size_t neuron) const {
  return hasCurrent() ? bias[neuron] : firstMembrane(neuron) + bias[neuron];
}

/// With its first leak.
int64_t EventNeurons::firstMembrane(size_t neuron) const {
  const snn::FixedPoint &format = model.fixedPoint;
  return ofNeuron(model.initial, neuron) * format.kept / format.scale;
}

/// In steps; a sample has no more.
int64_t EventNeurons::periodOf(size_t neuron) const {
  return std::min(snn::valueAt(model.refractory, neuron), program.options.steps);
}

/// A neuron that is refractory takes up no bias.
int64_t EventNeurons::biasBehindSpike(size_t neuron) const {
  return periodOf(neuron) > 0 ? 0 : bias[neuron];
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
void EventNeurons::fill(Value array, const char *what, Location location, const OfNeuron &value) {
  OpBuilder::InsertionGuard guard(program.body);
  program.leaveSamples();
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
          program.constants(fmt::format("{}.{}{}", name, what, lane), {grid.groups}, bits, values),
          {group});
    point.store(first, array, {program.body.getAffineConstantExpr(lane), group});
  }
}

/// A constant where the neurons of the lane share it, else a word of a table.
Value EventNeurons::parameter(const LaneUpdate &lane, const char *what, const OfNeuron &value,
                              unsigned bits) {
  bits = bits == 0 ? sumBits : bits;
  if (isUniform(lane.lane, value)) {
    int64_t shared = 0;
    for (int64_t group = 0; group < grid.groups; ++group)
      if (int64_t neuron = grid.at(lane.lane, group); neuron >= 0)
        shared = value(size_t(neuron));
    return lane.math.number(bits, shared);
  }
  Value &table = tables[{what, lane.lane}];
  if (!table) {
    std::vector<int64_t> values;
    for (int64_t group = 0; group < grid.groups; ++group)
      values.push_back(grid.at(lane.lane, group) < 0 ? 0
                                                     : value(size_t(grid.at(lane.lane, group))));
    table = program.constants(fmt::format("{}.{}{}", name, what, lane.lane), {grid.groups}, bits,
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

/// Whether some neuron of the lane is ever refractory.
bool EventNeurons::rests(int64_t lane) const {
  if (restBits == 0)
    return false;
  for (int64_t group = 0; group < grid.groups; ++group)
    if (int64_t neuron = grid.at(lane, group); neuron >= 0 && periodOf(size_t(neuron)) > 0)
      return true;
  return false;
}

/// truncate(value · factor / scale) of the value in the iteration before.
Value EventNeurons::kept(const LaneUpdate &lane, Value value, Value array, int64_t factor) {
  const WordMath &math = lane.math;
  const NestPoint &point = math.point;
  AffineExpr at = point.builder.getAffineConstantExpr(lane.lane);
  Value product = point.load(array, {at});
  Value wide = math.resize(math.resize(value, membraneBits), membraneBits + decayBits + 1);
  point.store(math.scale(wide, factor), array, {at});
  return math.divide(product, decayBits);
}

/// What a step begins with: truncate(v · kept / scale) and the bias. The product is that of the
/// iteration before; so neither of the two is long.
Value EventNeurons::start(const LaneUpdate &lane, Value sum) {
  const WordMath &math = lane.math;
  Value left = kept(lane, sum, products, model.fixedPoint.kept);
  Value next = math.add(math.resize(left, sumBits), biasOf(lane));
  return lane.rest ? math.select(lane.isResting, sum, next) : next;
}

/// The steps for which neurons of the lane are still refractory; while there are some, currents are
/// nothing to them.
void EventNeurons::takeRest(LaneUpdate &lane) {
  if (!rests(lane.lane))
    return;
  const WordMath &math = lane.math;
  lane.rest = load(lane, resting);
  lane.isResting = math.differs(lane.rest, 0);
  lane.current = math.select(lane.isResting, math.number(sumBits, 0), lane.current);
}

/// A period begins behind a spike, and is a step shorter behind each other step.
Value EventNeurons::restAfter(const LaneUpdate &lane, Value spike) {
  const WordMath &math = lane.math;
  Value none = math.number(restBits, 0);
  Value period = parameter(
      lane, "refractory_steps", [&](size_t neuron) { return periodOf(neuron); }, restBits);
  Value shorter = math.subtract(lane.rest, math.number(restBits, 1));
  Value after = math.select(lane.isResting, shorter, math.select(spike, period, none));
  return math.select(lane.isFresh, none, math.select(lane.isEnd, after, lane.rest));
}

/// The bias of the step behind this one, which is nothing to a neuron that rests in it: `spike`
/// begins its period.
Value EventNeurons::biasBehind(const LaneUpdate &lane, Value spike) {
  if (!lane.rest)
    return biasOf(lane);
  const WordMath &math = lane.math;
  Value isOver = math.compare(arith::CmpIPredicate::ult, lane.rest, math.number(restBits, 2));
  if (restBits == 1)
    isOver = math.number(1, 1);
  Value other = math.select(isOver, biasOf(lane), math.number(sumBits, 0));
  return spike ? math.select(spike,
                             parameter(lane, "bias_behind_spike",
                                       [&](size_t neuron) { return biasBehindSpike(neuron); }),
                             other)
               : other;
}

/// Without a leak all that can be added at the end of a step goes through the same adder.
Value EventNeurons::sumOfStep(const LaneUpdate &lane, Value sum, Value spike) {
  const WordMath &math = lane.math;
  Value change = biasBehind(lane, {});
  if (spike)
    change =
        math.select(spike,
                    parameter(lane, "change",
                              [&](size_t neuron) {
                                return biasBehindSpike(neuron) - ofNeuron(model.threshold, neuron);
                              }),
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
    after = math.add(after, biasBehind(lane, spike));
  Value next = math.select(lane.isEnd, after, math.add(sum, lane.current));
  return leaks() ? math.select(lane.isStart, start(lane, sum), next) : next;
}

Value EventNeurons::update(const LaneUpdate &given) {
  const WordMath &math = given.math;
  LaneUpdate lane = given;
  lane.current = math.shiftLeft(math.resize(given.current, sumBits), shift);
  if (hasCurrent())
    return updateCurrent(lane);
  takeRest(lane);
  Value sum = load(lane, sums), spike, threshold, found, rest;
  if (spikes()) {
    threshold = parameter(lane, "threshold",
                          [&](size_t neuron) { return ofNeuron(model.threshold, neuron); });
    spike = math.isAtLeast(sum, threshold);
    if (lane.rest) {
      spike = math.both(spike, math.equals(lane.rest, 0));
      rest = restAfter(lane, spike);
    }
    found = spike;
  } else {
    found = math.resize(saturated(math, sum), membraneBits);
  }
  Value start = parameter(lane, "start", [&](size_t neuron) { return startOf(neuron); });
  Value next = math.select(lane.isFresh, start, nextOf(lane, sum, spike, threshold));
  keep(lane, next, rest);
  return found;
}

void EventNeurons::keep(const LaneUpdate &lane, Value sum, Value rest, Value membrane) {
  auto storeBoth = [&](const LaneUpdate &at) {
    store(at, sum, sums);
    if (rest)
      store(at, rest, resting);
    if (membrane)
      store(at, membrane, membranes);
  };
  if (!lane.isKept)
    return storeBoth(lane);
  lane.math.only(lane.isKept, [&](const NestPoint &inside) {
    WordMath there(program, inside);
    storeBoth({there, lane.lane, lane.group, {}, {}, {}, {}, {}});
  });
}

} // namespace spindle::snn_to_loops
