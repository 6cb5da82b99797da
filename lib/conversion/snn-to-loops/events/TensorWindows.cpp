// The windows of an image that comes place after place: each place ends a window.
#include "lib/conversion/snn-to-loops/events/TensorLayer.h"

#include "dialects/hls/Hls.h"

#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

/// Along rows or columns, zeros around the image counted in.
struct Extent {
  int64_t image, before, after, kernel, stride, dilation;

  int64_t padded() const { return image + before + after; }
  /// From the first to the last element of a window.
  int64_t reach() const { return (kernel - 1) * dilation; }
};

class WindowStream {
public:
  WindowStream(ProgramBuilder &builder, snn::Conv2dOp op, Value from, int64_t perWord,
               const std::string &name)
      : program(builder), image(from), neighbours(perWord), location(op.getLoc()), layer(name) {
    for (size_t axis = 0; axis < 2; ++axis)
      extents[axis] = {
          snn::shapeOf(op.getInput())[axis + 1],  op.getPadding()[axis], op.getPadding()[axis + 2],
          snn::shapeOf(op.getWeight())[axis + 2], op.getStrides()[axis], op.getDilations()[axis]};
    bits = cast<hls::StreamType>(from.getType()).getElement().getIntOrFloatBitWidth();
    words = int64_t(llvm::divideCeil(extents[1].kernel, neighbours));
  }

  Value emit();

private:
  void takePlace(const NestPoint &point);
  Value read(const NestPoint &point);
  Value joinNeighbours(const NestPoint &point);

  ProgramBuilder &program;
  Value image;
  int64_t neighbours, words; // places in a word; words of a row of a window
  Location location;
  const std::string &layer;
  std::array<Extent, 2> extents;
  unsigned bits; // of a place
  SmallVector<Value> places;
};

/// Zero around the image.
Value WindowStream::read(const NestPoint &point) {
  SmallVector<AffineExpr> inside;
  for (unsigned axis = 0; axis < 2; ++axis) {
    AffineExpr at = point.dimension(axis + 1) - extents[axis].before;
    inside.push_back(at);
    inside.push_back(-at + (extents[axis].image - 1));
  }
  auto next = [&](const NestPoint &there) -> Value {
    return hls::ReadOp::create(there.builder, there.location, program.integer(bits), image);
  };
  auto zero = [&](const NestPoint &) { return program.constant(program.integer(bits), 0); };
  return point.choose(inside, false, next, zero);
}

/// With the first word of a place's window; a copy for each neighbour that is read in a cycle.
void WindowStream::takePlace(const NestPoint &point) {
  point.only({point.dimension(3), point.dimension(4)}, true, [&](const NestPoint &first) {
    Value place = read(first);
    for (Value copy : places)
      first.store(
          place, copy,
          {first.dimension(1) + extents[0].reach(), first.dimension(2) + extents[1].reach()});
  });
}

Value WindowStream::joinNeighbours(const NestPoint &point) {
  WordMath math(program, point);
  SmallVector<Value> found;
  for (int64_t number = 0; number < neighbours; ++number)
    found.push_back(point.load(
        places[size_t(number)],
        {point.dimension(1) + point.dimension(3) * extents[0].dilation,
         point.dimension(2) + (point.dimension(4) * neighbours + number) * extents[1].dilation}));
  return math.joined(found);
}

/// The window that ends at a place begins its reach before it.
Value WindowStream::emit() {
  constexpr int64_t kWindowDepth = 4;
  SmallVector<int64_t> shape{extents[0].padded() + extents[0].reach(),
                             extents[1].padded() + (words * neighbours - 1) * extents[1].dilation};
  for (int64_t copy = 0; copy < neighbours; ++copy)
    places.push_back(program.local(layer + ".image" + std::to_string(copy), shape, bits));
  double &cycles = program.work[layer].perSample;
  cycles = std::max(cycles,
                    double(extents[0].padded() * extents[1].padded() * extents[0].kernel * words));
  Value stream = program.stream(layer + ".windows", kWindowDepth, bits * unsigned(neighbours));
  emitForSamples(
      program, location, {extents[0].padded(), extents[1].padded(), extents[0].kernel, words},
      [&](const NestPoint &point) {
        takePlace(point);
        Value word = joinNeighbours(point);
        SmallVector<AffineExpr> within, onStride;
        for (unsigned axis = 0; axis < 2; ++axis) {
          AffineExpr first = point.dimension(axis + 1) - extents[axis].reach();
          within.push_back(first);
          if (extents[axis].stride > 1)
            onStride.push_back(first % extents[axis].stride);
        }
        point.only(within, false, [&](const NestPoint &there) {
          there.only(onStride, true, [&](const NestPoint &inside) {
            WordMath(program, inside).write(word, stream);
          });
        });
      },
      layer);
  return stream;
}

} // namespace

Value emitWindows(ProgramBuilder &program, snn::Conv2dOp op, Value from, int64_t neighbours,
                  const std::string &layer) {
  return WindowStream(program, op, from, neighbours, layer).emit();
}

} // namespace spindle::snn_to_loops
