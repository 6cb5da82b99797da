// Pooling of spikes that stand as bits, channels side by side: bits become bytes, which are added.
#include "lib/emulation/layers/kernels/convolution/PooledImage.h"

namespace spindle::layers {

static constexpr int64_t kBits = 128;

/// The sums of as many windows as fill 128 bits, as bytes: lines and columns ascending.
static Number sumsOfBits(StageKernel &k, const SpikePooling &pooling, Array window) {
  const Image &image = pooling.bits.layout.image;
  Windows windows = windowsOf(pooling.op);
  int64_t together = kBits / image.block(), step = windows.strides[1],
          span = (together - 1) * step + windows.kernel[1];
  Number sum(k, k.lanesOf(k.integer(8), kBits), int64_t(0));
  for (int64_t i = 0; i < windows.kernel[0]; ++i) {
    Number line = (window + i * image.line).vector(span);
    for (int64_t j = 0; j < windows.kernel[1]; ++j) {
      Number words = line.shuffled(together, [&](int64_t lane) { return lane * step + j; });
      sum = sum - words.as(k.lanesOf(k.integer(1), kBits)).signExtended(8);
    }
  }
  return sum;
}

/// Calls `put(to, sums, count)` for the sums of each `count` windows. What it outputs after a
/// line is overwritten by the next one. Pixels of the result are so many elements.
static void addWindows(PlanBuilder &b, StageKernel &&k, const SpikePooling &pooling,
                       const RowArray &masks, const RowArray &out, int64_t pixel,
                       llvm::function_ref<void(Array, Number, int64_t)> put) {
  const Image &image = pooling.bits.layout.image;
  Windows windows = windowsOf(pooling.op);
  int64_t columns = windows.out[2];
  k.forRows([&](Number r) {
    Array words = masks[r], outRow = out[r];
    k.loop(windows.out[1], [&](Number y) {
      Array line = words + y * (windows.strides[0] * image.line);
      Array lineTo = outRow + y * (columns * pixel);
      k.forBlocks(columns, kBits / image.block(), [&](Number x, int64_t count) {
        Number sums = sumsOfBits(k, pooling, line + x * windows.strides[1]);
        put(lineTo + x * pixel, sums, count);
      });
    });
  });
  b.addStage(std::move(k));
}

bool staysImage(const SpikePooling &pooling) {
  Windows windows = windowsOf(pooling.op);
  return pooling.bits.layout.image.blocks() == 1 && windows.inputs() <= UINT8_MAX;
}

static Image imageOf(const SpikePooling &pooling) {
  llvm::ArrayRef<int64_t> shape = windowsOf(pooling.op).out;
  return {shape[0], shape[1], shape[2]};
}

Signal addPooledImage(PlanBuilder &b, const SpikePooling &pooling) {
  Image image = imageOf(pooling);
  Layout layout = layoutOf(image);
  size_t elements = layout.place.size(), buffer = b.addFloats(Unit::Row, layout.size);
  int64_t block = image.block();
  StageKernel k(b, Work::Rows);
  RowArray masks = k.rows(pooling.bits.buffer, k.integer(block)), out = k.floatRows(buffer);
  addWindows(b, std::move(k), pooling, masks, out, block,
             [&](Array to, Number sums, int64_t windows) {
               for (int64_t n = 0; n < windows * block; n += lanes::kLanes) {
                 Number part = sums.shuffled(lanes::kLanes, [&](int64_t lane) { return n + lane; });
                 (to + n).storeAligned(pooledSum(pooling.op, part.resized(32).toFloat()), block);
               }
             });
  return {buffer, elements, std::move(layout), false};
}

size_t addPooledBytes(PlanBuilder &b, const SpikePooling &pooling) {
  Image image = imageOf(pooling);
  int64_t block = image.block();
  size_t out = b.addBuffer(Unit::Row, size_t(image.channels * image.rows * image.columns + kBits));
  StageKernel k(b, Work::Rows);
  RowArray masks = k.rows(pooling.bits.buffer, k.integer(block)), bytes = k.rows(out, k.integer(8));
  addWindows(b, std::move(k), pooling, masks, bytes, image.channels,
             [&](Array to, Number sums, int64_t) {
               to.store(sums.shuffled(kBits, [&](int64_t lane) {
                 int64_t window = lane / image.channels;
                 return window < kBits / block ? window * block + lane % image.channels : 0;
               }));
             });
  return out;
}

} // namespace spindle::layers
