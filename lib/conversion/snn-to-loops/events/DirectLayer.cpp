#include "lib/conversion/snn-to-loops/events/DirectLayer.h"

#include "dialects/hls/Hls.h"
#include "dialects/snn/IntegerRange.h"
#include "lib/conversion/snn-to-loops/tensor/TensorChain.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

/// Words run ahead of events: a step has many that are empty.
constexpr int64_t kWordsAhead = 64;

class DirectLayer {
public:
  DirectLayer(ProgramBuilder &builder, snn::FixedLifOp neurons, HardwareLayer &described)
      : program(builder), population(neurons), layer(described), model(neurons.neuronModel()),
        decayBits(llvm::Log2_64(uint64_t(model.fixedPoint.scale))) {}

  llvm::Error prepare(LayerNames &names, snn::EncodeOp encode);
  llvm::Error connect(snn::EncodeOp encode);
  SpikeStreams emit();

private:
  llvm::Error layOut();
  llvm::Error checkParameters();
  SmallVector<Value> takeCurrents(const WordMath &math, Value isFirst);
  Value updateLane(const WordMath &math, int64_t lane, Value current, Value isFirst);
  Value emitPlace(const NestPoint &point, Value isFirst);
  Value integrate(const WordMath &math, Value membrane, Value current);
  /// The counter of places, behind samples and steps.
  static AffineExpr place(const NestPoint &point) { return point.dimension(2); }
  /// A parameter of the neurons: one for each lane, or a table where it differs between places.
  struct ParameterTable {
    std::vector<float> values;
    Value table;
  };
  ParameterTable tableOf(const char *name, const std::vector<float> &values);
  Value parameter(const WordMath &math, const ParameterTable &of, int64_t lane) const;
  int64_t neuronAt(int64_t place, int64_t lane) const {
    return words.first[size_t(place)] + lane * words.stride;
  }

  ProgramBuilder &program;
  snn::FixedLifOp population;
  HardwareLayer &layer;
  snn::NeuronModel model;
  unsigned decayBits;
  SpikeWords words;
  ValueWords ports;
  std::optional<TensorChain> tensors; // that make the currents, if any do
  SmallVector<Value> streams;         // of them
  Value currents, membranes;
  ParameterTable threshold, initial, reset;
};

/// Channels of a place are a word, of the image that tensor layers make even where the neurons are
/// none; without an image neighbours are.
llvm::Error DirectLayer::layOut() {
  ArrayRef<int64_t> shape = snn::shapeOf(population.getOutput());
  if (tensors && tensors->shape().size() == 3)
    shape = tensors->shape();
  bool isImage = shape.size() == 3;
  constexpr int64_t kTokenBits = 64; // of a token: the word and its number
  auto bitsWith = [&](int64_t count) {
    return count + 1 + std::bit_width(uint64_t(layer.neurons / count - 1));
  };
  // Lanes of a tensor kernel are those of its products.
  if (!isImage && (layer.lanes < 1 || (tensors && layer.neurons % layer.lanes != 0)))
    return inputError("", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} "
                                      "neurons ({})",
                                      layer.name, layer.lanes, layer.neurons,
                                      tensors ? "as: tensor" : "style event"));
  int64_t lanes = isImage ? shape[0] : layer.lanes, all = tensors ? layer.lanes : layer.neurons;
  while (!isImage && (program.options.picksLanes || tensors) &&
         (all % lanes != 0 || bitsWith(lanes) > kTokenBits))
    --lanes;
  if (!tensors)
    layer.lanes = lanes;
  if (layer.neurons % lanes != 0 || bitsWith(lanes) > kTokenBits)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} "
                                      "neurons that leaves room for their number in a word of {} "
                                      "bits (style event)",
                                      layer.name, lanes, layer.neurons, kTokenBits));
  words = isImage ? SpikeWords::ofPlaces(lanes, layer.neurons / lanes, lanes)
                  : SpikeWords::ofVector(layer.neurons, lanes);
  return llvm::Error::success();
}

