// Rules of refineShapes for single operations. Upstream's rules for these wait for types, not for
// numbers, or are not there.
#include "dialects/upstream/shapes/RefineValues.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace spindle::upstream {

namespace {

struct Splat : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::SplatOp op, PatternRewriter &rewriter) const override {
    Shape shape(op.getType().getShape());
    SmallVector<Value> sizes;
    auto size = op.getDynamicSizes().begin();
    for (int64_t &extent : shape) {
      if (!ShapedType::isDynamic(extent))
        continue;
      IntegerAttr number;
      if (matchPattern(*size, m_Constant(&number)) && number.getInt() >= 0)
        extent = number.getInt();
      else
        sizes.push_back(*size);
      ++size;
    }
    if (sizes.size() == op.getDynamicSizes().size())
      return failure();
    Value known = tensor::SplatOp::create(rewriter, op.getLoc(), op.getType().clone(shape),
                                          op.getInput(), sizes);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getType(), known);
    return success();
  }
};

struct Concat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op, PatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    for (OpOperand &operand : op->getOpOperands())
      types.push_back(shapedTypeOf(operand.get()).clone(*shapeOf(operand.get())));
    auto inferred = tensor::ConcatOp::inferResultType(int64_t(op.getDim()), types);
    std::optional<Shape> shape = joined(op.getResultType().getShape(), inferred.getShape());
    if (!shape || !refine(rewriter, op, op.getResult(), *shape))
      return failure();
    for (auto [operand, type] : llvm::zip_equal(op->getOpOperands(), types))
      castOperand(rewriter, operand, cast<ShapedType>(type).getShape());
    return success();
  }
};

struct Reshape : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op, PatternRewriter &rewriter) const override {
    DenseIntElementsAttr numbers;
    auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
    std::optional<Shape> from = shapeOf(op.getSource());
    if (!type || !from || !matchPattern(op.getShape(), m_Constant(&numbers)))
      return failure();
    Shape to;
    for (APInt extent : numbers)
      to.push_back(extent.getSExtValue());
    std::optional<Shape> known = joined(type.getShape(), to);
    bool isExtent = llvm::all_of(to, [](int64_t extent) { return extent >= 0; });
    if (!isExtent || !known || !refine(rewriter, op, op.getResult(), *known))
      return failure();
    castOperand(rewriter, op.getSourceMutable(), *from);
    return success();
  }
};

/// The places that are looked up, then what is taken there.
struct Gather : OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op, PatternRewriter &rewriter) const override {
    std::optional<Shape> from = shapeOf(op.getSource()), places = shapeOf(op.getIndices());
    if (!from || !places)
      return failure();
    size_t batch = places->size() - 1;
    ArrayRef<int64_t> result = op.getResultType().getShape();
    Shape to = *places;
    to.pop_back();
    bool isReduced = result.size() < batch + from->size();
    for (auto [dim, extent] : llvm::enumerate(*from))
      if (!llvm::is_contained(op.getGatherDims(), int64_t(dim)))
        to.push_back(extent);
      else if (!isReduced)
        to.push_back(1);
    std::optional<Shape> known = to.size() == result.size() ? joined(result, to) : std::nullopt;
    if (!known)
      return failure();
    bool isNew = refine(rewriter, op, op.getResult(), *known);
    isNew |= castOperand(rewriter, op.getSourceMutable(), *from);
    isNew |= castOperand(rewriter, op.getIndicesMutable(), *places);
    return success(isNew);
  }
};

/// A copy is as large as what it is one of.
struct Copy : OpRewritePattern<bufferization::AllocTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::AllocTensorOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Shape> from = op.getCopy() ? shapeOf(op.getCopy()) : std::nullopt;
    auto type = dyn_cast<RankedTensorType>(op.getType());
    std::optional<Shape> known = from && type ? joined(type.getShape(), *from) : std::nullopt;
    if (!known || *known == Shape(type.getShape()))
      return failure();
    rewriter.setInsertionPoint(op);
    Value copied = makeShapeCast(rewriter, op.getLoc(), type.clone(*known), op.getCopy());
    Value made = bufferization::AllocTensorOp::create(rewriter, op.getLoc(), type.clone(*known),
                                                      ValueRange(), copied);
    rewriter.replaceOp(op, makeShapeCast(rewriter, op.getLoc(), type, made));
    return success();
  }
};

/// The layout follows from the shape.
struct Transpose : OpRewritePattern<memref::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::TransposeOp op, PatternRewriter &rewriter) const override {
    auto cast = op.getIn().getDefiningOp<memref::CastOp>();
    if (!cast || !shapedTypeOf(op.getIn()) || !shapedTypeOf(cast.getSource()))
      return failure();
    Value known = memref::TransposeOp::create(rewriter, op.getLoc(), cast.getSource(),
                                              op.getPermutationAttr());
    rewriter.replaceOpWithNewOp<memref::CastOp>(op, op.getType(), known);
    return success();
  }
};

/// An array of known extents is a tensor of such.
struct ToTensor : OpRewritePattern<bufferization::ToTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::ToTensorOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Shape> shape = shapeOf(op.getBuffer());
    if (!shape || !refine(rewriter, op, op.getResult(), *shape))
      return failure();
    castOperand(rewriter, op.getBufferMutable(), *shape);
    return success();
  }
};

} // namespace

void addRulesOfOperations(RewritePatternSet &patterns) {
  patterns.add<Splat, Concat, Reshape, Gather, Copy, Transpose, ToTensor>(patterns.getContext());
}

} // namespace spindle::upstream
