// Spikes from channels side by side to channel after channel: one bit of every pixel's mask at a
// time.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

size_t addMasks(PlanBuilder &b, size_t elements) {
  return b.addBuffer(Unit::Row, elements / 8 + 64 + kVector * 8);
}

Signal addNaturalOrder(PlanBuilder &b, const Signal &bits) {
  const Image &image = bits.layout.image;
  int64_t block = image.block(), pixels = image.rows * image.columns;
  bool isOneLine = image.line == image.columns; // pixel after pixel
  Signal output = b.addSignal(Unit::Row, bits.elements, true);
  int64_t height = isOneLine ? 1 : image.rows, width = isOneLine ? pixels : image.columns;
  StageKernel k(b, Work::Rows);
  RowArray masks = k.rows(bits.buffer, k.integer(block)), rows = k.floatRows(output.buffer);
  Number ones = k.vectorOf(1), zeros = k.vectorOf(0);
  k.forRows([&](Number r) {
    Array words = masks[r], natural = rows[r];
    k.loop(image.channels, [&](Number c) {
      Array plane = words + c / block * image.plane(), planeTo = natural + c * pixels;
      Number test = Number(k, k.integer(block), int64_t(1)) << (c % block).resized(block),
             tests = test.spread(lanes::kLanes);
      k.loop(height, [&](Number y) {
        Array line = plane + y * image.line, lineTo = planeTo + y * width;
        k.loop({width, lanes::kLanes}, [&](Number x) { // runs over into what is written after
          Number spikes = ((line + x).vector() & tests) != 0;
          (lineTo + x).store(select(spikes, ones, zeros));
        });
      });
    });
  });
  b.addStage(std::move(k));
  return output;
}

} // namespace spindle::layers