llvm::Error DirectLayer::checkParameters() {
  if (model.maxSpikes != 1)
    return layerError(population, fmt::format("may spike {} times in a step, expected max_spikes 1",
                                              model.maxSpikes));
  if (llvm::any_of(model.refractory, [](int64_t steps) { return steps > 0; }))
    return layerError(population, "has refractory periods, which style event has no form for, "
                                  "expected style clock");
  return llvm::Error::success();
}

llvm::Error DirectLayer::prepare(LayerNames &names, snn::EncodeOp encode) {
  if (layer.kind == LayerKind::Tensor) {
    SPINDLE_ASSIGN(tensors, TensorChain::of(program, names, encode));
  } else {
    SPINDLE_RETURN_IF_ERROR(checkTensorLayers(program.options, *encode->getBlock(), {}));
  }
  SPINDLE_RETURN_IF_ERROR(layOut());
  SPINDLE_RETURN_IF_ERROR(checkParameters());
  FailureOr<snn::IntegerRange> range = snn::integerRange(encode.getOutput());
  if (failed(range))
    return layerError(encode, "is encoded directly by numbers that are not known to be integers, "
                              "expected fixed_point.integers: all");
  layer.currentBits = bitsFor(int64_t(std::max(-range->lowest, range->highest)));
  layer.membraneBits = bitsFor(model.fixedPoint.most);
  ports = ValueWords::of(words, words.perWord, layer.currentBits, layer.name + ".currents",
                         ArrayRole::Currents, layer.name);
  SPINDLE_RETURN_IF_ERROR(connect(encode));
  currents = program.local(layer.name + ".given", {words.perWord, words.groups}, layer.currentBits);
  program.separate(currents, 0);
  membranes =
      program.local(layer.name + ".membranes", {words.perWord, words.groups}, layer.membraneBits);
  program.separate(membranes, 0);
  threshold = tableOf("threshold", model.threshold);
  initial = tableOf("initial_membrane", model.initial);
  if (!model.resetBySubtraction)
    reset = tableOf("v_reset", model.reset);
  return llvm::Error::success();
}

/// Currents come from outside, or from tensor kernels.
llvm::Error DirectLayer::connect(snn::EncodeOp encode) {
  if (tensors) {
    SPINDLE_ASSIGN(streams, tensors->emit(program, words, ports, layer));
    return llvm::Error::success();
  }
  program.given = encode.getInput();
  for (const ValueWords::Part &part : ports.parts)
    streams.push_back(program.streamArgument(part.port));
  return llvm::Error::success();
}

/// saturate(truncate(v · kept / scale) + i · weight)
Value DirectLayer::integrate(const WordMath &math, Value membrane, Value current) {
  const snn::FixedPoint &format = model.fixedPoint;
  Value kept = membrane;
  if (format.kept != format.scale) {
    Value product =
        math.scale(math.resize(membrane, layer.membraneBits + decayBits + 1), format.kept);
    kept = math.resize(math.divide(product, decayBits), layer.membraneBits);
  }
  unsigned shift = llvm::Log2_64(uint64_t(format.weight));
  unsigned bits = std::max(layer.membraneBits, layer.currentBits + shift) + 1;
  Value sum = math.add(math.resize(kept, bits), math.shiftLeft(math.resize(current, bits), shift));
  return math.resize(math.clamp(sum, -format.most - 1, format.most), layer.membraneBits);
}

/// Currents come in the first step, and are kept for the others.
SmallVector<Value> DirectLayer::takeCurrents(const WordMath &math, Value isFirst) {
  const NestPoint &point = math.point;
  SmallVector<Value> found;
  for (auto [part, stream] : llvm::zip(ports.parts, streams)) {
    Value word = math.readIf(isFirst, stream);
    for (int64_t number = 0; number < part.port.perWord; ++number) {
      AffineExpr at = point.builder.getAffineConstantExpr(part.firstLane + number);
      Value fresh =
          math.resize(math.shiftRight(word, number * layer.currentBits), layer.currentBits);
      Value current = math.select(isFirst, fresh, point.load(currents, {at, place(point)}));
      point.store(current, currents, {at, place(point)});
      found.push_back(current);
    }
  }
  return found;
}

