#include "lib/conversion/snn-to-loops/events/encoders/DirectLayer.h"

#include "dialects/hls/Hls.h"
#include "dialects/snn/IntegerRange.h"
#include "lib/conversion/snn-to-loops/events/encoders/PlaceWords.h"
#include "lib/conversion/snn-to-loops/tensor/TensorChain.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

class DirectLayer {
public:
  DirectLayer(ProgramBuilder &builder, snn::NeuronOp neurons, HardwareLayer &described)
      : program(builder), population(neurons), layer(described), model(neurons.neuronModel()),
        decayBits(llvm::Log2_64(uint64_t(model.fixedPoint.scale))) {}

  llvm::Error prepare(LayerNames &names, snn::EncodeOp encode);
  llvm::Error connect(snn::EncodeOp encode);
  /// Streams without words where the membranes answer.
  SpikeStreams emit();

private:
  llvm::Error layOut();
  llvm::Error checkParameters();
  bool hasCurrent() const { return model.fixedSynapse.most > 0; }
  Value updateLane(const PlaceWord &at, int64_t lane, Value current);
  Value integrate(const WordMath &math, const snn::FixedPoint &rule, Value state, Value current);
  Value takeUp(const PlaceWord &at, int64_t lane, Value old, Value current);
  SmallVector<Value> updateAll(const PlaceWord &at);
  void emitReadout();
  /// A parameter of the neurons: one for each lane, or a table where it differs between places.
  struct ParameterTable {
    std::vector<float> values;
    Value table;
  };
  ParameterTable tableOf(const char *name, const std::vector<float> &values, unsigned bits);
  Value parameter(const PlaceWord &at, const ParameterTable &of, int64_t lane, unsigned bits) const;
  void prepareRest();
  /// Or the last one, beyond them.
  int64_t neuronAt(int64_t place, int64_t lane) const {
    return std::min(words.first[size_t(place)] + lane * words.stride, layer.neurons - 1);
  }

  ProgramBuilder &program;
  snn::NeuronOp population;
  HardwareLayer &layer;
  snn::NeuronModel model;
  unsigned decayBits;
  SpikeWords words;
  ValueWords ports;
  std::optional<TensorChain> tensors; // that make the currents, if any do
  SmallVector<Value> streams;         // of them
  std::optional<KeptValues> currents;
  Value membranes, rests, synaptic; // the last of neurons whose currents decay by themselves
  ParameterTable threshold, initial, reset, refractory;
  unsigned restBits = 0; // 0 where no neuron is ever refractory
};

/// Channels of a place are a word, of the image that tensor layers make even where the neurons are
/// none; without an image neighbours are.
llvm::Error DirectLayer::layOut() {
  ArrayRef<int64_t> shape = snn::shapeOf(population->getResult(0));
  if (tensors && tensors->shape().size() == 3)
    shape = tensors->shape();
  bool isImage = shape.size() == 3;
  // Lanes of a tensor kernel are those of its products.
  if (!isImage && !tensors && (layer.lanes < 1 || layer.lanes > layer.neurons))
    return inputError("", fmt::format("layer '{}' has {} lanes, expected 1 to {}, one for each of "
                                      "its neurons (style event)",
                                      layer.name, layer.lanes, layer.neurons));
  if (!isImage && tensors && (layer.lanes < 1 || layer.neurons % layer.lanes != 0))
    return inputError("", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} "
                                      "neurons (as: tensor)",
                                      layer.name, layer.lanes, layer.neurons));
  int64_t lanes = isImage ? shape[0] : layer.lanes;
  auto bitsWith = [&](int64_t count) {
    return count + 1 + std::bit_width(uint64_t(roundedUp(layer.neurons, count) - 1));
  };
  bool isGiven = program.options.layers.count(layer.name) && !tensors;
  while (!isImage && !isGiven &&
         (bitsWith(lanes) > kTokenBits || (tensors && layer.lanes % lanes != 0)))
    --lanes;
  while (isImage && !tensors && (bitsWith(lanes) > kTokenBits || shape[0] % lanes != 0))
    --lanes; // a place is several words of as many channels
  if (!tensors)
    layer.lanes = lanes;
  if (bitsWith(lanes) > kTokenBits)
    return inputError("", fmt::format("layer '{}' has {} lanes, whose spikes and their number "
                                      "take {} bits, expected at most {}: give fewer lanes (style "
                                      "event)",
                                      layer.name, lanes, bitsWith(lanes), kTokenBits));
  words = isImage ? SpikeWords::ofPlaces(shape[0], layer.neurons / shape[0], lanes)
                  : SpikeWords::ofVector(layer.neurons, lanes);
  return llvm::Error::success();
}

