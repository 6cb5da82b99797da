// Convolutions pixel by pixel: the sums of some columns stand in registers over all inputs. For
// inputs of which many are not zero.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/kernels/convolution/Convolution.h"
#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

namespace spindle::layers {

namespace {

/// Floats from a channel, line or pixel of the input to the next one.
struct Places {
  int64_t plane, line, pixel;
};

} // namespace

/// Adds the products of a line of the kernel to the sums of neighbouring pixels: columns ascending.
static void addLine(const Convolution &conv, Array tap, Array kernel, int64_t pixel,
                    Numbers &sums) {
  const Axis &columns = conv.columns;
  for (int64_t j = 0; j < columns.kernel; ++j) {
    Number weight = (kernel + j * conv.block).aligned(conv.block);
    for (auto [p, sum] : llvm::enumerate(sums)) {
      Number input = tap[(int64_t(p) * columns.stride + j * columns.dilation) * pixel];
      sum = sum + weight * input;
    }
  }
}

/// The sums of neighbouring pixels, whose windows begin at `window`: channels, then lines of the
/// kernel ascending.
static Numbers sumsOfPixels(StageKernel &k, const Convolution &conv, const Places &places,
                            Array window, Array weights, int64_t count) {
  Numbers zeros(size_t(count), k.vectorOf(0, conv.block));
  return k.reduce(conv.channels, zeros, [&](Number c, Numbers ofChannels) {
    Array plane = window + c * places.plane, channel = weights + c * (conv.taps() * conv.block);
    return k.reduce(conv.rows.kernel, ofChannels, [&](Number i, Numbers sums) {
      Array tap = plane + i * (places.line * conv.rows.dilation);
      addLine(conv, tap, channel + i * (conv.columns.kernel * conv.block), places.pixel, sums);
      return sums;
    });
  });
}

void addDenseConvolution(PlanBuilder &b, const Convolution &conv, const Signal &input,
                         const Signal &output, std::optional<EventCount> events) {
  const Axis &rows = conv.rows, &columns = conv.columns;
  ImageFrame framed{conv.channels,  rows.input, columns.input, rows.before,
                    columns.before, rows.after, columns.after};
  Places places{framed.plane(), framed.line(), 1};
  if (input.layout.image.channels > 0) // never with a frame
    places = {1, input.layout.image.line * input.layout.image.block(), input.layout.image.block()};
  int64_t registers = lanes::registerSums() < 16 ? 4 : 14; // of one vector register each
  int64_t most = std::max<int64_t>(1, registers / std::max<int64_t>(1, conv.block / 16));
  int64_t step = std::min(columns.output, most), filter = conv.channels * conv.taps();
  const Image image = conv.image();

  StageKernel k(b, Work::Rows);
  RowArray in = k.floatRows(input.buffer);
  Array weights = k.floats(b.addParameter(packWeights(conv))),
        biases = k.floats(b.addParameter(packBias(conv))), frame = k.floats(framed.add(b));
  RowArray out = k.floatRows(output.buffer);
  k.forRows([&](Number r) {
    Array row = in[r], outRow = out[r], windows = framed.around(k, row, frame);
    k.loop(conv.blocks, [&](Number n) {
      Array block = weights + n * (filter * conv.block);
      Number bias = (biases + n * conv.block).aligned(conv.block);
      Array blockTo = outRow + n * (image.plane() * conv.block);
      k.loop(rows.output, [&](Number y) {
        Array lineFrom = windows + y * (places.line * rows.stride);
        Array lineTo = blockTo + y * (image.line * conv.block);
        k.forBlocks(columns.output, step, [&](Number x, int64_t count) {
          Array column = lineFrom + x * (columns.stride * places.pixel);
          Numbers sums = sumsOfPixels(k, conv, places, column, block, count);
          Array pixel = lineTo + x * conv.block;
          for (int64_t p = 0; p < count; ++p)
            (pixel + p * conv.block)
                .storeAligned(conv.bias.empty() ? sums[size_t(p)] : sums[size_t(p)] + bias);
        });
      });
    });
  });
  if (events)
    b.addAlternative(std::move(k), *events);
  else
    b.addStage(std::move(k));
}

} // namespace spindle::layers
