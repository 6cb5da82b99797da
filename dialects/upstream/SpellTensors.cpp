#include "dialects/upstream/SpellTensors.h"

#include "dialects/upstream/SpellAffine.h"
#include "dialects/upstream/shapes/DenseLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace spindle {

/// The element of the source for one of the result, of which the first dimensions say which
/// coordinates are meant, and the others where in the slice; gathered dimensions have an extent of
/// one there, or are left out.
static Value gatherElement(tensor::GatherOp op, OpBuilder &b, Location location) {
  auto source = op.getSourceType();
  ArrayRef<int64_t> gathered = op.getGatherDims();
  int64_t batch = op.getIndicesType().getRank() - 1;
  bool isReduced = op.getResultType().getRank() < batch + source.getRank();
  SmallVector<Value> coordinates, from(source.getRank());
  for (int64_t dim = 0; dim < batch; ++dim)
    coordinates.push_back(linalg::IndexOp::create(b, location, dim));
  int64_t next = batch;
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    const int64_t *chosen = llvm::find(gathered, dim);
    bool isGathered = chosen != gathered.end();
    if (!isGathered)
      from[dim] = linalg::IndexOp::create(b, location, next);
    if (!isGathered || !isReduced)
      ++next;
    if (!isGathered)
      continue;
    SmallVector<Value> at(coordinates);
    at.push_back(arith::ConstantIndexOp::create(b, location, chosen - gathered.begin()));
    Value index = tensor::ExtractOp::create(b, location, op.getIndices(), at);
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(b, location, b.getIndexType(), index);
    from[dim] = index;
  }
  return tensor::ExtractOp::create(b, location, op.getSource(), from);
}

/// The extents of the result.
static SmallVector<OpFoldResult> sizesOf(tensor::GatherOp op, OpBuilder &b) {
  Location location = op.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, location, op.getIndices());
  sizes.pop_back(); // the coordinates of a place
  bool isReduced =
      op.getResultType().getRank() < int64_t(sizes.size()) + op.getSourceType().getRank();
  for (auto [dim, size] : llvm::enumerate(tensor::getMixedSizes(b, location, op.getSource())))
    if (!llvm::is_contained(op.getGatherDims(), int64_t(dim)))
      sizes.push_back(size);
    else if (!isReduced)
      sizes.push_back(b.getIndexAttr(1));
  return sizes;
}

static void spell(tensor::GatherOp op, IRRewriter &rewriter) {
  RankedTensorType type = op.getResultType();
  Value empty =
      tensor::EmptyOp::create(rewriter, op.getLoc(), sizesOf(op, rewriter), type.getElementType());
  empty = tensor::CastOp::create(rewriter, op.getLoc(), type, empty);
  AffineMap each = rewriter.getMultiDimIdentityMap(unsigned(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, ValueRange(), empty, ArrayRef<AffineMap>{each}, parallel,
      [&](OpBuilder &b, Location location, ValueRange) {
        linalg::YieldOp::create(b, location, gatherElement(op, b, location));
      });
}

/// By way of all elements in a row.
static void spell(tensor::ReshapeOp op, IRRewriter &rewriter) {
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  auto row = from.clone({from.getNumElements()});
  auto all = [](RankedTensorType type) {
    ReassociationIndices dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    return dims.empty() ? SmallVector<ReassociationIndices>()
                        : SmallVector<ReassociationIndices>{dims};
  };
  Location location = op.getLoc();
  Value value = op.getSource();
  if (from.getRank() > 1)
    value = tensor::CollapseShapeOp::create(rewriter, location, row, value, all(from));
  else if (from.getRank() == 0)
    value = tensor::ExpandShapeOp::create(rewriter, location, row, value, all(from));
  if (to.getRank() > 1)
    value = tensor::ExpandShapeOp::create(rewriter, location, to, value, all(to));
  else if (to.getRank() == 0)
    value = tensor::CollapseShapeOp::create(rewriter, location, to, value, all(to));
  rewriter.replaceOp(op, value);
}

bool usesTensors(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool found = llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
        if (auto function = dyn_cast<func::FuncOp>(op))
          found = llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<TensorType>);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Indices are what upstream lowers.
static void useIndices(tensor::ReshapeOp op) {
  auto type = op.getShape().getType();
  if (type.getElementType().isIndex())
    return;
  OpBuilder builder(op);
  op.getShapeMutable().assign(arith::IndexCastOp::create(
      builder, op.getLoc(), type.clone(builder.getIndexType()), op.getShape()));
}

/// Element by element.
static void spell(tensor::BitcastOp op, IRRewriter &rewriter) {
  Location location = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value empty = tensor::EmptyOp::create(rewriter, location,
                                        tensor::getMixedSizes(rewriter, location, op.getSource()),
                                        type.getElementType());
  AffineMap each = rewriter.getMultiDimIdentityMap(static_cast<unsigned>(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, op.getSource(), empty, ArrayRef<AffineMap>{each, each}, loops,
      [&](OpBuilder &b, Location at, ValueRange elements) {
        Value bits = elements[0];
        if (bits.getType() != type.getElementType())
          bits = arith::BitcastOp::create(b, at, type.getElementType(), bits);
        linalg::YieldOp::create(b, at, bits);
      });
}

/// arith knows no other integers.
static bool isOfSignless(tensor::BitcastOp op) {
  auto isSignless = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isSignlessIntOrFloat();
  };
  return isSignless(op.getSource()) && isSignless(op.getResult());
}

/// The tensor is what the array holds at this moment; upstream asks that nobody else write it.
static void copyShared(bufferization::ToTensorOp op) {
  if (op.getRestrict() || !isa<MemRefType>(op.getBuffer().getType()))
    return;
  OpBuilder builder(op);
  op.getBufferMutable().assign(copyDensely(builder, op.getLoc(), op.getBuffer()));
  op.setRestrict(true);
  op.setWritable(true);
}

void spellTensors(ModuleOp module) {
  spellAffine(module);
  module.walk(copyShared);
  module.walk(useIndices);
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    auto isKnown = [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return !shaped || shaped.hasStaticShape();
    };
    bool areKnown =
        llvm::all_of(op->getOperandTypes(), isKnown) && llvm::all_of(op->getResultTypes(), isKnown);
    auto bits = dyn_cast<tensor::BitcastOp>(op);
    if (isa<tensor::GatherOp>(op) || (bits && isOfSignless(bits)) ||
        (isa<tensor::ReshapeOp, linalg::PackOp, linalg::UnPackOp>(op) && areKnown))
      found.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : found) {
    rewriter.setInsertionPoint(op);
    if (auto gather = dyn_cast<tensor::GatherOp>(op))
      spell(gather, rewriter);
    else if (auto bits = dyn_cast<tensor::BitcastOp>(op))
      spell(bits, rewriter);
    else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
      spell(reshape, rewriter);
    else if (auto pack = dyn_cast<linalg::PackOp>(op))
      (void)linalg::lowerPack(rewriter, pack); // stays where it is not possible
    else
      (void)linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op));
  }
}

} // namespace spindle