llvm::Error DirectLayer::checkParameters() {
  if (model.spikes() && model.maxSpikes != 1)
    return layerError(population, fmt::format("may spike {} times in a step, expected max_spikes 1",
                                              model.maxSpikes));
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
  currents.emplace(program, layer.name, words, ports, streams);
  membranes =
      program.local(layer.name + ".membranes", {words.perWord, words.groups}, layer.membraneBits);
  program.separate(membranes, 0);
  if (hasCurrent()) {
    synaptic =
        program.local(layer.name + ".synaptic", {words.perWord, words.groups}, layer.membraneBits);
    program.separate(synaptic, 0);
  }
  initial = tableOf("initial_membrane", model.initial, layer.membraneBits);
  if (!model.spikes())
    return llvm::Error::success();
  threshold = tableOf("threshold", model.threshold, layer.membraneBits);
  if (!model.resetBySubtraction)
    reset = tableOf("v_reset", model.reset, layer.membraneBits);
  prepareRest();
  return llvm::Error::success();
}

/// Steps that a neuron is still refractory; a sample has no more of them.
void DirectLayer::prepareRest() {
  std::vector<float> periods;
  for (int64_t steps : model.refractory)
    periods.push_back(float(std::min(steps, program.options.steps)));
  restBits = unsigned(std::bit_width(uint64_t(*llvm::max_element(periods))));
  if (restBits == 0)
    return;
  refractory = tableOf("refractory_steps", periods, restBits + 1); // with a sign
  rests = program.local(layer.name + ".refractory", {words.perWord, words.groups}, restBits);
  program.separate(rests, 0);
}

/// Currents come from outside, or from tensor kernels.
llvm::Error DirectLayer::connect(snn::EncodeOp encode) {
  if (tensors) {
    for (const ValueWords::Part &part : ports.parts) // those of a sample
      streams.push_back(program.stream(part.port.name, part.port.shape[1], part.port.bits));
    return tensors->emit(program, {words, ports, streams, layer.currentBits}, layer);
  }
  program.given = encode.getInput();
  for (const ValueWords::Part &part : ports.parts)
    streams.push_back(program.streamArgument(part.port));
  return llvm::Error::success();
}

/// saturate(truncate(v · kept / scale) + i · weight)
Value DirectLayer::integrate(const WordMath &math, const snn::FixedPoint &rule, Value state,
                             Value current) {
  Value kept = state;
  if (rule.kept != rule.scale) {
    Value product = math.scale(math.resize(state, layer.membraneBits + decayBits + 1), rule.kept);
    kept = math.resize(math.divide(product, decayBits), layer.membraneBits);
  }
  unsigned shift = llvm::Log2_64(uint64_t(rule.weight));
  unsigned currentBits = current.getType().getIntOrFloatBitWidth();
  unsigned bits = std::max(layer.membraneBits, currentBits + shift) + 1;
  Value sum = math.add(math.resize(kept, bits), math.shiftLeft(math.resize(current, bits), shift));
  return math.resize(math.clamp(sum, -rule.most - 1, rule.most), layer.membraneBits);
}

/// The membrane of a step before spike and reset. A synaptic current runs on, whether the neuron is
/// refractory or not.
Value DirectLayer::takeUp(const PlaceWord &word, int64_t lane, Value old, Value current) {
  const WordMath &math = word.math;
  const NestPoint &point = math.point;
  SmallVector<AffineExpr> at{point.builder.getAffineConstantExpr(lane), word.place};
  if (hasCurrent()) {
    Value before =
        math.select(word.isFirst, math.number(layer.membraneBits, 0), point.load(synaptic, at));
    current = integrate(math, model.fixedSynapse, before, current);
    point.store(current, synaptic, at);
  }
  return integrate(math, model.fixedPoint, old, current);
}

DirectLayer::ParameterTable DirectLayer::tableOf(const char *name, const std::vector<float> &values,
                                                 unsigned bits) {
  std::vector<int64_t> all;
  bool differs = false;
  for (int64_t lane = 0; lane < words.perWord; ++lane)
    for (int64_t place = 0; place < words.groups; ++place) {
      all.push_back(int64_t(snn::valueAt(values, size_t(neuronAt(place, lane)))));
      differs |= all.back() != all[size_t(lane * words.groups)];
    }
  ParameterTable made{values, {}};
  if (differs) {
    made.table =
        program.table(layer.name, name, {words.perWord, words.groups}, bits, std::move(all));
    program.separate(made.table, 0);
  }
  return made;
}

