// The windows of an image that comes place after place: each place ends a window.
#include "lib/conversion/snn-to-loops/tensor/TensorStreams.h"

#include "dialects/hls/Hls.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

class WindowStream {
public:
  WindowStream(ProgramBuilder &builder, const TensorLayer &made, const TensorStreams &from,
               int64_t perWord, const std::string &name)
      : program(builder), tensor(made), image(from), neighbours(perWord), layer(name),
        extents(made.axes), words(int64_t(llvm::divideCeil(extents[1].kernel, uint64_t(perWord)))) {
  }

  TensorTokens emit();

private:
  /// Channels of a place: a copy for each neighbour that is read in a cycle, and streams for as
  /// many of these as a word has room for.
  struct Part {
    Value source;
    unsigned bits; // of a place
    int64_t firstChannel, channels;
    SmallVector<Value> copies, streams;
    int64_t perToken = 1; // places
  };

  void makeParts();
  int64_t fill() const;
  void takePlace(const NestPoint &point);
  Value read(const NestPoint &point, const Part &part);
  SmallVector<Value> joinNeighbours(const NestPoint &point, const Part &part);
  void send(const NestPoint &point);

  ProgramBuilder &program;
  const TensorLayer &tensor;
  const TensorStreams &image;
  int64_t neighbours;
  const std::string &layer;
  std::array<WindowExtent, 2> extents;
  int64_t words; // of a row of a window
  SmallVector<Part> parts;
};

void WindowStream::makeParts() {
  constexpr int64_t kWindowDepth = 4, kTokenBits = 64;
  SmallVector<int64_t> shape{extents[0].padded() + extents[0].reach(),
                             extents[1].padded() + (words * neighbours - 1) * extents[1].dilation};
  auto named = [&](const char *what, size_t number) {
    return layer + "." + what + std::to_string(number);
  };
  size_t copies = 0, streams = 0;
  for (auto [part, source] : llvm::zip(image.words.parts, image.parts)) {
    Part made{source, part.port.bits, part.firstLane, part.port.perWord, {}, {}};
    made.perToken = std::max<int64_t>(1, kTokenBits / made.bits);
    for (int64_t copy = 0; copy < neighbours; ++copy)
      made.copies.push_back(program.local(named("image", copies++), shape, made.bits));
    for (int64_t first = 0; first < neighbours; first += made.perToken) {
      int64_t places = std::min(made.perToken, neighbours - first);
      made.streams.push_back(
          program.stream(named("windows", streams++), kWindowDepth, made.bits * unsigned(places)));
    }
    parts.push_back(std::move(made));
  }
}

/// What an element around the image is: it adds nothing, and is larger than none.
int64_t WindowStream::fill() const {
  return tensor.combine == Combine::Maximum ? int64_t(tensor.pixels.lowest) : 0;
}

Value WindowStream::read(const NestPoint &point, const Part &part) {
  SmallVector<AffineExpr> inside;
  for (unsigned axis = 0; axis < 2; ++axis) {
    AffineExpr at = point.dimension(axis + 1) - extents[axis].before;
    inside.push_back(at);
    inside.push_back(-at + (extents[axis].image - 1));
  }
  auto next = [&](const NestPoint &there) -> Value {
    return hls::ReadOp::create(there.builder, there.location, program.integer(part.bits),
                               part.source);
  };
  auto outside = [&](const NestPoint &) {
    uint64_t word = 0, value = uint64_t(fill()) & llvm::maskTrailingOnes<uint64_t>(image.bits);
    for (int64_t channel = 0; channel < part.channels; ++channel)
      word |= value << (uint64_t(channel) * image.bits);
    return program.constant(program.integer(part.bits), llvm::SignExtend64(word, part.bits));
  };
  return point.choose(inside, false, next, outside);
}

/// With the first word of a place's window.
void WindowStream::takePlace(const NestPoint &point) {
  point.only({point.dimension(3), point.dimension(4)}, true, [&](const NestPoint &first) {
    for (const Part &part : parts) {
      Value place = read(first, part);
      for (Value copy : part.copies)
        first.store(
            place, copy,
            {first.dimension(1) + extents[0].reach(), first.dimension(2) + extents[1].reach()});
    }
  });
}

SmallVector<Value> WindowStream::joinNeighbours(const NestPoint &point, const Part &part) {
  WordMath math(program, point);
  SmallVector<Value> found, joined;
  for (int64_t number = 0; number < neighbours; ++number)
    found.push_back(point.load(
        part.copies[size_t(number)],
        {point.dimension(1) + point.dimension(3) * extents[0].dilation,
         point.dimension(2) + (point.dimension(4) * neighbours + number) * extents[1].dilation}));
  for (ArrayRef<Value> left = found; !left.empty();) {
    size_t count = std::min(left.size(), size_t(part.perToken));
    joined.push_back(math.joined(left.take_front(count)));
    left = left.drop_front(count);
  }
  return joined;
}

/// Where a window ends.
void WindowStream::send(const NestPoint &point) {
  SmallVector<SmallVector<Value>> found;
  for (const Part &part : parts)
    found.push_back(joinNeighbours(point, part));
  SmallVector<AffineExpr> within, onStride;
  for (unsigned axis = 0; axis < 2; ++axis) {
    AffineExpr first = point.dimension(axis + 1) - extents[axis].reach();
    within.push_back(first);
    if (extents[axis].stride > 1)
      onStride.push_back(first % extents[axis].stride);
  }
  point.only(within, false, [&](const NestPoint &there) {
    there.only(onStride, true, [&](const NestPoint &inside) {
      WordMath math(program, inside);
      for (auto [part, tokens] : llvm::zip(parts, found))
        for (auto [token, stream] : llvm::zip(tokens, part.streams))
          math.write(token, stream);
    });
  });
}

/// The window that ends at a place begins its reach before it.
TensorTokens WindowStream::emit() {
  makeParts();
  double &cycles = program.work[layer].perSample;
  SmallVector<int64_t> extent{extents[0].padded(), extents[1].padded(), extents[0].kernel, words};
  cycles = std::max(cycles, double(extent[0] * extent[1] * extent[2] * extent[3]));
  emitForSamples(
      program, tensor.op->getLoc(), extent,
      [&](const NestPoint &point) {
        takePlace(point);
        send(point);
      },
      layer);
  TensorTokens made;
  made.bits = image.bits;
  for (const Part &part : parts)
    for (auto [number, stream] : llvm::enumerate(part.streams)) {
      TensorTokens::Token &token = made.tokens.emplace_back();
      token.stream = stream;
      int64_t first = int64_t(number) * part.perToken;
      for (int64_t place = first; place < std::min(first + part.perToken, neighbours); ++place)
        for (int64_t channel = 0; channel < part.channels; ++channel)
          token.values.push_back(place * image.layout.perWord + part.firstChannel + channel);
    }
  return made;
}

} // namespace

TensorTokens emitWindows(ProgramBuilder &program, const TensorLayer &tensor,
                         const TensorStreams &image, int64_t neighbours, const std::string &layer) {
  return WindowStream(program, tensor, image, neighbours, layer).emit();
}

} // namespace spindle::snn_to_loops
