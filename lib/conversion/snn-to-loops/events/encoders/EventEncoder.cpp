// Encoders in the circuit: pixels come once per sample, and in every step those of a place become a
// word of spikes.
#include "lib/conversion/snn-to-loops/events/encoders/PlaceWords.h"

#include "dialects/snn/IntegerRange.h"
#include "lib/conversion/snn-to-loops/tensor/TensorLayer.h"

#include "fmt/format.h"

#include <bit>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

/// From a pixel q, clipped to [0, maximum], to its spike in the step at hand.
class PixelSpikes {
public:
  virtual ~PixelSpikes() = default;
  virtual Value spike(const PlaceWord &at, int64_t lane, Value pixel) = 0;
};

/// An accumulator per pixel: a ← a + q, and where a ≥ maximum a spike and a ← a − maximum.
class RegularSpikes : public PixelSpikes {
public:
  RegularSpikes(ProgramBuilder &program, const SpikeWords &words, const std::string &layer,
                int64_t most)
      : maximum(most), bits(unsigned(std::bit_width(uint64_t(most - 1)))) {
    if (bits == 0) // of a maximum of one nothing is left
      return;
    sums = program.local(layer + ".sums", {words.perWord, words.groups}, bits);
    program.separate(sums, 0);
  }

  Value spike(const PlaceWord &at, int64_t lane, Value pixel) override {
    const WordMath &math = at.math;
    unsigned wide = pixel.getType().getIntOrFloatBitWidth();
    Value limit = math.number(wide, maximum);
    if (!sums)
      return math.isAtLeast(pixel, limit);
    SmallVector<AffineExpr> place{math.point.builder.getAffineConstantExpr(lane), at.place};
    Value before = math.select(at.isFirst, math.number(bits, 0), math.point.load(sums, place));
    Value sum = math.add(math.widen(before, wide), pixel), spike = math.isAtLeast(sum, limit);
    Value left = math.select(spike, math.subtract(sum, limit), sum);
    math.point.store(math.resize(left, bits), sums, place);
    return spike;
  }

private:
  int64_t maximum;
  unsigned bits;
  Value sums;
};

/// One spike at step T − floor((2 · q · T + maximum) / (2 · maximum)): so in step t where q is at
/// least the smallest pixel that spikes as early, and below the one that spikes in the step before.
/// Both are the same for all pixels.
class LatencySpikes : public PixelSpikes {
public:
  LatencySpikes(ProgramBuilder &program, const std::string &layer, int64_t window, int64_t maximum,
                unsigned wide) {
    std::vector<int64_t> least, below;
    for (int64_t step = 0; step < program.options.steps; ++step) {
      bool isOver = step >= window; // nothing is below its own limit
      least.push_back(isOver ? 0 : leastPixel(window - step, window, maximum));
      below.push_back(isOver ? 0 : leastPixel(window - step + 1, window, maximum));
    }
    auto table = [&](const char *name, const std::vector<int64_t> &values) {
      return program.constants(layer + name, {program.options.steps}, wide, values);
    };
    atLeast = table(".least", least);
    less = table(".below", below);
  }

  Value spike(const PlaceWord &at, int64_t, Value pixel) override {
    const WordMath &math = at.math;
    AffineExpr step = math.point.dimension(1);
    Value isReached = math.isAtLeast(pixel, math.point.load(atLeast, {step}));
    Value isEarlier = math.isAtLeast(pixel, math.point.load(less, {step}));
    return math.both(isReached, math.exclusive(isEarlier, math.number(1, 1)));
  }

private:
  /// The least q with (2 · q · T + maximum) / (2 · maximum) of at least so many steps before the
  /// end.
  static int64_t leastPixel(int64_t before, int64_t window, int64_t maximum) {
    return roundedUp((2 * before - 1) * maximum, 2 * window);
  }

  Value atLeast, less;
};

