// Constraints of encoders, decoders and the activation of an ANN, by the labels of CodingOps.td.
#include "dialects/snn/Snn.h"

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
  return success();
}

LogicalResult DecodeOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  bool spikes = isa<SpikeBundleType>(getInput().getType());
  if (spikes != (getDecoding() != Decoding::Membrane))
    return emitOpError(stringifyDecoding(getDecoding()))
           << " decoding reads " << (spikes ? "a current" : "spikes") << ", the input is "
           << getInput().getType();
  return success();
}

} // namespace spindle::snn
