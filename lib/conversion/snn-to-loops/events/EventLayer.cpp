// A dense layer that takes events: each adds a row of weights to the sums of all lanes; at the end
// of a step the neurons spike and are reset.
#include "lib/conversion/snn-to-loops/events/Processes.h"
#include "lib/conversion/snn-to-loops/layers/Layers.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

/// A step's spikes are a few words, which the reader takes while the next step is summed up.
static constexpr int64_t kSpikeDepth = 4;

namespace {

/// Rows of weights: of each event those of each group, in words of several lanes; behind the last
/// event a row of zeros.
struct WeightRows {
  int64_t perWord, words; // lanes in a word, words of a group
  unsigned bits, groupBits;
  Value array;
};

class EventLayer {
public:
  EventLayer(ProgramBuilder &builder, snn::DenseOp synapses, snn::FixedLifOp neurons,
             const SpikeWords &sources, HardwareLayer &described)
      : program(builder), dense(synapses), population(neurons), inputs(sources), layer(described) {}

  llvm::Error prepare(int64_t most);
  SpikeStreams emit(Value events);

private:
  /// What is carried: steps that are over, the group in its turn, and the event of all groups.
  enum : unsigned { kStep, kGroup, kEvent };

  llvm::Error checkModel();
  llvm::Error makeWeights();
  llvm::Error takeBias();
  void makeMembranes();
  void makeOutputs();
  Carried next(const NestPoint &point, ValueRange carried, Value events);
  Value updateLane(const WordMath &math, int64_t lane, Value group, Value isEnd, Value weight);
  Value saturated(const WordMath &math, Value sum);
  Value decayed(const WordMath &math, Value membrane);
  Value load(const WordMath &math, int64_t lane, Value group);
  void store(const WordMath &math, Value value, int64_t lane, Value group);
  void send(const WordMath &math, ArrayRef<Value> spikes, Value step, Value group,
            Value isLastGroup);

  int64_t startOf(int64_t neuron) const;
  int64_t kept(int64_t membrane) const;
  static int64_t ofNeuron(const std::vector<float> &values, int64_t neuron) {
    return int64_t(values.size() == 1 ? values[0] : values[size_t(neuron)]);
  }

  ProgramBuilder &program;
  snn::DenseOp dense;
  snn::FixedLifOp population;
  const SpikeWords &inputs;
  HardwareLayer &layer;
  snn::NeuronModel model;
  SpikeWords layout;
  std::vector<int64_t> bias; // times the weight of a current
  WeightRows rows{};
  unsigned sumBits = 0, shift = 0;
  Value sums;
  SmallVector<Value> words, records;
};

llvm::Error EventLayer::checkModel() {
  if (model.maxSpikes != 1)
    return layerError(population, fmt::format("may spike {} times in a step, expected max_spikes 1",
                                              model.maxSpikes));
  if (llvm::any_of(model.refractory, [](int64_t steps) { return steps > 0; }))
    return layerError(population, "has refractory periods, which style event has no form for, "
                                  "expected style clock");
  if (layer.lanes < 1 || layer.lanes > layer.neurons || layer.neurons % layer.lanes != 0)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} "
                                      "neurons (style event)",
                                      layer.name, layer.lanes, layer.neurons));
  bool isUniform = llvm::all_equal(model.threshold) && llvm::all_equal(model.initial) &&
                   llvm::all_equal(model.reset) && llvm::all_equal(bias);
  if (layer.lanes < layer.neurons && !isUniform)
    return layerError(population,
                      fmt::format("has parameters or biases that differ between neurons, for which "
                                  "style event expects a lane for each of its {} neurons",
                                  layer.neurons));
  return llvm::Error::success();
}

llvm::Error EventLayer::takeBias() {
  bias.assign(size_t(layer.neurons), 0);
  if (!dense.getBias())
    return llvm::Error::success();
  SPINDLE_ASSIGN(bias, integersOf(dense, dense.getBias(), "bias"));
  for (int64_t &value : bias)
    value *= model.fixedPoint.weight;
  return llvm::Error::success();
}

