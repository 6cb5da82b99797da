#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace spindle::hls {

/// Where the element `indices` of a cast stands in the array it views.
static SmallVector<Value> indicesBehind(memref::ReinterpretCastOp reinterpret, ValueRange indices,
                                        PatternRewriter &rewriter) {
  auto source = cast<MemRefType>(reinterpret.getSource().getType());
  Location location = reinterpret.getLoc();
  OpFoldResult linear = reinterpret.getMixedOffsets().front();
  AffineExpr sum, index, stride;
  bindDims(reinterpret.getContext(), sum, index);
  bindSymbols(reinterpret.getContext(), stride);
  for (auto [position, step] : llvm::zip(indices, reinterpret.getMixedStrides()))
    linear = affine::makeComposedFoldedAffineApply(rewriter, location, sum + index * stride,
                                                   {linear, OpFoldResult(position), step});
  AffineExpr whole = getAffineDimExpr(0, reinterpret.getContext());
  SmallVector<Value> behind;
  int64_t block = source.getNumElements();
  for (auto [dim, extent] : llvm::enumerate(source.getShape())) {
    block /= extent;
    AffineExpr part = whole.floorDiv(block);
    if (dim > 0)
      part = part % extent;
    behind.push_back(getValueOrCreateConstantIndexOp(
        rewriter, location,
        affine::makeComposedFoldedAffineApply(rewriter, location, part, {linear})));
  }
  return behind;
}

namespace {
/// An access to a cast is one to the array it views.
template <typename Access> struct ThroughCast : OpRewritePattern<Access> {
  using OpRewritePattern<Access>::OpRewritePattern;

  LogicalResult matchAndRewrite(Access op, PatternRewriter &rewriter) const override {
    auto cast = op.getMemRef().template getDefiningOp<memref::ReinterpretCastOp>();
    auto source = cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
    if (!source || !source.hasStaticShape() || !source.getLayout().isIdentity())
      return failure();
    SmallVector<Value> indices = indicesBehind(cast, op.getIndices(), rewriter);
    rewriter.modifyOpInPlace(op, [&] {
      op.getMemrefMutable().assign(cast.getSource());
      op.getIndicesMutable().assign(indices);
    });
    return success();
  }
};

/// An access to a transposed array is one to the array, its indices in the other order.
template <typename Access> struct ThroughTranspose : OpRewritePattern<Access> {
  using OpRewritePattern<Access>::OpRewritePattern;

  LogicalResult matchAndRewrite(Access op, PatternRewriter &rewriter) const override {
    auto transpose = op.getMemRef().template getDefiningOp<memref::TransposeOp>();
    if (!transpose)
      return failure();
    AffineMap order = transpose.getPermutation();
    SmallVector<Value> indices(op.getIndices());
    for (auto [position, index] : llvm::enumerate(op.getIndices()))
      indices[order.getDimPosition(unsigned(position))] = index;
    rewriter.modifyOpInPlace(op, [&] {
      op.getMemrefMutable().assign(transpose.getIn());
      op.getIndicesMutable().assign(indices);
    });
    return success();
  }
};
} // namespace

static bool isAlias(Value array) {
  Operation *op = array.getDefiningOp();
  return op && !isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op);
}

/// Affine accesses to views of arrays, with their indices spelled out, so that one set of rules
/// serves both kinds.
static void spellOutIndices(func::FuncOp top) {
  IRRewriter rewriter(top.getContext());
  auto indicesOf = [&rewriter](Operation *op, AffineMap map, ValueRange operands) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> indices;
    for (unsigned n = 0; n < map.getNumResults(); ++n)
      indices.push_back(
          affine::AffineApplyOp::create(rewriter, op->getLoc(), map.getSubMap({n}), operands));
    return indices;
  };
  top.walk([&](Operation *op) {
    if (auto load = dyn_cast<affine::AffineLoadOp>(op); load && isAlias(load.getMemRef())) {
      auto indices = indicesOf(op, load.getAffineMap(), load.getMapOperands());
      rewriter.replaceOpWithNewOp<memref::LoadOp>(op, load.getMemRef(), indices);
    } else if (auto store = dyn_cast<affine::AffineStoreOp>(op);
               store && isAlias(store.getMemRef())) {
      auto indices = indicesOf(op, store.getAffineMap(), store.getMapOperands());
      rewriter.replaceOpWithNewOp<memref::StoreOp>(op, store.getValueToStore(), store.getMemRef(),
                                                   indices);
    }
  });
}

LogicalResult foldAliases(func::FuncOp top) {
  spellOutIndices(top);
  RewritePatternSet patterns(top.getContext());
  memref::populateFoldMemRefAliasOpPatterns(patterns);
  affine::populateAffineExpandIndexOpsAsAffinePatterns(patterns);
  patterns.add<ThroughCast<memref::LoadOp>, ThroughCast<memref::StoreOp>,
               ThroughTranspose<memref::LoadOp>, ThroughTranspose<memref::StoreOp>>(
      top.getContext());
  return applyPatternsGreedily(top, std::move(patterns));
}

} // namespace spindle::hls
