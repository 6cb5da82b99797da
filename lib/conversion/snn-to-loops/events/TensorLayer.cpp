#include "lib/conversion/snn-to-loops/events/TensorLayer.h"

#include "lib/conversion/snn-to-loops/events/Synapses.h"
#include "lib/conversion/snn-to-loops/layers/Layers.h"

#include "dialects/hls/Hls.h"

#include "fmt/format.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace spindle::snn_to_loops {

static Value behindViews(Value signal) {
  while (auto reshape = signal.getDefiningOp<snn::ReshapeOp>())
    signal = reshape.getInput();
  return signal;
}

llvm::Expected<TensorLayer> TensorLayer::of(snn::EncodeOp encode) {
  TensorLayer made;
  Value sums = behindViews(encode.getInput());
  auto shift = sums.getDefiningOp<snn::QuantizeOp>();
  if (shift)
    sums = behindViews(shift.getInput());
  made.op = sums.getDefiningOp();
  auto dense = dyn_cast_or_null<snn::DenseOp>(made.op);
  auto convolution = dyn_cast_or_null<snn::Conv2dOp>(made.op);
  if (!dense && !convolution)
    return layerError(made.op ? made.op : encode.getOperation(),
                      "is to be a tensor kernel (as: tensor), expected a dense layer or a "
                      "convolution in front of the encoder");
  if (convolution && convolution.getGroups() != 1)
    return layerError(made.op,
                      fmt::format("is to be a tensor kernel (as: tensor) and has {} groups, "
                                  "expected 1",
                                  convolution.getGroups()));
  FailureOr<snn::IntegerRange> pixels = snn::integerRange(made.op->getOperand(0));
  if (failed(pixels))
    return layerError(made.op,
                      "is to be a tensor kernel (as: tensor), but its input is not known to "
                      "be integers, expected fixed_point.integers: all");
  SPINDLE_ASSIGN(made.weights, integersOf(made.op, made.op->getOperand(1), "weight"));
  made.bias.assign(size_t(snn::shapeOf(sums)[0]), 0);
  if (Value bias = dense ? dense.getBias() : convolution.getBias()) {
    SPINDLE_ASSIGN(made.bias, integersOf(made.op, bias, "bias"));
  }
  FailureOr<snn::IntegerRange> range = snn::integerRange(sums);
  if (failed(range)) // its weights are constants, and integers
    return layerError(made.op, "has sums that are not known to be integers");
  made.pixels = *pixels;
  made.sums = *range;
  made.shape = snn::shapeOf(made.op->getOperand(1)).vec();
  float unit = shift ? shift.getUnit().convertToFloat() : 1;
  if (unit < 1 || std::exp2(std::floor(std::log2(unit))) != unit)
    return layerError(made.op,
                      fmt::format("has sums that are divided by {}, expected a power of two "
                                  "(fixed_point.integers: all)",
                                  unit));
  if (shift)
    made.shift = {int64_t(std::log2(unit)), int64_t(shift.getLow()), int64_t(shift.getHigh())};
  return made;
}

namespace {

class TensorKernel {
public:
  TensorKernel(ProgramBuilder &builder, TensorLayer made, const SpikeWords &layout,
               const ValueWords &values, HardwareLayer &described)
      : program(builder), tensor(std::move(made)), words(layout), currents(values),
        layer(described), convolution(dyn_cast<snn::Conv2dOp>(tensor.op)), perWord(layout.perWord) {
  }

  llvm::Error prepare();
  SmallVector<Value> emit();

private:
  llvm::Error layOut();
  Value takePixels();
  void makeRows();
  int64_t outputOf(int64_t round, int64_t lane) const;
  int64_t weightOf(int64_t row, int64_t lane, int64_t value) const;
  Value wordOf(const WordMath &math, Value isInput);
  SmallVector<Value> pixelsOf(const WordMath &math, Value word) const;
  Value startOf(const WordMath &math, int64_t lane);
  Value addUp(const WordMath &math, int64_t lane, ArrayRef<Value> pixels, Value isFirst);
  Value shifted(const WordMath &math, Value sum) const;
  void send(const WordMath &math, ArrayRef<Value> sums, Value slot);