llvm::Error checkEncoding(snn::EncodeOp encode) {
  if (encode.getEncoding() != snn::Encoding::Regular &&
      encode.getEncoding() != snn::Encoding::Latency)
    return layerError(encode,
                      fmt::format("is encoded by {}, which has no circuit, expected regular or "
                                  "latency (emulation.encoding), or hardware.encoder: host",
                                  snn::stringifyEncoding(encode.getEncoding()).str()));
  if (!encode.getIntegers())
    return layerError(encode, "encodes numbers that are not known to be integers, expected "
                              "fixed_point.integers: all (or hardware.encoder: host)");
  return llvm::Error::success();
}

/// As many as a token of 64 bits holds, where no number is given.
llvm::Expected<SpikeWords> wordsOf(ProgramBuilder &program, HardwareLayer &layer,
                                   unsigned pixelBits) {
  bool isGiven = program.options.layers.count(layer.name);
  if (!isGiven)
    layer.lanes = std::min<int64_t>(layer.neurons, std::max<int64_t>(1, 64 / pixelBits));
  if (layer.lanes < 1 || layer.lanes > layer.neurons)
    return inputError("", fmt::format("layer '{}' has {} lanes, expected 1 to {}, one for each of "
                                      "its pixels (style event)",
                                      layer.name, layer.lanes, layer.neurons));
  SpikeWords words = SpikeWords::ofVector(layer.neurons, layer.lanes);
  int64_t bits = int64_t(words.bits) + placeBits(words);
  if (bits > kTokenBits)
    return inputError("", fmt::format("layer '{}' has {} lanes, whose spikes and their number take "
                                      "{} bits, expected at most {}: give fewer lanes (style "
                                      "event)",
                                      layer.name, layer.lanes, bits, kTokenBits));
  return words;
}

} // namespace

llvm::Expected<SpikeStreams> emitEncoder(ProgramBuilder &program, snn::EncodeOp encode,
                                         HardwareLayer &layer) {
  SPINDLE_RETURN_IF_ERROR(checkEncoding(encode));
  FailureOr<snn::IntegerRange> range = snn::integerRange(encode.getInput());
  if (failed(range))
    return layerError(encode, "encodes numbers that are not known to be integers, expected "
                              "fixed_point.integers: all (or hardware.encoder: host)");
  unsigned pixelBits = bitsOfPixels(*range);
  SPINDLE_ASSIGN(SpikeWords words, wordsOf(program, layer, pixelBits));
  auto maximum = int64_t(encode.getMaximum().convertToFloat());
  // What two pixels add up to, with a sign; what a pixel is, too, before it is clipped.
  unsigned wide = std::max(unsigned(std::bit_width(uint64_t(2 * maximum))), pixelBits) + 1;
  bool isSigned = range->lowest < 0;

  program.given = encode.getInput();
  ValueWords ports = ValueWords::of(words, words.perWord, pixelBits, layer.name + ".pixels",
                                    ArrayRole::Pixels, layer.name);
  SmallVector<Value> streams;
  for (const ValueWords::Part &part : ports.parts)
    streams.push_back(program.streamArgument(part.port));
  KeptValues pixels(program, layer.name, words, ports, streams);
  std::unique_ptr<PixelSpikes> coding;
  if (encode.getEncoding() == snn::Encoding::Regular)
    coding = std::make_unique<RegularSpikes>(program, words, layer.name, maximum);
  else
    coding = std::make_unique<LatencySpikes>(program, layer.name, int64_t(*encode.getSteps()),
                                             maximum, wide);
  return emitPlaces(program, encode.getLoc(), layer.name, words, [&](const PlaceWord &at) {
    const WordMath &math = at.math;
    SmallVector<Value> given = pixels.take(math, at.isFirst, at.place), spikes;
    for (int64_t lane = 0; lane < words.perWord; ++lane) {
      Value pixel = given[size_t(lane)];
      pixel = isSigned ? math.resize(pixel, wide) : math.widen(pixel, wide);
      if (isSigned || range->highest > double(maximum))
        pixel = math.clamp(pixel, 0, maximum);
      spikes.push_back(coding->spike(at, lane, pixel));
    }
    return math.widen(math.joined(spikes), words.bits);
  });
}

} // namespace spindle::snn_to_loops
