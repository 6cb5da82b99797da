// The inputs of each window of a pooling.
#include "dialects/snn/Snn.h"

using namespace mlir;

namespace spindle::snn {

/// The weight of a window of so many inputs inside the image.
using WindowWeight = llvm::function_ref<float(int64_t)>;

template <typename Op> static LinearMap windowMap(Op op, WindowWeight weightOf) {
  ArrayRef<int64_t> in = shapeOf(op.getInput()), out = shapeOf(op.getOutput());
  ArrayRef<int64_t> pad = op.getPadding(), stride = op.getStrides(), kernel = op.getKernel();
  LinearMapBuilder builder(sizeOf(op.getInput()), sizeOf(op.getOutput()));
  for (int64_t k = 0; k < out[0]; ++k)
    for (int64_t r = 0; r < out[1]; ++r)
      for (int64_t c = 0; c < out[2]; ++c) {
        int64_t top = std::max<int64_t>(0, r * stride[0] - pad[0]);
        int64_t left = std::max<int64_t>(0, c * stride[1] - pad[1]);
        int64_t bottom = std::min(in[1], r * stride[0] - pad[0] + kernel[0]);
        int64_t right = std::min(in[2], c * stride[1] - pad[1] + kernel[1]);
        float weight = weightOf((bottom - top) * (right - left));
        for (int64_t row = top; row < bottom; ++row)
          for (int64_t column = left; column < right; ++column)
            builder.connect((k * in[1] + row) * in[2] + column, weight);
        builder.endOutput();
      }
  return builder.take();
}

FailureOr<LinearMap> AvgPool2dOp::linearMap(unsigned) {
  int64_t whole = getKernel()[0] * getKernel()[1];
  return windowMap(*this, [&](int64_t inside) {
    return 1.0f / static_cast<float>(getCountIncludePad() ? whole : inside);
  });
}

FailureOr<LinearMap> SumPool2dOp::linearMap(unsigned) {
  return windowMap(*this, [](int64_t) { return 1.0f; });
}

LinearMap MaxPool2dOp::windows() {
  return windowMap(*this, [](int64_t) { return 1.0f; });
}

} // namespace spindle::snn
