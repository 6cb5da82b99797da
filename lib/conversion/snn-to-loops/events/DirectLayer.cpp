#include "lib/conversion/snn-to-loops/events/DirectLayer.h"

#include "dialects/hls/Hls.h"
#include "dialects/snn/IntegerRange.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

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

  llvm::Error prepare(snn::EncodeOp encode);
  SpikeStreams emit();

private:
  llvm::Error layOut();
  llvm::Error checkParameters();
  Value updateLane(const WordMath &math, int64_t lane, Value isFirst);
  Value integrate(const WordMath &math, Value membrane, Value current);
  int64_t ofLane(const std::vector<float> &values, int64_t lane) const {
    return int64_t(snn::valueAt(values, size_t(words.first[0] + lane * words.stride)));
  }

  ProgramBuilder &program;
  snn::FixedLifOp population;
  HardwareLayer &layer;
  snn::NeuronModel model;
  unsigned decayBits;
  SpikeWords words;
  Value currents, membranes;
};

/// Channels of a place are a word; without an image neighbours are.
llvm::Error DirectLayer::layOut() {
  ArrayRef<int64_t> shape = snn::shapeOf(population.getOutput());
  bool isImage = shape.size() == 3;
  int64_t lanes = layer.lanes = isImage ? shape[0] : layer.lanes;
  words.elements = layer.neurons;
  words.groups = layer.neurons / lanes;
  words.perWord = lanes;
  words.stride = isImage ? words.groups : 1;
  words.bits = unsigned(lanes) + 1;
  for (int64_t place = 0; place < words.groups; ++place)
    words.first.push_back(isImage ? place : place * lanes);
  constexpr unsigned kTokenBits = 64; // of a token: the word and its number
  unsigned bits = words.bits + unsigned(std::bit_width(uint64_t(words.groups - 1)));
  if (layer.neurons % lanes != 0 || bits > kTokenBits)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} "
                                      "neurons that leaves room for their number in a word of {} "
                                      "bits (style event)",
                                      layer.name, lanes, layer.neurons, kTokenBits));
  return llvm::Error::success();
}

llvm::Error DirectLayer::checkParameters() {
  if (model.maxSpikes != 1)
    return layerError(population, fmt::format("may spike {} times in a step, expected max_spikes 1",
                                              model.maxSpikes));
  if (llvm::any_of(model.refractory, [](int64_t steps) { return steps > 0; }))
    return layerError(population, "has refractory periods, which style event has no form for, "
                                  "expected style clock");
  for (const std::vector<float> &values : {model.threshold, model.initial, model.reset})
    for (int64_t place = 0; place < words.groups && values.size() > 1; ++place)
      for (int64_t lane = 0; lane < words.perWord; ++lane)
        if (values[size_t(words.first[size_t(place)] + lane * words.stride)] !=
            values[size_t(words.first[0] + lane * words.stride)])
          return layerError(population, "has parameters that differ between the places of a "
                                        "channel, expected one per channel behind direct coding "
                                        "(style event)");
  return llvm::Error::success();
}

llvm::Error DirectLayer::prepare(snn::EncodeOp encode) {
  SPINDLE_RETURN_IF_ERROR(layOut());
  SPINDLE_RETURN_IF_ERROR(checkParameters());
  FailureOr<snn::IntegerRange> range = snn::integerRange(encode.getOutput());
  if (failed(range))
    return layerError(encode, "is encoded directly by numbers that are not known to be integers, "
                              "expected fixed_point.integers: all");
  layer.currentBits = bitsFor(int64_t(std::max(-range->lowest, range->highest)));
  layer.membraneBits = bitsFor(model.fixedPoint.most);
  currents = program.argument({layer.name + ".currents",
                               ArrayRole::Currents,
                               layer.name,
                               {words.groups, words.perWord},
                               layer.currentBits,
                               words.elements,
                               words.perWord,
                               words.first,
                               words.stride});
  program.separate(currents, 1);
  membranes =
      program.local(layer.name + ".membranes", {words.perWord, words.groups}, layer.membraneBits);
  program.separate(membranes, 0);
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

Value DirectLayer::updateLane(const WordMath &math, int64_t lane, Value isFirst) {
  const NestPoint &point = math.point;
  auto number = [&](const std::vector<float> &values) {
    return math.number(layer.membraneBits, ofLane(values, lane));
  };
  AffineExpr at = point.builder.getAffineConstantExpr(lane), place = point.dimension(1);
  Value current = point.load(currents, {place, at});
  Value old = math.select(isFirst, number(model.initial), point.load(membranes, {at, place}));
  Value next = integrate(math, old, current), threshold = number(model.threshold);
  Value spike = math.isAtLeast(next, threshold);
  Value back = model.resetBySubtraction ? math.subtract(next, threshold) : number(model.reset);
  point.store(math.select(spike, back, next), membranes, {at, place});
  return spike;
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
    record =
        program.argument(words.port(layer.name + ".spikes", ArrayRole::Spikes, layer.name, steps));
  OpBuilder::InsertionGuard guard(program.body);
  auto outer = affine::AffineForOp::create(program.body, location, 0, steps);
  outer->setAttr(kLayerName, program.body.getStringAttr(layer.name));
  program.body.setInsertionPointToStart(outer.getBody());
  auto inner = affine::AffineForOp::create(program.body, location, 0, words.groups);
  program.body.setInsertionPointToStart(inner.getBody());
  NestPoint point{program.body, location, {outer.getInductionVar(), inner.getInductionVar()}};
  WordMath math(program, point);
  Value isFirst =
      math.compare(arith::CmpIPredicate::eq, outer.getInductionVar(), program.position(0));
  Value isLast = math.compare(arith::CmpIPredicate::eq, inner.getInductionVar(),
                              program.position(words.groups - 1));
  Value word = math.number(words.bits, 0);
  for (int64_t lane = 0; lane < words.perWord; ++lane)
    word = math.either(
        word, math.shiftLeft(math.widen(updateLane(math, lane, isFirst), words.bits), lane));
  if (record)
    point.store(word, record, {point.dimension(0), point.dimension(1)});
  word = math.either(
      word, math.select(isLast, math.number(words.bits, words.mark()), math.number(words.bits, 0)));
  math.only(math.differs(word, 0), [&](const NestPoint &inside) {
    WordMath there(program, inside);
    unsigned bits = words.bits + numberBits;
    Value number = arith::IndexCastOp::create(inside.builder, inside.location,
                                              program.integer(bits), inner.getInductionVar());
    there.write(there.either(there.shiftLeft(number, words.bits), there.widen(word, bits)),
                spikes.words[0]);
  });
  return spikes;
}

} // namespace

llvm::Expected<SpikeStreams> emitDirectLayer(ProgramBuilder &program, snn::FixedLifOp population,
                                             snn::EncodeOp encode, HardwareLayer &layer) {
  DirectLayer made(program, population, layer);
  SPINDLE_RETURN_IF_ERROR(made.prepare(encode));
  return made.emit();
}

} // namespace spindle::snn_to_loops