llvm::Error EventLayer::prepare(int64_t most) {
  model = population.neuronModel();
  SPINDLE_RETURN_IF_ERROR(takeBias());
  SPINDLE_RETURN_IF_ERROR(checkModel());
  shift = llvm::Log2_64(uint64_t(model.fixedPoint.weight));
  layer.membraneBits = unsigned(population.getMembraneBits());
  layer.currentBits = bitsFor(most);
  // A membrane, and behind it the sum of a step in any order.
  sumBits = bitsFor(model.fixedPoint.most + 1 + most * model.fixedPoint.weight);
  layout = SpikeWords::ofNeurons(layer.neurons, layer.lanes);
  SPINDLE_RETURN_IF_ERROR(makeWeights());
  makeMembranes();
  makeOutputs();
  return llvm::Error::success();
}

llvm::Error EventLayer::makeWeights() {
  SPINDLE_ASSIGN(std::vector<int64_t> weights, integersOf(dense, dense.getWeight(), "weight"));
  layer.weightBits = bitsOf(weights);
  rows.perWord = std::min<int64_t>(64 / layer.weightBits, layout.lanes);
  rows.words = (layout.lanes + rows.perWord - 1) / rows.perWord;
  rows.bits = unsigned(rows.perWord) * layer.weightBits;
  rows.groupBits = unsigned(std::bit_width(uint64_t(layout.groups - 1)));
  int64_t count = (inputs.end() + 1) << rows.groupBits;
  std::vector<int64_t> packed(size_t(count * rows.words), 0);
  uint64_t mask = (uint64_t(1) << layer.weightBits) - 1;
  for (int64_t neuron = 0; neuron < layer.neurons; ++neuron) {
    int64_t group = neuron / layout.lanes, lane = neuron % layout.lanes;
    int64_t word = lane / rows.perWord, at = lane % rows.perWord * layer.weightBits;
    for (int64_t input = 0; input < inputs.elements; ++input) {
      auto weight = uint64_t(weights[size_t(neuron * inputs.elements + input)]) & mask;
      int64_t &into = packed[size_t(((input << rows.groupBits) + group) * rows.words + word)];
      into = int64_t(uint64_t(into) | weight << at);
    }
  }
  rows.array = program.table(layer.name, "rows", {count, rows.words}, rows.bits, std::move(packed));
  program.separate(rows.array, 1);
  return llvm::Error::success();
}

/// What the first event of a step is added to: the decayed membrane and the bias.
int64_t EventLayer::kept(int64_t membrane) const {
  return membrane * model.fixedPoint.kept / model.fixedPoint.scale;
}
int64_t EventLayer::startOf(int64_t neuron) const {
  return kept(ofNeuron(model.initial, neuron)) + bias[size_t(neuron)];
}

void EventLayer::makeMembranes() {
  sums = program.local(layer.name + ".sums", {layout.lanes, layout.groups}, sumBits);
  program.separate(sums, 0);
  if (layout.groups == 1)
    program.separate(sums, 1);
  Location location = population.getLoc();
  OpBuilder::InsertionGuard guard(program.body);
  NestPoint point{program.body, location, {}};
  if (layout.groups > 1) {
    auto loop = affine::AffineForOp::create(program.body, location, 0, layout.groups);
    program.body.setInsertionPointToStart(loop.getBody());
    point.counters = {loop.getInductionVar()};
  }
  for (int64_t lane = 0; lane < layout.lanes; ++lane) {
    AffineExpr group =
        layout.groups > 1 ? point.dimension(0) : program.body.getAffineConstantExpr(0);
    point.store(program.constant(program.integer(sumBits), startOf(lane)), sums,
                {program.body.getAffineConstantExpr(lane), group});
  }
}

void EventLayer::makeOutputs() {
  for (int64_t stream = 0; stream < layout.streams; ++stream) {
    std::string number = layout.streams == 1 ? "" : std::to_string(stream);
    words.push_back(program.stream(layer.name + ".words" + number, kSpikeDepth, layout.bits));
    if (program.options.recordsSpikes)
      records.push_back(
          program.argument(layout.port(layer.name + ".spikes" + number, ArrayRole::Spikes,
                                       layer.name, program.options.steps, stream)));
  }
}

