// Streams of programs and of kernels.
#include "dialects/hls/Streams.h"

namespace spindle::hls {

namespace {

constexpr int64_t kMostTokens = 1 << 16;

bool isToken(mlir::Type type) {
  return type.isSignlessInteger() && type.getIntOrFloatBitWidth() >= 1 &&
         type.getIntOrFloatBitWidth() <= 64;
}

bool isDepth(int64_t depth) { return depth >= 1 && depth <= kMostTokens; }

mlir::LogicalResult verifyEnd(mlir::Operation *op, mlir::Type token, const char *label) {
  FifoOp fifo = fifoOf(op);
  if (!fifo)
    return op->emitOpError("names a FIFO that is not in the kernel (") << label << ")";
  if (fifo.getType() != token)
    return op->emitOpError("has type ")
           << token << ", expected " << fifo.getType() << " (" << label << ")";
  return mlir::success();
}

} // namespace

mlir::LogicalResult StreamType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                       mlir::Type element) {
  if (!isToken(element))
    return emitError() << "a stream of " << element << ", expected tokens of i1 to i64";
  return mlir::success();
}

mlir::LogicalResult MakeStreamOp::verify() {
  if (!isDepth(static_cast<int64_t>(getDepth())))
    return emitOpError("has depth ") << static_cast<int64_t>(getDepth()) << ", expected 1 to "
                                     << kMostTokens << " (make_stream_c1)";
  return mlir::success();
}

mlir::LogicalResult FifoOp::verify() {
  if (!isToken(getType()) || !isDepth(static_cast<int64_t>(getDepth())))
    return emitOpError("holds ") << static_cast<int64_t>(getDepth()) << " tokens of type "
                                 << getType() << ", expected 1 to " << kMostTokens
                                 << " of i1 to i64 (fifo_c1)";
  return mlir::success();
}

mlir::LogicalResult PopOp::verify() {
  auto start = (*this)->getAttrOfType<mlir::IntegerAttr>(HlsDialect::startName);
  if (start && start.getInt() != 0)
    return emitOpError("starts in cycle ") << start.getInt() << ", expected 0 (pop_c2)";
  return verifyEnd(*this, getResult().getType(), "pop_c1");
}

mlir::LogicalResult PushOp::verify() { return verifyEnd(*this, getValue().getType(), "push_c1"); }

FifoOp fifoOf(mlir::Operation *op) {
  auto name = op->getAttrOfType<mlir::FlatSymbolRefAttr>("fifo");
  auto kernel = op->getParentOfType<KernelOp>();
  return name && kernel ? kernel.lookupSymbol<FifoOp>(name) : FifoOp();
}

mlir::Value conditionOf(mlir::Operation *op) {
  auto pop = llvm::dyn_cast<PopOp>(op);
  return pop ? pop.getCondition() : llvm::cast<PushOp>(op).getCondition();
}

bool usesStream(mlir::Operation *op) {
  return op
      ->walk([&](mlir::Operation *inner) {
        return llvm::isa<ReadOp, WriteOp, PopOp, PushOp>(inner) ? mlir::WalkResult::interrupt()
                                                                : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t roomNeeded(PipelineOp pipeline, FifoOp fifo) {
  int64_t room = 0;
  for (mlir::Operation &op : pipeline.getBody().front())
    if (llvm::isa<PushOp>(op) && fifoOf(&op) == fifo)
      room += 1 + (pipeline.repeats() ? startOf(&op) / static_cast<int64_t>(pipeline.getInterval())
                                      : 0);
  return room;
}

} // namespace spindle::hls