Value DirectLayer::parameter(const PlaceWord &at, const ParameterTable &of, int64_t lane,
                             unsigned bits) const {
  const NestPoint &point = at.math.point;
  if (of.table)
    return point.load(of.table, {point.builder.getAffineConstantExpr(lane), at.place});
  return at.math.number(bits, int64_t(snn::valueAt(of.values, size_t(neuronAt(0, lane)))));
}

/// Returns the spike; of neurons that are read the membrane.
Value DirectLayer::updateLane(const PlaceWord &word, int64_t lane, Value current) {
  const WordMath &math = word.math;
  const NestPoint &point = math.point;
  unsigned bits = layer.membraneBits;
  SmallVector<AffineExpr> at{point.builder.getAffineConstantExpr(lane), word.place};
  Value first = parameter(word, initial, lane, bits);
  Value old = math.select(word.isFirst, first, point.load(membranes, at));
  Value next = takeUp(word, lane, old, current);
  if (!model.spikes()) {
    point.store(next, membranes, at);
    return next;
  }
  Value most = parameter(word, threshold, lane, bits);
  Value spike = math.isAtLeast(next, most);
  Value back =
      model.resetBySubtraction ? math.subtract(next, most) : parameter(word, reset, lane, bits);
  Value membrane = math.select(spike, back, next);
  if (rests) {
    Value none = math.number(restBits, 0);
    Value rest = math.select(word.isFirst, none, point.load(rests, at));
    Value isResting = math.differs(rest, 0);
    spike = math.both(spike, math.equals(rest, 0));
    Value period = math.resize(parameter(word, refractory, lane, restBits), restBits);
    period = math.select(spike, period, none);
    Value shorter = math.subtract(rest, math.number(restBits, 1));
    point.store(math.select(isResting, shorter, period), rests, at);
    membrane = math.select(isResting, old, membrane);
  }
  point.store(membrane, membranes, at);
  return spike;
}

SmallVector<Value> DirectLayer::updateAll(const PlaceWord &at) {
  SmallVector<Value> given = currents->take(at.math, at.isFirst, at.place), found;
  for (int64_t lane = 0; lane < words.perWord; ++lane)
    found.push_back(updateLane(at, lane, given[size_t(lane)]));
  return found;
}

/// The membranes of the last step answer; lanes beyond the last neuron have none.
void DirectLayer::emitReadout() {
  int64_t steps = program.options.steps;
  AnswerPorts answer(program,
                     ValueWords::of(words, words.perWord, layer.membraneBits, "answer",
                                    ArrayRole::Answer, layer.name),
                     AnswerKind::Membranes);
  auto emitOne = [&](const NestPoint &point) {
    WordMath math(program, point);
    Value step = point.counters[1];
    auto is = [&](Value counter, int64_t value) {
      return math.compare(arith::CmpIPredicate::eq, counter, program.position(value));
    };
    SmallVector<Value> found = updateAll({math, point.dimension(2), is(step, 0), step});
    Value isLast = is(point.counters[2], words.groups - 1);
    for (int64_t lane = words.markAt(); lane < words.perWord; ++lane) {
      Value &value = found[size_t(lane)];
      value = math.select(isLast, math.constant(value, 0), value);
    }
    math.only(is(step, steps - 1),
              [&](const NestPoint &inside) { answer.write(WordMath(program, inside), found); });
  };
  emitForSamples(program, population.getLoc(), {steps, words.groups}, emitOne, layer.name);
  answer.finish(population.getLoc(), layer.name);
}

SpikeStreams DirectLayer::emit() {
  if (!model.spikes()) {
    emitReadout();
    return {words, {}, {}};
  }
  return emitPlaces(program, population.getLoc(), layer.name, words, [&](const PlaceWord &at) {
    return at.math.widen(at.math.joined(updateAll(at)), words.bits);
  });
}

} // namespace

llvm::Expected<SpikeStreams> emitDirectLayer(ProgramBuilder &program, LayerNames &names,
                                             snn::NeuronOp population, snn::EncodeOp encode,
                                             HardwareLayer &layer) {
  DirectLayer made(program, population, layer);
  SPINDLE_RETURN_IF_ERROR(made.prepare(names, encode));
  return made.emit();
}

} // namespace spindle::snn_to_loops
