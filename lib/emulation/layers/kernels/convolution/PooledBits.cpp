// Pooling of spikes that stand as bits: sixteen windows of a line at a time, channel by channel.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// The words at each place of sixteen windows, lines and columns ascending.
static Numbers wordsOf(const Windows &windows, Array window, int64_t line) {
  int64_t step = windows.strides[1], span = (lanes::kLanes - 1) * step + windows.kernel[1];
  Numbers words;
  for (int64_t i = 0; i < windows.kernel[0]; ++i) {
    Number all = (window + i * line).vector(span);
    for (int64_t j = 0; j < windows.kernel[1]; ++j)
      words.push_back(all.shuffled(lanes::kLanes, [&](int64_t lane) { return lane * step + j; }));
  }
  return words;
}

Signal addPooledBits(PlanBuilder &b, mlir::Operation *op, const Signal &bits) {
  Windows windows = windowsOf(op);
  const Image &image = bits.layout.image;
  int64_t block = image.block(), columns = windows.out[2], plane = windows.out[1] * columns;
  Signal output = b.addSignal(Unit::Row, size_t(snn::sizeOf(op->getResult(0))), false);
  StageKernel k(b, Work::Rows);
  RowArray masks = k.rows(bits.buffer, k.integer(block)), out = k.floatRows(output.buffer);
  Number one(k, k.integer(block), int64_t(1)), zeros = k.vectorOf(0);
  k.forRows([&](Number r) {
    Array words = masks[r], outRow = out[r];
    k.loop(image.blocks(), [&](Number n) {
      Array blockFrom = words + n * image.plane();
      Number first = n * block, most = least(k.number(image.channels) - first, k.number(block));
      Array blockTo = outRow + first * plane;
      k.loop(windows.out[1], [&](Number y) {
        Array line = blockFrom + y * (windows.strides[0] * image.line);
        Array lineTo = blockTo + y * columns;
        k.forBlocks(columns, lanes::kLanes, [&](Number x, int64_t count) {
          Numbers places = wordsOf(windows, line + x * windows.strides[1], image.line);
          k.loop(most, [&](Number c) {
            Number tests = (one << c.resized(block)).spread(lanes::kLanes), sum = zeros;
            for (const Number &word : places)
              sum = select((word & tests) != 0, sum + 1, sum);
            Number result = pooledSum(op, sum);
            Array to = lineTo + c * plane + x;
            if (count == lanes::kLanes)
              to.store(result);
            else
              to.store(result, lanesBefore(k.number(count)));
          });
        });
      });
    });
  });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
