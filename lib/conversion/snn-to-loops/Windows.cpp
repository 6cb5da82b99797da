#include "lib/conversion/snn-to-loops/Windows.h"

using namespace mlir;

namespace spindle::snn_to_loops {

Windows::Element Windows::at(AffineExpr channel, std::array<AffineExpr, 2> window,
                             std::array<AffineExpr, 2> place) const {
  Element element;
  element.number = channel;
  for (size_t axis = 0; axis < 2; ++axis) {
    int64_t extent = input[axis + 1], before = padding[axis];
    AffineExpr at = window[axis] * strides[axis] + place[axis] * dilations[axis] - before;
    int64_t last =
        (output[axis + 1] - 1) * strides[axis] + (kernel[axis] - 1) * dilations[axis] - before;
    if (before > 0)
      element.conditions.push_back(at);
    if (last >= extent)
      element.conditions.push_back(-at + (extent - 1));
    element.number = element.number * extent + at;
  }
  return element;
}

AffineExpr Windows::numberOf(AffineExpr channel, std::array<AffineExpr, 2> window) const {
  return (channel * output[1] + window[0]) * output[2] + window[1];
}

Value readWindow(const NestPoint &point, ProgramBuilder &program, const Signal &signal,
                 AffineExpr step, const Windows::Element &element) {
  return point.choose(
      element.conditions, false,
      [&](const NestPoint &inside) {
        return inside.load(signal.array, {step, element.number});
      },
      [&](const NestPoint &) { return program.constant(signal.type(), 0); });
}

} // namespace spindle::snn_to_loops
