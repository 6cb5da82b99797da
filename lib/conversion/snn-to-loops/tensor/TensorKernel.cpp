// A tensor layer as a process: products of what it takes and weights, added up once per sample.
#include "lib/conversion/snn-to-loops/Signal.h"
#include "lib/conversion/snn-to-loops/events/synapses/Synapses.h"
#include "lib/conversion/snn-to-loops/tensor/TensorStreams.h"

#include "fmt/format.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

class TensorKernel {
public:
  TensorKernel(ProgramBuilder &builder, TensorLayer made, const TensorStreams &from,
               const TensorStreams &to, HardwareLayer &described)
      : program(builder), tensor(std::move(made)), in(from), out(to), layer(described),
        perWord(to.layout.perWord) {}

  llvm::Error prepare();
  void emit();

private:
  llvm::Error layOut();
  void makeRows();
  int64_t outputOf(int64_t round, int64_t lane) const;
  int64_t weightOf(int64_t row, int64_t lane, int64_t term) const;
  int64_t placeOf(int64_t lane, int64_t term) const;
  SmallVector<Value> takeTokens(const WordMath &math, Value isInput);
  SmallVector<Value> valuesOf(const WordMath &math, ArrayRef<Value> words, Value isInput) const;
  Value startOf(const WordMath &math, int64_t lane);
  Value combined(const WordMath &math, Value a, Value b) const;
  Value addUp(const WordMath &math, int64_t lane, ArrayRef<Value> values, Value isFirst);
  Value shifted(const WordMath &math, Value sum) const;
  void send(const WordMath &math, ArrayRef<Value> sums, Value slot);

  ProgramBuilder &program;
  TensorLayer tensor;
  const TensorStreams &in, &out;
  HardwareLayer &layer;
  int64_t perWord; // values in a word of what is handed on
  unsigned termBits = 0, sumBits = 0;
  /// `lanes` outputs are made in each round, from the tokens of each of `taps` slots, of which a
  /// lane adds up so many values; a round has as many slots more as it hands on words but one.
  int64_t rounds = 1, taps = 1, slots = 1, perLane = 1;
  TensorTokens tokens;
  SmallVector<Value> kept; // what later rounds take, for each token; or none
  std::unique_ptr<WeightRows> rows;
  Value bias, sums;
};

llvm::Error TensorKernel::layOut() {
  if (tensor.isWindowed) {
    if (layer.lanes != tensor.outputs)
      return inputError("", fmt::format("layer '{}' has {} lanes, expected {}, one for each of its "
                                        "filters (as: tensor)",
                                        layer.name, layer.lanes, tensor.outputs));
    rounds = layer.neurons / tensor.outputs;
    perLane = layer.inputs * tensor.channels;
    taps = tensor.axes[0].kernel * roundedUp(tensor.axes[1].kernel, layer.inputs);
  } else {
    if (layer.lanes < 1 || tensor.outputs % layer.lanes != 0 || layer.lanes % perWord != 0)
      return inputError(
          "", fmt::format("layer '{}' has {} lanes, expected a divisor of its {} neurons{} (as: "
                          "tensor)",
                          layer.name, layer.lanes, tensor.outputs,
                          perWord > 1 ? fmt::format(" that is a multiple of {}", perWord) : ""));
    rounds = tensor.outputs / layer.lanes;
    perLane = layer.inputs;
    taps = in.layout.groups;
  }
  slots = taps + layer.lanes / perWord - 1;
  program.work[layer.name].perSample = double(rounds * slots);
  return llvm::Error::success();
}

llvm::Error TensorKernel::prepare() {
  SPINDLE_RETURN_IF_ERROR(layOut());
  auto most = int64_t(std::max(-tensor.pixels.lowest, tensor.pixels.highest));
  int64_t largest = 1;
  for (int64_t weight : tensor.weights)
    largest = std::max(largest, std::abs(weight));
  sumBits = tensor.sums.bits();
  termBits = tensor.isWeighted ? bitsFor(most * largest) : std::max(sumBits, in.bits + 1);
  sumBits = tensor.isWeighted ? sumBits : termBits;
  if (tensor.isWeighted)
    layer.weightBits = bitsFor(largest);
  tokens =
      tensor.isWindowed ? emitWindows(program, tensor, in, layer.inputs, layer.name) : in.tokens();
  if (!tensor.isWindowed && rounds > 1)
    for (auto [number, token] : llvm::enumerate(tokens.tokens))
      kept.push_back(program.local(layer.name + ".kept" + std::to_string(number), {slots},
                                   unsigned(token.values.size()) * tokens.bits));
  if (tensor.isWeighted)
    makeRows();
  sums = program.local(layer.name + ".sums", {layer.lanes}, sumBits);
  program.separate(sums, 0);
  return llvm::Error::success();
}

