// Convolutions of groups of few filters, depthwise ones above all: vectors hold neighbouring
// pixels of a line, so that it does not matter how few filters read a channel. Some filters of a
// group share what they read.
#include "lib/emulation/layers/kernels/convolution/Convolution.h"
#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

namespace spindle::layers {

/// Adds the products of a line of the kernels of some filters to their sums, each of sixteen
/// windows: columns ascending. Weights of a filter lie `filterSize` after those of the one before.
static void addLineOfFilters(const Convolution &conv, Array tap, Array kernel, Numbers &sums) {
  int64_t stride = conv.columns.stride, span = (lanes::kLanes - 1) * stride + 1,
          filterSize = conv.channels * conv.taps();
  for (int64_t j = 0; j < conv.columns.kernel; ++j) {
    Number inputs =
        (tap + j * conv.columns.dilation).vector(span).shuffled(lanes::kLanes, [&](int64_t lane) {
          return lane * stride;
        });
    for (auto [f, sum] : llvm::enumerate(sums)) {
      Number weight = kernel[int64_t(f) * filterSize + j];
      sum = sum + weight * inputs;
    }
  }
}

/// The sums of sixteen windows, from `window` on, for some filters: channels, then lines of the
/// kernel ascending.
static Numbers sumsOfFilters(StageKernel &k, const Convolution &conv, const ImageFrame &frame,
                             Array window, Array filters, int64_t count) {
  Numbers zeros(size_t(count), k.vectorOf(0));
  return k.reduce(conv.channels, zeros, [&](Number c, Numbers ofChannels) {
    Array plane = window + c * frame.plane(), kernel = filters + c * conv.taps();
    return k.reduce(conv.rows.kernel, ofChannels, [&](Number i, Numbers sums) {
      addLineOfFilters(conv, plane + i * (frame.line() * conv.rows.dilation),
                       kernel + i * conv.columns.kernel, sums);
      return sums;
    });
  });
}

Signal addGroupedConvolution(PlanBuilder &b, const Convolution &conv, int64_t groups,
                             const Signal &input) {
  const Axis &rows = conv.rows, &columns = conv.columns;
  Signal output = b.addSignal(Unit::Row, size_t(conv.filters * conv.pixels()), false);
  ImageFrame frame{conv.channels * groups, rows.input, columns.input, rows.before,
                   columns.before,         rows.after, columns.after};
  int64_t groupFilters = conv.filters / groups, together = 8;
  while (groupFilters % together != 0)
    together /= 2;
  std::vector<float> bias(conv.bias);
  bias.resize(size_t(conv.filters));
  StageKernel k(b, Work::Rows);
  RowArray in = k.floatRows(input.buffer);
  Array weights = k.floats(b.addParameter(conv.weights)), biases = k.floats(b.addParameter(bias)),
        framed = k.floats(frame.add(b));
  RowArray out = k.floatRows(output.buffer);
  int64_t rest = columns.output % lanes::kLanes;
  Number all(k, k.lanesOf(k.integer(1)), int64_t(1)), last = lanesBefore(k.number(rest));
  k.forRows([&](Number r) {
    Array row = in[r], outRow = out[r], images = frame.around(k, row, framed);
    k.loop({conv.filters, together}, [&](Number f) {
      Array image = images + f / groupFilters * conv.channels * frame.plane();
      Array filters = weights + f * (conv.channels * conv.taps());
      Array filterTo = outRow + f * conv.pixels();
      Numbers biasOf;
      for (int64_t n = 0; n < together; ++n)
        biasOf.push_back((biases + f)[n].spread(lanes::kLanes));
      k.loop(rows.output, [&](Number y) {
        Array line = image + y * (frame.line() * rows.stride);
        Array lineTo = filterTo + y * columns.output;
        k.loop({columns.output, lanes::kLanes}, [&](Number x) {
          Array window = line + x * columns.stride;
          Numbers sums = sumsOfFilters(k, conv, frame, window, filters, together);
          Number inLine = select(x < columns.output - rest, all, last);
          Array to = lineTo + x;
          for (int64_t n = 0; n < together; ++n) {
            Number sum = sums[size_t(n)];
            (to + n * conv.pixels())
                .store(conv.bias.empty() ? sum : sum + biasOf[size_t(n)], inLine);
          }
        });
      });
    });
  });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
