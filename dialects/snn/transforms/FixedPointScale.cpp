#include "dialects/snn/transforms/FixedPointScale.h"

using namespace mlir;

namespace spindle::snn {

EncodeOp directEncoderOf(Value current) {
  while (Operation *op = current.hasOneUse() ? current.getDefiningOp() : nullptr) {
    if (auto encode = dyn_cast<EncodeOp>(op))
      return encode.getEncoding() == Encoding::Direct ? encode : EncodeOp();
    if (!isa<ReshapeOp, TransposeOp>(op))
      break;
    current = op->getOperand(0);
  }
  return {};
}

void shiftCurrent(EncodeOp encoder, int64_t shift, int64_t most) {
  OpBuilder builder(encoder);
  Value sums = encoder.getInput();
  Value shifted = QuantizeOp::create(builder, encoder.getLoc(), sums.getType(), sums,
                                     builder.getF32FloatAttr(std::ldexp(1.0f, int(shift))),
                                     builder.getI64IntegerAttr(-most),
                                     builder.getI64IntegerAttr(most), encoder.getLayerAttr());
  encoder.setOperand(shifted);
}

} // namespace spindle::snn
