#include "hw/hls/prepare/Stages.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace spindle::hls {

/// A loop in steps of s from max(a, b, …) where the differences are multiples of s, so that all
/// starts lead to the same numbers: i = a + s k for k from max(0, (b - a) / s, …).
static LogicalResult countFromFirst(affine::AffineForOp loop) {
  int64_t step = loop.getStepAsInt();
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  unsigned dims = lower.getNumDims(), symbols = lower.getNumSymbols();
  AffineExpr first = lower.getResult(0);
  SmallVector<AffineExpr> starts, ends;
  for (AffineExpr start : lower.getResults()) {
    AffineExpr distance = simplifyAffineExpr(start - first, dims, symbols);
    if (!distance.isMultipleOf(step))
      return failure();
    starts.push_back(distance.floorDiv(step));
  }
  AffineMap shifted = upper.shiftDims(dims).shiftSymbols(symbols);
  for (AffineExpr end : shifted.getResults())
    ends.push_back((end - first).ceilDiv(step));
  ValueRange from = loop.getLowerBoundOperands(), to = loop.getUpperBoundOperands();
  auto joined = [](ValueRange a, unsigned dimsOfA, ValueRange b, unsigned dimsOfB) {
    SmallVector<Value> all(a.take_front(dimsOfA));
    llvm::append_range(all, b.take_front(dimsOfB));
    llvm::append_range(all, a.drop_front(dimsOfA));
    llvm::append_range(all, b.drop_front(dimsOfB));
    return all;
  };
  SmallVector<Value> starting(from), ending = joined(from, dims, to, upper.getNumDims());
  MLIRContext *context = loop.getContext();
  AffineMap startMap = AffineMap::get(dims, symbols, starts, context);
  AffineMap endMap = AffineMap::get(shifted.getNumDims(), shifted.getNumSymbols(), ends, context);
  affine::canonicalizeMapAndOperands(&startMap, &starting);
  affine::canonicalizeMapAndOperands(&endMap, &ending);
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  SmallVector<Value> inside = joined(from, dims, loop.getInductionVar(), 1);
  AffineMap variable =
      AffineMap::get(dims + 1, symbols, first + builder.getAffineDimExpr(dims) * step);
  auto number = affine::AffineApplyOp::create(builder, loop.getLoc(), variable, inside);
  loop.getInductionVar().replaceAllUsesExcept(number, number);
  loop.setLowerBound(starting, startMap);
  loop.setUpperBound(ending, endMap);
  loop.setStep(1);
  return success();
}

/// Affine operations that look at `variable`, or at what these make of it.
static void collectReaders(Value variable, DenseSet<Operation *> &readers) {
  for (Operation *user : variable.getUsers()) {
    bool isAffine = isa<affine::AffineDialect>(user->getDialect());
    if (!isAffine || isa<affine::AffineYieldOp>(user) || !readers.insert(user).second)
      continue;
    if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(user))
      collectReaders(user->getResult(0), readers);
    auto loop = dyn_cast<affine::AffineForOp>(user);
    bool isBound = loop && (llvm::is_contained(loop.getLowerBoundOperands(), variable) ||
                            llvm::is_contained(loop.getUpperBoundOperands(), variable));
    if (isBound)
      collectReaders(loop.getInductionVar(), readers);
    else if (loop)
      readers.erase(user); // carried
  }
}

/// A loop whose start only the run knows counts as scf.for does; its variable is data for all that
/// is inside.
static LogicalResult countFromData(affine::AffineForOp loop) {
  DenseSet<Operation *> lowered{loop};
  collectReaders(loop.getInductionVar(), lowered);
  ConversionTarget target(*loop.getContext());
  target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect,
                         vector::VectorDialect>();
  target.addDynamicallyLegalDialect<affine::AffineDialect>([&](Operation *op) {
    bool ends = isa<affine::AffineYieldOp>(op);
    return ends ? isa<affine::AffineDialect>(op->getParentOp()->getDialect()) &&
                      !lowered.contains(op->getParentOp())
                : !lowered.contains(op);
  });
  RewritePatternSet patterns(loop.getContext());
  populateAffineToStdConversionPatterns(patterns);
  return applyPartialConversion(loop->getParentOfType<func::FuncOp>(), target, std::move(patterns));
}

LogicalResult normalizeLoops(func::FuncOp top) {
  SmallVector<affine::AffineForOp> late;
  top.walk([&](affine::AffineForOp loop) {
    if (loop.getStepAsInt() != 1 && failed(affine::normalizeAffineFor(loop)) &&
        failed(countFromFirst(loop)))
      late.push_back(loop);
  });
  for (affine::AffineForOp loop : late)
    if (failed(countFromData(loop)))
      return failure();
  top.walk([](affine::AffineForOp loop) { (void)affine::promoteIfSingleIteration(loop); });
  return success();
}

} // namespace spindle::hls