DirectLayer::ParameterTable DirectLayer::tableOf(const char *name,
                                                 const std::vector<float> &values) {
  std::vector<int64_t> all;
  bool differs = false;
  for (int64_t lane = 0; lane < words.perWord; ++lane)
    for (int64_t place = 0; place < words.groups; ++place) {
      all.push_back(int64_t(snn::valueAt(values, size_t(neuronAt(place, lane)))));
      differs |= all.back() != all[size_t(lane * words.groups)];
    }
  ParameterTable made{values, {}};
  if (differs) {
    made.table = program.table(layer.name, name, {words.perWord, words.groups}, layer.membraneBits,
                               std::move(all));
    program.separate(made.table, 0);
  }
  return made;
}

Value DirectLayer::parameter(const WordMath &math, const ParameterTable &of, int64_t lane) const {
  if (of.table)
    return math.point.load(of.table,
                           {math.point.builder.getAffineConstantExpr(lane), place(math.point)});
  return math.number(layer.membraneBits,
                     int64_t(snn::valueAt(of.values, size_t(neuronAt(0, lane)))));
}

Value DirectLayer::updateLane(const WordMath &math, int64_t lane, Value current, Value isFirst) {
  const NestPoint &point = math.point;
  AffineExpr at = point.builder.getAffineConstantExpr(lane);
  Value old = math.select(isFirst, parameter(math, initial, lane),
                          point.load(membranes, {at, place(point)}));
  Value next = integrate(math, old, current), most = parameter(math, threshold, lane);
  Value spike = math.isAtLeast(next, most);
  Value back = model.resetBySubtraction ? math.subtract(next, most) : parameter(math, reset, lane);
  point.store(math.select(spike, back, next), membranes, {at, place(point)});
  return spike;
}

/// The spikes of a place.
Value DirectLayer::emitPlace(const NestPoint &point, Value isFirst) {
  WordMath math(program, point);
  SmallVector<Value> given = takeCurrents(math, isFirst), spikes;
  for (int64_t lane = 0; lane < words.perWord; ++lane)
    spikes.push_back(updateLane(math, lane, given[size_t(lane)], isFirst));
  return math.widen(math.joined(spikes), words.bits);
}

SpikeStreams DirectLayer::emit() {
  int64_t steps = program.options.steps;
  Location location = population.getLoc();
  unsigned numberBits = unsigned(std::bit_width(uint64_t(words.groups - 1)));
  SpikeStreams spikes{words,
                      {program.stream(layer.name + ".words", kWordsAhead, words.bits + numberBits)},
                      {},
                      true};
  Value record;
  if (program.options.recordsSpikes)
    record = program.streamArgument(
        words.port(layer.name + ".spikes", ArrayRole::Spikes, layer.name, steps));
  auto emitOne = [&](const NestPoint &point) {
    WordMath math(program, point);
    Value step = point.counters[1], number = point.counters[2];
    auto is = [&](Value counter, int64_t value) {
      return math.compare(arith::CmpIPredicate::eq, counter, program.position(value));
    };
    Value word = emitPlace(point, is(step, 0));
    if (record)
      math.write(word, record);
    Value isLast = is(number, words.groups - 1);
    word = math.either(word, math.select(isLast, math.number(words.bits, words.mark()),
                                         math.number(words.bits, 0)));
    math.only(math.differs(word, 0), [&](const NestPoint &inside) {
      WordMath there(program, inside);
      unsigned bits = words.bits + numberBits;
      Value place = arith::IndexCastOp::create(inside.builder, inside.location,
                                               program.integer(bits), number);
      there.write(there.either(there.shiftLeft(place, words.bits), there.widen(word, bits)),
                  spikes.words[0]);
    });
  };
  emitForSamples(program, location, {steps, words.groups}, emitOne, layer.name);
  return spikes;
}

} // namespace

llvm::Expected<SpikeStreams> emitDirectLayer(ProgramBuilder &program, LayerNames &names,
                                             snn::FixedLifOp population, snn::EncodeOp encode,
                                             HardwareLayer &layer) {
  DirectLayer made(program, population, layer);
  SPINDLE_RETURN_IF_ERROR(made.prepare(names, encode));
  return made.emit();
}

} // namespace spindle::snn_to_loops
