// Canonical forms of bundle operations: what is taken out of what was put together.
#include "dialects/snn/Snn.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace spindle::snn {

static bool isIdentity(ArrayRef<int64_t> permutation) { return llvm::is_sorted(permutation); }

/// Row-major index.
static int64_t linear(ArrayRef<int64_t> position, ArrayRef<int64_t> shape) {
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * shape[d] + position[d];
  return index;
}

//===-- select ------------------------------------------------------------===//

/// select(collect(t…)) is a train. The extents are static but for a single `?`.
OpFoldResult SpikeBundleSelectOp::fold(FoldAdaptor) {
  auto collect = getBundle().getDefiningOp<SpikeBundleCollectOp>();
  if (!collect)
    return {};
  int64_t index = linear(getPosition(), shapeOf(getBundle()));
  return index < int64_t(collect.getTrains().size()) ? OpFoldResult(collect.getTrains()[index])
                                                     : OpFoldResult();
}

namespace {

void selectFrom(PatternRewriter &rewriter, SpikeBundleSelectOp op, Value bundle,
                ArrayRef<int64_t> position) {
  rewriter.replaceOpWithNewOp<SpikeBundleSelectOp>(op, op.getTrain().getType(), bundle, position);
}

struct SelectOfInsert : OpRewritePattern<SpikeBundleSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpikeBundleSelectOp op, PatternRewriter &rewriter) const override {
    auto insert = op.getBundle().getDefiningOp<SpikeBundleInsertOp>();
    if (!insert)
      return failure();
    SmallVector<int64_t> position(op.getPosition());
    int64_t &along = position[insert.getAxis()], inserted = int64_t(insert.getPosition());
    if (along != inserted) {
      along -= along > inserted;
      selectFrom(rewriter, op, insert.getBundle(), position);
    } else if (position.size() == 1) {
      rewriter.replaceOp(op, insert.getInserted());
    } else {
      position.erase(position.begin() + insert.getAxis());
      selectFrom(rewriter, op, insert.getInserted(), position);
    }
    return success();
  }
};

struct SelectOfRemove : OpRewritePattern<SpikeBundleSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpikeBundleSelectOp op, PatternRewriter &rewriter) const override {
    auto remove = op.getBundle().getDefiningOp<SpikeBundleRemoveOp>();
    if (!remove)
      return failure();
    SmallVector<int64_t> position(op.getPosition());
    int64_t &along = position[remove.getAxis()];
    along += along >= int64_t(remove.getPosition());
    selectFrom(rewriter, op, remove.getBundle(), position);
    return success();
  }
};

struct SelectOfSlice : OpRewritePattern<SpikeBundleSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpikeBundleSelectOp op, PatternRewriter &rewriter) const override {
    auto slice = op.getBundle().getDefiningOp<SpikeBundleSliceOp>();
    if (!slice)
      return failure();
    SmallVector<int64_t> position;
    for (size_t d = 0; d < op.getPosition().size(); ++d) {
      if (op.getPosition()[d] >= slice.getSizes()[d])
        return failure(); // the result says `?`: an error of the run
      position.push_back(slice.getOffsets()[d] + op.getPosition()[d] * slice.getStrides()[d]);
    }
    selectFrom(rewriter, op, slice.getBundle(), position);
    return success();
  }
};

struct SelectOfPermute : OpRewritePattern<SpikeBundleSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpikeBundleSelectOp op, PatternRewriter &rewriter) const override {
    auto permute = op.getBundle().getDefiningOp<SpikeBundlePermuteOp>();
    if (!permute)
      return failure();
    SmallVector<int64_t> position(op.getPosition());
    for (auto [d, dimension] : llvm::enumerate(permute.getPermutation()))
      position[dimension] = op.getPosition()[d];
    selectFrom(rewriter, op, permute.getBundle(), position);
    return success();
  }
};

//===-- slices and permutations -------------------------------------------===//

struct SliceOfSlice : OpRewritePattern<SpikeBundleSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpikeBundleSliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBundle().getDefiningOp<SpikeBundleSliceOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> offsets, strides;
    for (size_t d = 0; d < op.getOffsets().size(); ++d) {
      int64_t last = op.getOffsets()[d] + (op.getSizes()[d] - 1) * op.getStrides()[d];
      if (last >= inner.getSizes()[d])
        return failure(); // the inner result says `?`: an error of the run
      offsets.push_back(inner.getOffsets()[d] + op.getOffsets()[d] * inner.getStrides()[d]);
      strides.push_back(op.getStrides()[d] * inner.getStrides()[d]);
    }
    rewriter.replaceOpWithNewOp<SpikeBundleSliceOp>(op, op.getResult().getType(), inner.getBundle(),
                                                    offsets, op.getSizes(), strides);
    return success();
  }
};

struct PermuteOfPermute : OpRewritePattern<SpikeBundlePermuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SpikeBundlePermuteOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBundle().getDefiningOp<SpikeBundlePermuteOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> permutation;
    for (int64_t dimension : op.getPermutation())
      permutation.push_back(inner.getPermutation()[dimension]);
    if (isIdentity(permutation) && inner.getBundle().getType() == op.getResult().getType())
      rewriter.replaceOp(op, inner.getBundle());
    else
      rewriter.replaceOpWithNewOp<SpikeBundlePermuteOp>(op, op.getResult().getType(),
                                                        inner.getBundle(), permutation);
    return success();
  }
};

} // namespace

void SpikeBundleSelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                      MLIRContext *context) {
  patterns.add<SelectOfInsert, SelectOfRemove, SelectOfSlice, SelectOfPermute>(context);
}

void SpikeBundleSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                     MLIRContext *context) {
  patterns.add<SliceOfSlice>(context);
}

void SpikeBundlePermuteOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                       MLIRContext *context) {
  patterns.add<PermuteOfPermute>(context);
}

/// The whole bundle.
OpFoldResult SpikeBundleSliceOp::fold(FoldAdaptor) {
  bool whole = llvm::all_of(getOffsets(), [](int64_t offset) { return offset == 0; }) &&
               llvm::all_of(getStrides(), [](int64_t stride) { return stride == 1; });
  if (whole && getBundle().getType() == getResult().getType() && shapeOf(getBundle()) == getSizes())
    return getBundle();
  return {};
}

OpFoldResult SpikeBundlePermuteOp::fold(FoldAdaptor) {
  if (isIdentity(getPermutation()) && getBundle().getType() == getResult().getType())
    return getBundle();
  return {};
}

/// remove(insert(x)) at the same place.
OpFoldResult SpikeBundleRemoveOp::fold(FoldAdaptor) {
  auto insert = getBundle().getDefiningOp<SpikeBundleInsertOp>();
  if (insert && insert.getAxis() == getAxis() && insert.getPosition() == getPosition() &&
      insert.getBundle().getType() == getResult().getType())
    return insert.getBundle();
  return {};
}

/// collect of all selects of one bundle, in order.
OpFoldResult SpikeBundleCollectOp::fold(FoldAdaptor) {
  Value source;
  for (auto [index, train] : llvm::enumerate(getTrains())) {
    auto select = train.getDefiningOp<SpikeBundleSelectOp>();
    if (!select || select.getBundle().getType() != getBundle().getType() ||
        (source && select.getBundle() != source))
      return {};
    source = select.getBundle();
    ArrayRef<int64_t> shape = shapeOf(source);
    if (llvm::any_of(shape, ShapedType::isDynamic) ||
        linear(select.getPosition(), shape) != int64_t(index))
      return {};
  }
  return source ? OpFoldResult(source) : OpFoldResult();
}

} // namespace spindle::snn
