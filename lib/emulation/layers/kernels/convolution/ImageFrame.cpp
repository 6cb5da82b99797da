#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

namespace spindle::layers {

size_t ImageFrame::add(PlanBuilder &b) const {
  return b.addFloats(Unit::Thread, isNeeded() ? size_t(channels * plane()) : 1);
}

Array ImageFrame::around(StageKernel &k, Array image, Array frame) const {
  if (!isNeeded())
    return image;
  Array inside = frame + (top * line() + left);
  k.loop(channels, [&](Number c) {
    Array from = image + c * (rows * columns), to = inside + c * plane();
    k.loop(rows, [&](Number y) { (to + y * line()).copy(from + y * columns, columns); });
  });
  return frame;
}

} // namespace spindle::layers