/// Of a dense layer the slots of each round; zeros where nothing is taken.
void TensorKernel::makeRows() {
  int64_t count = tensor.isWindowed ? slots : rounds * slots;
  rows = std::make_unique<WeightRows>(
      program, layer, count, layer.lanes * perLane,
      [&](int64_t row, int64_t lane) { return weightOf(row, lane / perLane, lane % perLane); });
  bool isZero = llvm::all_of(tensor.bias, [](int64_t value) { return value == 0; });
  if (tensor.isWindowed || rounds == 1 || isZero)
    return;
  std::vector<int64_t> starts;
  for (int64_t round = 0; round < rounds; ++round)
    for (int64_t lane = 0; lane < layer.lanes; ++lane)
      starts.push_back(tensor.bias[size_t(outputOf(round, lane))]);
  bias = program.table(layer.name, "bias", {rounds, layer.lanes}, sumBits, std::move(starts));
  program.separate(bias, 1);
}

/// Word after word of what is handed on; of windows the filter.
int64_t TensorKernel::outputOf(int64_t round, int64_t lane) const {
  if (tensor.isWindowed)
    return lane;
  const SpikeWords &words = out.layout;
  return words.first[size_t(round * (layer.lanes / perWord) + lane / perWord)] +
         lane % perWord * words.stride;
}

/// Where among the values of a slot a lane finds its term: a dense layer takes all, a filter those
/// of its group's channels.
int64_t TensorKernel::placeOf(int64_t lane, int64_t term) const {
  if (!tensor.isWindowed)
    return term;
  int64_t group = lane / (tensor.outputs / tensor.groups);
  return (term / tensor.channels * tensor.groups + group) * tensor.channels +
         term % tensor.channels;
}

int64_t TensorKernel::weightOf(int64_t row, int64_t lane, int64_t term) const {
  int64_t slot = row % slots, round = row / slots;
  if (slot >= taps)
    return 0;
  if (!tensor.isWindowed) {
    if (term >= in.layout.inWord(slot))
      return 0;
    int64_t input = in.layout.first[size_t(slot)] + term * in.layout.stride;
    return tensor.weights[size_t(outputOf(round, lane) * tensor.channels + input)];
  }
  int64_t height = tensor.axes[0].kernel, width = tensor.axes[1].kernel;
  int64_t perRow = taps / height; // words of a row of the window
  int64_t column = slot % perRow * layer.inputs + term / tensor.channels;
  if (column >= width)
    return 0;
  int64_t channel = lane * tensor.channels + term % tensor.channels;
  return tensor.weights[size_t((channel * height + slot / perRow) * width + column)];
}

/// The first round keeps what it takes for the others.
SmallVector<Value> TensorKernel::takeTokens(const WordMath &math, Value isInput) {
  const NestPoint &point = math.point;
  SmallVector<Value> found;
  for (auto [number, token] : llvm::enumerate(tokens.tokens)) {
    if (kept.empty()) {
      found.push_back(math.readIf(isInput, token.stream));
      continue;
    }
    AffineExpr slot = point.dimension(2);
    Value isFresh = math.compare(arith::CmpIPredicate::eq, point.counters[1], program.position(0));
    Value fresh = math.readIf(math.both(isFresh, isInput), token.stream);
    Value word = math.select(isFresh, fresh, point.load(kept[number], {slot}));
    point.store(word, kept[number], {slot});
    found.push_back(word);
  }
  return found;
}

/// In slots without tokens values that change nothing: zeros, which what is not read is, or the
/// lowest one.
SmallVector<Value> TensorKernel::valuesOf(const WordMath &math, ArrayRef<Value> words,
                                          Value isInput) const {
  bool choosesLowest = tensor.combine == Combine::Maximum && slots > taps;
  SmallVector<Value> found(size_t(tensor.isWindowed ? perLane * tensor.groups : perLane));
  for (auto [token, word] : llvm::zip(tokens.tokens, words))
    for (auto [number, place] : llvm::enumerate(token.values)) {
      Value value =
          math.resize(math.shiftRight(word, int64_t(number) * int64_t(tokens.bits)), tokens.bits);
      value = tensor.pixels.lowest < 0 ? math.resize(value, termBits) : math.widen(value, termBits);
      if (choosesLowest)
        value = math.select(isInput, value, math.constant(value, int64_t(tensor.pixels.lowest)));
      found[size_t(place)] = value;
    }
  return found;
}