  ProgramBuilder &program;
  TensorLayer tensor;
  const SpikeWords &words;
  const ValueWords &currents;
  HardwareLayer &layer;
  snn::Conv2dOp convolution; // or a dense layer
  int64_t perWord;           // sums in a word of currents
  unsigned pixelBits = 0, productBits = 0, sumBits = 0;
  /// Sums of `lanes` outputs are made in each round, from a word of pixels in each of `taps` slots;
  /// a round has as many slots more as it has words of sums but one.
  int64_t rounds = 1, taps = 1, slots = 1, perSlot = 1;
  Value pixels, kept; // a stream of words; what later rounds take, or none
  std::unique_ptr<WeightRows> rows;
  Value bias, sums;
  SmallVector<Value> streams;
};

llvm::Error TensorKernel::layOut() {
  int64_t outputs = int64_t(tensor.bias.size());
  if (convolution) {
    if (layer.lanes != outputs)
      return inputError("", fmt::format("layer '{}' has {} lanes, expected {}, one for each of its "
                                        "filters (as: tensor)",
                                        layer.name, layer.lanes, outputs));
    rounds = layer.neurons / outputs;
    perSlot = layer.inputs * tensor.shape[1];
    taps = tensor.shape[2] * roundedUp(tensor.shape[3], layer.inputs);
  } else {
    if (layer.lanes < 1 || outputs % layer.lanes != 0 || layer.lanes % perWord != 0)
      return inputError("", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} "
                                        "neurons that is a multiple of {} (as: tensor)",
                                        layer.name, layer.lanes, outputs, perWord));
    rounds = outputs / layer.lanes;
    perSlot = layer.inputs;
    taps = roundedUp(tensor.shape[1], perSlot);
  }
  slots = taps + layer.lanes / perWord - 1;
  program.work[layer.name].perSample = double(rounds * slots);
  int64_t most = convolution ? tensor.shape[3] : tensor.shape[1];
  constexpr int64_t kTokenBits = 64;
  if (layer.inputs < 1 || layer.inputs > most || perSlot * pixelBits > kTokenBits)
    return inputError("",
                      fmt::format("layer '{}' takes {} inputs at a time, {} bits, expected 1 to "
                                  "{} and at most {} bits (as: tensor)",
                                  layer.name, layer.inputs, perSlot * pixelBits, most, kTokenBits));
  return llvm::Error::success();
}

/// Numbers of one sign need none.
static unsigned bitsOfPixel(const snn::IntegerRange &range) {
  if (range.lowest >= 0) // a value of one bit would be a spike
    return std::max(2, int(std::bit_width(uint64_t(range.highest))));
  return bitsFor(int64_t(std::max(-range.lowest, range.highest)));
}

llvm::Error TensorKernel::prepare() {
  int64_t most = int64_t(std::max(-tensor.pixels.lowest, tensor.pixels.highest)), largest = 1;
  for (int64_t weight : tensor.weights)
    largest = std::max(largest, std::abs(weight));
  pixelBits = bitsOfPixel(tensor.pixels);
  productBits = bitsFor(most * largest);
  sumBits = tensor.sums.bits();
  layer.weightBits = bitsFor(largest);
  SPINDLE_RETURN_IF_ERROR(layOut());
  pixels = takePixels();
  makeRows();
  sums = program.local(layer.name + ".sums", {layer.lanes}, sumBits);
  program.separate(sums, 0);
  for (const ValueWords::Part &part : currents.parts) // those of a sample
    streams.push_back(program.stream(part.port.name, part.port.shape[1], part.port.bits));
  return llvm::Error::success();
}

/// Neighbours, or the channels of a place.
Value TensorKernel::takePixels() {
  Value input = tensor.op->getOperand(0);
  ArrayRef<int64_t> shape = snn::shapeOf(input);
  int64_t elements = snn::sizeOf(input), each = convolution ? shape[0] : perSlot;
  int64_t count = roundedUp(elements, each);
  HardwareArray port{layer.name + ".pixels",
                     ArrayRole::Pixels,
                     layer.name,
                     {1, count},
                     unsigned(each) * pixelBits};
  port.elements = elements;
  port.perWord = each;
  port.stride = convolution ? count : 1;
  port.valueBits = pixelBits;
  for (int64_t word = 0; word < count; ++word)
    port.first.push_back(convolution ? word : word * each);
  Value stream = program.streamArgument(port);
  if (convolution)
    return emitWindows(program, convolution, stream, layer.inputs, layer.name);
  if (rounds > 1)
    kept = program.local(layer.name + ".kept", {slots}, port.bits);
  return stream;
}

