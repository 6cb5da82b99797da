// Maps with products, quotients or remainders of two values that are not known, as lowered views
// with open strides have them: no circuit is affine in them, so they are computed.
#include "hw/hls/prepare/Stages.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace spindle::hls {

static bool isPure(AffineMap map) {
  return llvm::all_of(map.getResults(), [](AffineExpr each) { return each.isPureAffine(); });
}

namespace {
/// Upstream says of such products that they do not overflow, which nobody knows of these.
struct ForgetOverflow : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
      op->setAttr(flagged.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(op->getContext(),
                                                       arith::IntegerOverflowFlags::none));
  }
};
} // namespace

LogicalResult lowerAffine(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect>();
  target.addIllegalDialect<affine::AffineDialect>();
  ForgetOverflow listener;
  ConversionConfig config;
  config.listener = &listener;
  return applyPartialConversion(function, target, std::move(patterns), config);
}

/// Bounds, minima and conditions: what is within a loop that is not affine is not affine either.
static bool hasOpenBounds(func::FuncOp top) {
  auto isOpen = [](AffineExpr each) { return !each.isPureAffine(); };
  return top
      .walk([&](Operation *op) {
        for (NamedAttribute attribute : op->getAttrs())
          if (auto map = dyn_cast<AffineMapAttr>(attribute.getValue());
              map && llvm::any_of(map.getValue().getResults(), isOpen))
            return WalkResult::interrupt();
        auto branch = dyn_cast<affine::AffineIfOp>(op);
        bool isOpenBranch = branch && llvm::any_of(branch.getIntegerSet().getConstraints(), isOpen);
        return isOpenBranch ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What a program says of its loops would be lost; it is refused as not affine.
static bool hasDirectives(func::FuncOp top) {
  return top
      .walk([](Operation *op) {
        bool isLoop = isa<affine::AffineForOp, affine::AffineParallelOp>(op);
        return isLoop && llvm::any_of(op->getDiscardableAttrs(),
                                      [](NamedAttribute each) {
                                        return each.getName().getValue().starts_with("hls.");
                                      })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult expandProducts(func::FuncOp top) {
  ForgetOverflow listener;
  IRRewriter rewriter(top.getContext(), &listener);
  WalkResult result = top.walk([&](Operation *op) {
    auto expand = [&](AffineMap map, ValueRange operands) {
      rewriter.setInsertionPoint(op);
      return affine::expandAffineMap(rewriter, op->getLoc(), map, operands);
    };
    std::optional<SmallVector<Value, 8>> values;
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op); apply && !isPure(apply.getAffineMap())) {
      if (!(values = expand(apply.getAffineMap(), apply.getMapOperands())))
        return WalkResult::interrupt();
      rewriter.replaceOp(op, *values);
    } else if (auto load = dyn_cast<affine::AffineLoadOp>(op);
               load && !isPure(load.getAffineMap())) {
      if (!(values = expand(load.getAffineMap(), load.getMapOperands())))
        return WalkResult::interrupt();
      rewriter.replaceOpWithNewOp<memref::LoadOp>(op, load.getMemRef(), *values);
    } else if (auto store = dyn_cast<affine::AffineStoreOp>(op);
               store && !isPure(store.getAffineMap())) {
      if (!(values = expand(store.getAffineMap(), store.getMapOperands())))
        return WalkResult::interrupt();
      rewriter.replaceOpWithNewOp<memref::StoreOp>(op, store.getValueToStore(), store.getMemRef(),
                                                   *values);
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted() ||
                 (hasOpenBounds(top) && !hasDirectives(top) && failed(lowerAffine(top))));
}

} // namespace spindle::hls