/// A lane of the only group by a constant, else by the group, whose bank is known.
Value EventLayer::load(const WordMath &math, int64_t lane, Value group) {
  const NestPoint &point = math.point;
  if (layout.groups == 1)
    return point.load(
        sums, {point.builder.getAffineConstantExpr(lane), point.builder.getAffineConstantExpr(0)});
  auto read = memref::LoadOp::create(point.builder, point.location, sums,
                                     {program.position(lane), math.index(group)});
  read->setAttr(hls::HlsDialect::bankName, point.builder.getI64IntegerAttr(lane));
  return read;
}

void EventLayer::store(const WordMath &math, Value value, int64_t lane, Value group) {
  const NestPoint &point = math.point;
  if (layout.groups == 1)
    return point.store(
        value, sums,
        {point.builder.getAffineConstantExpr(lane), point.builder.getAffineConstantExpr(0)});
  auto write = memref::StoreOp::create(point.builder, point.location, value, sums,
                                       {program.position(lane), math.index(group)});
  write->setAttr(hls::HlsDialect::bankName, point.builder.getI64IntegerAttr(lane));
}

/// Beyond the membrane's bits the sign says which end: no comparison.
Value EventLayer::saturated(const WordMath &math, Value sum) {
  int64_t most = model.fixedPoint.most;
  bool isWhole = most == (int64_t(1) << (layer.membraneBits - 1)) - 1;
  if (!isWhole)
    return math.clamp(sum, -most - 1, most);
  Value fits = math.compare(arith::CmpIPredicate::eq,
                            math.resize(math.resize(sum, layer.membraneBits), sumBits), sum);
  Value isNegative = math.bit(sum, sumBits - 1);
  Value end = math.select(isNegative, math.number(sumBits, -most - 1), math.number(sumBits, most));
  return math.select(fits, sum, end);
}

/// truncate(v · kept / scale)
Value EventLayer::decayed(const WordMath &math, Value membrane) {
  auto decayBits = unsigned(population.getDecayBits());
  if (model.fixedPoint.kept == model.fixedPoint.scale)
    return membrane;
  Value product = math.scale(math.resize(membrane, sumBits + decayBits + 1), model.fixedPoint.kept);
  return math.resize(math.divide(product, decayBits), sumBits);
}

/// Adds the weight, or, at the end of a step, spikes and begins the next one. What is added then
/// goes through the same adder. Returns the spike.
Value EventLayer::updateLane(const WordMath &math, int64_t lane, Value group, Value isEnd,
                             Value weight) {
  Value sum = load(math, lane, group);
  int64_t threshold = ofNeuron(model.threshold, lane), added = bias[size_t(lane)];
  Value spike = math.isAtLeast(sum, math.number(sumBits, threshold));
  Value membrane = saturated(math, sum);
  Value current = math.shiftLeft(math.resize(weight, sumBits), shift);
  bool isSum = model.resetBySubtraction && model.fixedPoint.kept == model.fixedPoint.scale;
  Value next;
  if (isSum) {
    Value change =
        math.select(spike, math.number(sumBits, added - threshold), math.number(sumBits, added));
    next = math.add(math.select(isEnd, membrane, sum), math.select(isEnd, change, current));
  } else {
    Value after = model.resetBySubtraction
                      ? math.subtract(membrane, math.number(sumBits, threshold))
                      : math.number(sumBits, ofNeuron(model.reset, lane));
    Value begin = decayed(math, math.select(spike, after, membrane));
    next = math.select(isEnd, math.add(begin, math.number(sumBits, added)), math.add(sum, current));
  }
  store(math, next, lane, group);
  return spike;
}

