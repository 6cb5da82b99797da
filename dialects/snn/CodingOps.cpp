// Constraints of encoders, decoders and the activation of an ANN, by the labels of CodingOps.td.
#include "dialects/snn/Snn.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

Encoding encodingOf(InputEncoding encoding) {
  switch (encoding) {
  case InputEncoding::Direct:
    return Encoding::Direct;
  case InputEncoding::Poisson:
    return Encoding::Poisson;
  case InputEncoding::Regular:
    return Encoding::Regular;
  case InputEncoding::Latency:
    return Encoding::Latency;
  case InputEncoding::Events:
    return Encoding::Events;
  }
  llvm_unreachable("an encoding of none of these kinds");
}

static LogicalResult verifyShapes(Operation *op) {
  if (shapeOf(op->getOperand(0)) != shapeOf(op->getResult(0)))
    return op->emitOpError("input and output must have the same shape");
  return success();
}

LogicalResult ReluOp::verify() {
  if (getMaximum() && !(getMaximum()->convertToFloat() > 0))
    return emitOpError("maximum must be positive");
  if (getLevels() && (!getMaximum() || int64_t(*getLevels()) < 1))
    return emitOpError("levels must be at least one and come with a maximum");
  return success();
}

LogicalResult QuantizeOp::verify() {
  float unit = getUnit().convertToFloat();
  if (!(unit > 0) || !std::isfinite(unit))
    return emitOpError("unit must be positive and finite");
  constexpr int64_t kMost = 1 << 24;
  auto low = int64_t(getLow()), high = int64_t(getHigh());
  if (low > high || low < -kMost || high > kMost)
    return emitOpError("low must be at most high, both within 2^24 by amount");
  return success();
}

/// encode_c5
static LogicalResult verifyIntegers(EncodeOp op) {
  if (!op.getIntegers())
    return success();
  float maximum = op.getMaximum().convertToFloat();
  bool latency = op.getEncoding() == Encoding::Latency;
  if (!latency && op.getEncoding() != Encoding::Regular)
    return op.emitOpError("integers come with regular or latency encoding");
  if (maximum != std::trunc(maximum) || maximum > 4095)
    return op.emitOpError("maximum must be an integer up to 4095 for integers");
  if (latency && (2 * double(*op.getSteps()) + 1) * double(maximum) >= 1 << 24)
    return op.emitOpError("steps are too many for integers, 2 * steps * maximum must be less than "
                          "2^24");
  return success();
}

LogicalResult EncodeOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  bool spikes = isa<SpikeBundleType>(getOutput().getType());
  if (spikes != (getEncoding() != Encoding::Direct))
    return emitOpError(stringifyEncoding(getEncoding()))
           << " encoding makes " << (spikes ? "current" : "spikes") << ", the output is "
           << getOutput().getType();
  if (!(getMaximum().convertToFloat() > 0))
    return emitOpError("maximum must be positive");
  bool latency = getEncoding() == Encoding::Latency;
  if (latency != getSteps().has_value() || (latency && int64_t(*getSteps()) < 1))
    return emitOpError("steps must be at least one for latency encoding, absent for the others");
  return verifyIntegers(*this);
}

LogicalResult DecodeOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  bool spikes = isa<SpikeBundleType>(getInput().getType());
  if (spikes != (getDecoding() != Decoding::Membrane))
    return emitOpError(stringifyDecoding(getDecoding()))
           << " decoding reads " << (spikes ? "a current" : "spikes") << ", the input is "
           << getInput().getType();
  if (!getMaximum())
    return success();
  auto maximum = int64_t(*getMaximum());
  if (getDecoding() != Decoding::Count || maximum < 1 || maximum > (1 << 24))
    return emitOpError("maximum must be 1 to 2^24 for count decoding, absent for the others");
  return success();
}

} // namespace spindle::snn