Value TensorKernel::startOf(const WordMath &math, int64_t lane) {
  if (bias)
    return math.point.load(
        bias, {math.point.dimension(1), math.point.builder.getAffineConstantExpr(lane)});
  int64_t start = tensor.combine == Combine::Maximum ? int64_t(tensor.pixels.lowest)
                                                     : tensor.bias[size_t(outputOf(0, lane))];
  return math.number(sumBits, start);
}

Value TensorKernel::combined(const WordMath &math, Value a, Value b) const {
  if (tensor.combine == Combine::Sum)
    return math.add(a, b);
  return arith::MaxSIOp::create(math.point.builder, math.point.location, a, b);
}

Value TensorKernel::addUp(const WordMath &math, int64_t lane, ArrayRef<Value> values,
                          Value isFirst) {
  const NestPoint &point = math.point;
  AffineExpr at = point.builder.getAffineConstantExpr(lane);
  SmallVector<Value> terms;
  for (int64_t term = 0; term < perLane; ++term) {
    Value value = values[size_t(placeOf(lane, term))];
    if (rows)
      value = math.multiply(value, rows->weight(math, lane * perLane + term), termBits);
    terms.push_back(math.resize(value, sumBits));
  }
  while (terms.size() > 1) { // a tree
    SmallVector<Value> fewer;
    for (size_t n = 0; n < terms.size(); n += 2)
      fewer.push_back(n + 1 < terms.size() ? combined(math, terms[n], terms[n + 1]) : terms[n]);
    terms = std::move(fewer);
  }
  Value start = startOf(math, lane);
  Value before = math.select(isFirst, start, point.load(sums, {at}));
  Value sum = combined(math, before, terms[0]);
  point.store(sum, sums, {at});
  return sum;
}

/// clamp((sum + 2^(k − 1)) >> k), in the bits that are handed on.
Value TensorKernel::shifted(const WordMath &math, Value sum) const {
  if (!tensor.shift)
    return math.resize(sum, out.bits);
  auto [by, low, high] = *tensor.shift;
  unsigned bits = std::max({sumBits, out.bits, bitsFor(std::max(-low, high))}) + 1;
  Value wide = math.resize(sum, bits);
  if (by > 0) {
    Value half = math.add(wide, math.constant(wide, int64_t(1) << (by - 1)));
    wide = arith::ShRSIOp::create(math.point.builder, math.point.location, half,
                                  math.constant(wide, by));
  }
  return math.resize(math.clamp(wide, low, high), out.bits);
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
    for (auto [part, stream] : llvm::zip(out.words.parts, out.parts))
      there.write(
          there.joined(ArrayRef(word).slice(size_t(part.firstLane), size_t(part.port.perWord))),
          stream);
  });
}

void TensorKernel::emit() {
  auto emitOne = [&](const NestPoint &point) {
    WordMath math(program, point);
    Value slot = point.counters[2];
    Value isFirst = math.compare(arith::CmpIPredicate::eq, slot, program.position(0));
    Value isInput = math.compare(arith::CmpIPredicate::ult, slot, program.position(taps));
    SmallVector<Value> values = valuesOf(math, takeTokens(math, isInput), isInput);
    AffineExpr row = point.dimension(2);
    if (!tensor.isWindowed)
      row = row + point.dimension(1) * slots;
    if (rows)
      rows->read(math, affine::AffineApplyOp::create(point.builder, point.location,
                                                     AffineMap::get(3, 0, row), point.counters));
    SmallVector<Value> found;
    for (int64_t lane = 0; lane < layer.lanes; ++lane)
      found.push_back(addUp(math, lane, values, isFirst));
    send(math, found, slot);
  };
  emitForSamples(program, tensor.op->getLoc(), {rounds, slots}, emitOne, layer.name);
}

} // namespace

llvm::Error emitTensorLayer(ProgramBuilder &program, TensorLayer tensor, const TensorStreams &in,
                            const TensorStreams &out, HardwareLayer &layer) {
  TensorKernel kernel(program, std::move(tensor), in, out, layer);
  SPINDLE_RETURN_IF_ERROR(kernel.prepare());
  kernel.emit();
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