/// The spikes of a group as words, which are also recorded; on the last one the end of the step.
void EventLayer::send(const WordMath &math, ArrayRef<Value> spikes, Value step, Value group,
                      Value isLastGroup) {
  for (int64_t stream = 0; stream < layout.streams; ++stream) {
    Value word = math.number(layout.bits, 0);
    for (int64_t bit = 0; bit < layout.inWord(stream); ++bit)
      word = math.either(
          word,
          math.shiftLeft(math.widen(spikes[size_t(stream * layout.bits + bit)], layout.bits), bit));
    Value none = math.number(layout.bits, 0), mark = math.number(layout.bits, layout.mark());
    if (isLastGroup)
      mark = math.select(isLastGroup, mark, none);
    bool isLast = stream + 1 == layout.streams;
    math.write(isLast ? math.either(word, mark) : word, words[size_t(stream)]);
    if (records.empty())
      continue;
    Value at = layout.groups == 1 ? program.position(0) : math.index(group);
    memref::StoreOp::create(math.point.builder, math.point.location, word, records[size_t(stream)],
                            {math.index(step), at});
  }
}

Carried EventLayer::next(const NestPoint &point, ValueRange carried, Value events) {
  WordMath math(program, point);
  Value step = carried[kStep], group, event, isLastGroup;
  if (layout.groups == 1) {
    event = hls::ReadOp::create(point.builder, point.location, program.integer(inputs.eventBits()),
                                events);
  } else {
    group = carried[kGroup];
    Value isFirst = math.equals(group, 0);
    event = math.select(isFirst, math.readIf(isFirst, events), carried[kEvent]);
    isLastGroup = math.equals(group, layout.groups - 1);
  }
  Value isEnd = math.equals(event, inputs.end());
  unsigned rowBits = inputs.eventBits() + rows.groupBits;
  Value row = math.shiftLeft(math.widen(event, rowBits), rows.groupBits);
  if (group)
    row = math.either(row, math.widen(group, rowBits));
  Value rowIndex = math.index(row);
  SmallVector<Value> spikes;
  Value word;
  for (int64_t lane = 0; lane < layout.lanes; ++lane) {
    int64_t at = lane % rows.perWord;
    if (at == 0) {
      auto load = memref::LoadOp::create(point.builder, point.location, rows.array,
                                         {rowIndex, program.position(lane / rows.perWord)});
      load->setAttr(hls::HlsDialect::bankName,
                    point.builder.getI64IntegerAttr(lane / rows.perWord));
      word = load;
    }
    Value weight = math.resize(math.shiftRight(word, at * layer.weightBits), layer.weightBits);
    spikes.push_back(updateLane(math, lane, group, isEnd, weight));
  }
  math.only(isEnd, [&](const NestPoint &inside) {
    send(WordMath(program, inside), spikes, step, group, isLastGroup);
  });
  Value isOver = group ? math.both(isEnd, isLastGroup) : isEnd;
  Carried made{math.select(isOver, math.add(step, math.constant(step, 1)), step)};
  if (group) {
    made.push_back(math.select(isLastGroup, math.constant(group, 0),
                               math.add(group, math.constant(group, 1))));
    made.push_back(event);
  }
  return made;
}

SpikeStreams EventLayer::emit(Value events) {
  int64_t steps = program.options.steps;
  auto zero = [&](unsigned bits) { return program.constant(program.integer(bits), 0); };
  Carried first{zero(std::bit_width(uint64_t(steps)))};
  if (layout.groups > 1) {
    first.push_back(zero(rows.groupBits));
    first.push_back(zero(inputs.eventBits()));
  }
  emitWhile(
      program, population.getLoc(), first,
      [&](const NestPoint &point, ValueRange carried) {
        return WordMath(program, point).differs(carried[kStep], steps);
      },
      [&](const NestPoint &point, ValueRange carried) { return next(point, carried, events); });
  return {layout, words};
}

} // namespace

llvm::Expected<SpikeStreams> emitEventLayer(ProgramBuilder &program, snn::DenseOp weights,
                                            snn::FixedLifOp population, const SpikeWords &inputs,
                                            Value events, int64_t most, HardwareLayer &layer) {
  EventLayer made(program, weights, population, inputs, layer);
  SPINDLE_RETURN_IF_ERROR(made.prepare(most));
  return made.emit(events);
}

} // namespace spindle::snn_to_loops
