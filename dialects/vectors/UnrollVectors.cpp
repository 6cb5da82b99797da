#include "dialects/vectors/UnrollVectors.h"

#include "dialects/vectors/CheckVectors.h"
#include "dialects/vectors/Elements.h"
#include "dialects/vectors/Masks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

/// Arithmetic: once for each element, of which numbers beside vectors are the same for all.
struct UnrollArithmetic : ConversionPattern {
  UnrollArithmetic(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() == 0)
      return failure();
    Results results(op->getNumResults());
    for (size_t at = 0; at < size_t(countOf(op->getResult(0).getType())); ++at) {
      OperationState state(op->getLoc(), op->getName());
      for (auto [operand, values] : llvm::zip_equal(op->getOperands(), operands))
        state.operands.push_back(isa<VectorType>(operand.getType()) ? values[at] : values.front());
      for (Type type : op->getResultTypes())
        state.types.push_back(elementOf(type));
      state.attributes = op->getAttrs();
      for (auto [elements, element] :
           llvm::zip_equal(results, rewriter.create(state)->getResults()))
        elements.push_back(element);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

Results unrollConstant(arith::ConstantOp op, Operands<arith::ConstantOp>, Builder &b) {
  Elements elements;
  for (Attribute value : cast<DenseElementsAttr>(op.getValue()).getValues<Attribute>())
    elements.push_back(arith::ConstantOp::create(b, cast<TypedAttr>(value)));
  return {elements};
}

Results unrollPoison(ub::PoisonOp op, Operands<ub::PoisonOp>, Builder &b) {
  Elements elements;
  for (int64_t at = 0; at < countOf(op.getType()); ++at)
    elements.push_back(ub::PoisonOp::create(b, elementOf(op.getType())));
  return {elements};
}

/// Whether nothing about an operation is a vector.
bool isScalar(Operation *op, const TypeConverter &converter) {
  if (isa_and_nonnull<vector::VectorDialect>(op->getDialect()) || !converter.isLegal(op))
    return false;
  if (auto function = dyn_cast<func::FuncOp>(op))
    return converter.isSignatureLegal(function.getFunctionType());
  return llvm::all_of(op->getRegions(), [&](Region &region) { return converter.isLegal(&region); });
}

} // namespace

LogicalResult unrollVectors(ModuleOp module, StringRef top) {
  if (!hasVectors(module))
    return success();
  MLIRContext *context = module.getContext();
  context->loadDialect<affine::AffineDialect, arith::ArithDialect, math::MathDialect,
                       memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
  if (failed(resolveMasks(module)) || failed(checkVectors(module, top)))
    return failure();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([](VectorType type, SmallVectorImpl<Type> &elements) {
    elements.append(size_t(type.getNumElements()), type.getElementType());
    return success();
  });
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  addStructurePatterns(converter, patterns, target);
  addMovePatterns(converter, patterns);
  addCombinePatterns(converter, patterns);
  addAccessPatterns(converter, patterns);
  patterns.add<UnrollArithmetic>(converter, context);
  patterns.add<Unroll<arith::ConstantOp, unrollConstant>, Unroll<ub::PoisonOp, unrollPoison>>(
      converter, context);
  target.markUnknownOpDynamicallyLegal([&](Operation *op) { return isScalar(op, converter); });
  return applyPartialConversion(module, target, std::move(patterns));
}

} // namespace spindle::vectors
