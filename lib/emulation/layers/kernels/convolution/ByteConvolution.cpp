// Convolutions of sums of spikes by integer weights: dot products of four bytes, sums of a line of
// pixels in registers.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/kernels/convolution/PooledImage.h"

#include <cmath>

namespace spindle::layers {

/// Sums on the way are exact in f32, too: products of quotients by a power of two, less than 2^24
/// of the last digit.
bool isByteConvolution(const Convolution &conv, const SpikePooling &pooling) {
  int64_t inputs = windowsOf(pooling.op).inputs(), size = conv.channels * conv.taps();
  bool isExact = mlir::isa<snn::SumPool2dOp>(pooling.op) || llvm::isPowerOf2_64(uint64_t(inputs));
  const Axis &rows = conv.rows, &columns = conv.columns;
  bool isPadded = rows.before || rows.after || columns.before || columns.after;
  if (!lanes::hasByteProducts() || !isExact || isPadded || columns.dilation != 1 ||
      conv.block < int64_t(kVector))
    return false;
  for (int64_t f = 0; f < conv.filters; ++f) {
    double most = 0;
    for (int64_t k = 0; k < size; ++k) {
      float weight = conv.weights[size_t(f * size + k)];
      if (weight != std::trunc(weight) || weight < INT8_MIN || weight > INT8_MAX)
        return false;
      most += std::abs(double(weight)) * double(inputs);
    }
    if (most > 1 << 24)
      return false;
  }
  return true;
}

/// Dot products of a line of the kernel.
static int64_t groupsOf(const Convolution &conv) {
  return (conv.columns.kernel * conv.channels + 3) / 4;
}

/// Parts of sixteen filters × kernel rows × groups × filters × four bytes: columns, then channels.
static std::vector<int8_t> packBytes(const Convolution &conv) {
  int64_t line = conv.columns.kernel * conv.channels, vector = int64_t(kVector);
  std::vector<int8_t> packed;
  for (int64_t part = 0; part * vector < conv.filters; ++part)
    for (int64_t i = 0; i < conv.rows.kernel; ++i)
      for (int64_t group = 0; group < groupsOf(conv); ++group)
        for (int64_t lane = 0; lane < 4 * vector; ++lane) {
          int64_t f = part * vector + lane / 4, n = 4 * group + lane % 4;
          int64_t j = n / conv.channels, channel = n % conv.channels;
          size_t at = size_t(
              ((f * conv.channels + channel) * conv.rows.kernel + i) * conv.columns.kernel + j);
          packed.push_back(f < conv.filters && n < line ? int8_t(conv.weights[at]) : int8_t(0));
        }
  return packed;
}

/// Adds a line of the kernel to the sums of neighbouring columns: four bytes times weights at once.
static void addLineOfBytes(StageKernel &k, const Convolution &conv, Array tap, Array kernel,
                           Numbers &sums) {
  constexpr int64_t kBytes = 4 * lanes::kLanes;
  for (int64_t group = 0; group < groupsOf(conv); ++group) {
    Number weights = (kernel + group * kBytes).aligned(kBytes);
    for (auto [column, sum] : llvm::enumerate(sums)) {
      int64_t first = int64_t(column) * conv.columns.stride * conv.channels + 4 * group;
      Number four = (tap + first).load(k.integer(32));
      Number inputs = four.spread(lanes::kLanes).as(weights.type());
      sum = lanes::intrinsic("llvm.x86.avx512.vpdpbusd.512", sum.type(), {sum, inputs, weights});
    }
  }
}

Signal addByteConvolution(PlanBuilder &b, const Convolution &conv, const SpikePooling &pooling) {
  size_t input = addPooledBytes(b, pooling);
  Signal output = addResult(b, conv);
  Image image = conv.image();
  const Axis &rows = conv.rows, &columns = conv.columns;
  int64_t line = columns.input * conv.channels, groups = groupsOf(conv), vector = int64_t(kVector);
  int64_t step = std::min<int64_t>(columns.output, 14), kernelLine = groups * 4 * vector;

  StageKernel k(b, Work::Rows);
  RowArray bytes = k.rows(input, k.integer(8));
  Array weights = k.array(b.addParameter(packBytes(conv)), k.integer(8)),
        biases = k.floats(b.addParameter(packBias(conv)));
  RowArray out = k.floatRows(output.buffer);
  Number zeros(k, k.lanesOf(k.integer(32)), int64_t(0));
  k.forRows([&](Number r) {
    Array row = bytes[r], outRow = out[r];
    k.loop((conv.filters + vector - 1) / vector, [&](Number p) {
      Array part = weights + p * (rows.kernel * kernelLine);
      Number filter = p * vector, bias = (biases + filter).aligned();
      Number place = filter / conv.block * (image.plane() * conv.block) + filter % conv.block;
      Array filterTo = outRow + place;
      k.loop(rows.output, [&](Number y) {
        Array lineFrom = row + y * (line * rows.stride);
        Array lineTo = filterTo + y * (image.line * conv.block);
        k.forBlocks(columns.output, step, [&](Number x, int64_t count) {
          Array window = lineFrom + x * (columns.stride * conv.channels);
          Numbers sums(size_t(count), zeros);
          sums = k.reduce(rows.kernel, sums, [&](Number i, Numbers ofLines) {
            addLineOfBytes(k, conv, window + i * (line * rows.dilation), part + i * kernelLine,
                           ofLines);
            return ofLines;
          });
          Array pixel = lineTo + x * conv.block;
          for (int64_t n = 0; n < count; ++n) {
            Number sum = pooledSum(pooling.op, sums[size_t(n)].toFloat());
            (pixel + n * conv.block).storeAligned(conv.bias.empty() ? sum : sum + bias);
          }
        });
      });
    });
  });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