/// Of a dense layer the slots of each round; zeros where there are no pixels.
void TensorKernel::makeRows() {
  int64_t count = convolution ? slots : rounds * slots;
  rows = std::make_unique<WeightRows>(
      program, layer, count, layer.lanes * perSlot,
      [&](int64_t row, int64_t lane) { return weightOf(row, lane / perSlot, lane % perSlot); });
  bool isZero = llvm::all_of(tensor.bias, [](int64_t value) { return value == 0; });
  if (convolution || rounds == 1 || isZero)
    return;
  std::vector<int64_t> starts;
  for (int64_t round = 0; round < rounds; ++round)
    for (int64_t lane = 0; lane < layer.lanes; ++lane)
      starts.push_back(tensor.bias[size_t(outputOf(round, lane))]);
  bias = program.table(layer.name, "bias", {rounds, layer.lanes}, sumBits, std::move(starts));
  program.separate(bias, 1);
}

/// Word after word of currents; of a convolution the filter.
int64_t TensorKernel::outputOf(int64_t round, int64_t lane) const {
  if (convolution)
    return lane;
  return words.first[size_t(round * (layer.lanes / perWord) + lane / perWord)] +
         lane % perWord * words.stride;
}

int64_t TensorKernel::weightOf(int64_t row, int64_t lane, int64_t value) const {
  int64_t slot = row % slots, round = row / slots;
  if (slot >= taps)
    return 0;
  if (!convolution) {
    int64_t input = slot * perSlot + value, inputs = tensor.shape[1];
    return input < inputs ? tensor.weights[size_t(outputOf(round, lane) * inputs + input)] : 0;
  }
  ArrayRef<int64_t> shape = tensor.shape;
  int64_t perRow = taps / shape[2]; // words of a row of the window
  int64_t column = slot % perRow * layer.inputs + value / shape[1], channel = value % shape[1];
  if (column >= shape[3])
    return 0;
  return tensor.weights[size_t(((lane * shape[1] + channel) * shape[2] + slot / perRow) * shape[3] +
                               column)];
}

/// The first round keeps what it takes for the others.
Value TensorKernel::wordOf(const WordMath &math, Value isInput) {
  const NestPoint &point = math.point;
  if (!kept)
    return math.readIf(isInput, pixels);
  AffineExpr slot = point.dimension(2);
  Value isFresh = math.compare(arith::CmpIPredicate::eq, point.counters[1], program.position(0));
  Value fresh = math.readIf(math.both(isFresh, isInput), pixels);
  Value word = math.select(isFresh, fresh, point.load(kept, {slot}));
  point.store(word, kept, {slot});
  return word;
}

SmallVector<Value> TensorKernel::pixelsOf(const WordMath &math, Value word) const {
  SmallVector<Value> found;
  for (int64_t value = 0; value < perSlot; ++value) {
    Value pixel = math.resize(math.shiftRight(word, value * int64_t(pixelBits)), pixelBits);
    found.push_back(tensor.pixels.lowest < 0 ? math.resize(pixel, productBits)
                                             : math.widen(pixel, productBits));
  }
  return found;
}

Value TensorKernel::startOf(const WordMath &math, int64_t lane) {
  if (bias)
    return math.point.load(
        bias, {math.point.dimension(1), math.point.builder.getAffineConstantExpr(lane)});
  return math.number(sumBits, tensor.bias[size_t(outputOf(0, lane))]);
}

