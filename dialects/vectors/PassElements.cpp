// What passes vectors on without knowing them: functions, calls, branches, loops and conditions.
#include "dialects/vectors/Elements.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

Elements flatten(ArrayRef<ValueRange> operands) {
  Elements values;
  for (ValueRange each : operands)
    llvm::append_range(values, each);
  return values;
}

/// The values that stand for each result of an operation.
Results grouped(Operation *op, ValueRange values) {
  Results groups;
  for (Type type : op->getResultTypes()) {
    size_t count = size_t(countOf(type));
    groups.push_back(Elements(values.take_front(count)));
    values = values.drop_front(count);
  }
  return groups;
}

SmallVector<Type> elementTypesOf(Operation *op) {
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.append(size_t(countOf(type)), elementOf(type));
  return types;
}

struct UnrollFor : OpConversionPattern<affine::AffineForOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(affine::AffineForOp op, OneToNOpAdaptor operands,
                                ConversionPatternRewriter &rewriter) const override {
    auto loop = affine::AffineForOp::create(
        rewriter, op.getLoc(), flatten(operands.getLowerBoundOperands()), op.getLowerBoundMap(),
        flatten(operands.getUpperBoundOperands()), op.getUpperBoundMap(), op.getStepAsInt(),
        flatten(operands.getInits()));
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseBlock(loop.getBody());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(), loop.getRegion().end());
    if (failed(rewriter.convertRegionTypes(&loop.getRegion(), *getTypeConverter())))
      return failure();
    rewriter.replaceOpWithMultiple(op, grouped(op, loop.getResults()));
    return success();
  }
};

struct UnrollIf : OpConversionPattern<affine::AffineIfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(affine::AffineIfOp op, OneToNOpAdaptor operands,
                                ConversionPatternRewriter &rewriter) const override {
    auto choice = affine::AffineIfOp::create(rewriter, op.getLoc(), elementTypesOf(op),
                                             op.getIntegerSet(), flatten(operands.getOperands()),
                                             /*withElseRegion=*/false);
    choice->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    choice.setConditionAttr(op.getConditionAttr());
    rewriter.eraseBlock(choice.getThenBlock());
    rewriter.inlineRegionBefore(op.getThenRegion(), choice.getThenRegion(),
                                choice.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), choice.getElseRegion(),
                                choice.getElseRegion().end());
    rewriter.replaceOpWithMultiple(op, grouped(op, choice.getResults()));
    return success();
  }
};

Results yield(affine::AffineYieldOp, Operands<affine::AffineYieldOp> operands, Builder &b) {
  affine::AffineYieldOp::create(b, flatten(operands.getOperands()));
  return {};
}

} // namespace

void addStructurePatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                          ConversionTarget &target) {
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  patterns.add<UnrollFor, UnrollIf, Unroll<affine::AffineYieldOp, yield>>(converter,
                                                                          patterns.getContext());
}

} // namespace spindle::vectors
