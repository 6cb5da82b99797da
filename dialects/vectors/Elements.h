// How operations on vectors become operations on elements: what the patterns of this folder share.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

#include <functional>

namespace spindle::vectors {

/// The elements of a vector in row-major order, or one number.
using Elements = llvm::SmallVector<mlir::Value>;
/// Those of each result.
using Results = llvm::SmallVector<Elements>;
using Index = llvm::SmallVector<int64_t>;
using Builder = mlir::ImplicitLocOpBuilder;

/// The operands of an operation, each as its elements.
template <typename Op>
using Operands = typename Op::template GenericAdaptor<llvm::ArrayRef<mlir::ValueRange>>;

/// The pattern of an operation whose results `unroll` makes.
template <typename Op, Results (*unroll)(Op, Operands<Op>, Builder &)>
struct Unroll : mlir::OpConversionPattern<Op> {
  using mlir::OpConversionPattern<Op>::OpConversionPattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, typename mlir::OpConversionPattern<Op>::OneToNOpAdaptor operands,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    Results results = unroll(op, operands, b);
    if (op->getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOpWithMultiple(op, std::move(results));
    return mlir::success();
  }
};

/// The extents of a vector; none of a number.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// The number of its elements; 1 of a number.
int64_t countOf(mlir::Type type);
mlir::Type elementOf(mlir::Type type);

/// Calls with each index below `shape`, in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(const Index &)> visit);
/// The place of an index in row-major order.
int64_t placeOf(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

mlir::Value indexConstant(Builder &b, int64_t value);

/// Patterns for operations that only move elements, that combine them, and that access arrays.
void addMovePatterns(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void addCombinePatterns(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void addAccessPatterns(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
/// Patterns for what passes vectors on: functions, calls, branches, loops and conditions.
void addStructurePatterns(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
                          mlir::ConversionTarget &target);

} // namespace spindle::vectors