Value TensorKernel::addUp(const WordMath &math, int64_t lane, ArrayRef<Value> pixel,
                          Value isFirst) {
  const NestPoint &point = math.point;
  AffineExpr at = point.builder.getAffineConstantExpr(lane);
  SmallVector<Value> terms;
  for (int64_t value = 0; value < perSlot; ++value) {
    Value weight = rows->weight(math, lane * perSlot + value);
    terms.push_back(math.resize(math.multiply(pixel[size_t(value)], weight, productBits), sumBits));
  }
  while (terms.size() > 1) { // a tree
    SmallVector<Value> fewer;
    for (size_t n = 0; n < terms.size(); n += 2)
      fewer.push_back(n + 1 < terms.size() ? math.add(terms[n], terms[n + 1]) : terms[n]);
    terms = std::move(fewer);
  }
  Value before = math.select(isFirst, startOf(math, lane), point.load(sums, {at}));
  Value sum = math.add(before, terms[0]);
  point.store(sum, sums, {at});
  return sum;
}

/// clamp((sum + 2^(k − 1)) >> k), in the bits of a current.
Value TensorKernel::shifted(const WordMath &math, Value sum) const {
  if (!tensor.shift)
    return math.resize(sum, layer.currentBits);
  auto [by, low, high] = *tensor.shift;
  unsigned bits = std::max(sumBits, layer.currentBits) + 1;
  Value wide = math.resize(sum, bits);
  if (by > 0) {
    Value half = math.add(wide, math.constant(wide, int64_t(1) << (by - 1)));
    wide = arith::ShRSIOp::create(math.point.builder, math.point.location, half,
                                  math.constant(wide, by));
  }
  return math.resize(math.clamp(wide, low, high), layer.currentBits);
}

/// The words of a round in its last slots, one in each.
void TensorKernel::send(const WordMath &math, ArrayRef<Value> found, Value slot) {
  Value isOut = math.compare(arith::CmpIPredicate::uge, slot, program.position(taps - 1));
  SmallVector<Value> word(found.take_back(size_t(perWord)));
  for (int64_t number = layer.lanes / perWord - 2; number >= 0; --number) {
    Value isHere =
        math.compare(arith::CmpIPredicate::eq, slot, program.position(taps - 1 + number));
    for (int64_t lane = 0; lane < perWord; ++lane)
      word[size_t(lane)] =
          math.select(isHere, found[size_t(number * perWord + lane)], word[size_t(lane)]);
  }
  for (Value &value : word)
    value = shifted(math, value);
  math.only(isOut, [&](const NestPoint &inside) {
    WordMath there(program, inside);
    for (auto [part, stream] : llvm::zip(currents.parts, streams))
      there.write(
          there.joined(ArrayRef(word).slice(size_t(part.firstLane), size_t(part.port.perWord))),
          stream);
  });
}

SmallVector<Value> TensorKernel::emit() {
  auto emitOne = [&](const NestPoint &point) {
    WordMath math(program, point);
    Value slot = point.counters[2];
    Value isFirst = math.compare(arith::CmpIPredicate::eq, slot, program.position(0));
    Value isInput = math.compare(arith::CmpIPredicate::ult, slot, program.position(taps));
    SmallVector<Value> pixel = pixelsOf(math, wordOf(math, isInput));
    AffineExpr row = point.dimension(2);
    if (!convolution)
      row = row + point.dimension(1) * slots;
    AffineMap rowOf = AffineMap::get(3, 0, row);
    rows->read(math,
               affine::AffineApplyOp::create(point.builder, point.location, rowOf, point.counters));
    SmallVector<Value> found;
    for (int64_t lane = 0; lane < layer.lanes; ++lane)
      found.push_back(addUp(math, lane, pixel, isFirst));
    send(math, found, slot);
  };
  emitForSamples(program, tensor.op->getLoc(), {rounds, slots}, emitOne, layer.name);
  return streams;
}

} // namespace

llvm::Expected<SmallVector<Value>> emitTensorLayer(ProgramBuilder &program, TensorLayer tensor,
                                                   const SpikeWords &words,
                                                   const ValueWords &currents,
                                                   HardwareLayer &layer) {
  TensorKernel kernel(program, std::move(tensor), words, currents, layer);
  SPINDLE_RETURN_IF_ERROR(kernel.prepare());
  return kernel.emit();
}

} // namespace spindle::snn_to_loops
