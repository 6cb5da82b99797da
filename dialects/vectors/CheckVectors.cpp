#include "dialects/vectors/CheckVectors.h"

#include "dialects/vectors/UnrollVectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

bool isVectorOperation(Operation *op) {
  return isa_and_nonnull<vector::VectorDialect>(op->getDialect()); // none that nobody knows
}

SmallVector<Type> typesOf(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  return types;
}

bool touchesVectors(Operation *op) { return llvm::any_of(typesOf(op), llvm::IsaPred<VectorType>); }

/// What a type lacks to be taken apart; empty where nothing.
std::string faultOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type);
      shaped && !isa<VectorType>(type) && isa<VectorType>(shaped.getElementType()))
    return "arrays of vectors are not supported, expected arrays of numbers";
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return "";
  if (vector.isScalable())
    return "scalable vectors are not supported, expected a known number of elements";
  int64_t elements = 1;
  for (int64_t extent : vector.getShape())
    if (extent > kMostElements || (elements *= extent) > kMostElements)
      return "more than " + std::to_string(kMostElements) +
             " elements are not supported, expected loops over smaller vectors";
  return "";
}

/// Operations that pass vectors on.
bool isStructure(Operation *op) {
  return isa<func::FuncOp, func::CallOp, func::ReturnOp, cf::BranchOp, cf::CondBranchOp, scf::ForOp,
             scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, affine::AffineForOp,
             affine::AffineIfOp, affine::AffineYieldOp>(op);
}

bool isKnown(Operation *op) {
  if (isVectorOperation(op))
    return !isa<vector::MaskOp, vector::YieldOp, vector::PrintOp, vector::TypeCastOp,
                vector::ScalableInsertOp, vector::ScalableExtractOp>(op);
  return OpTrait::hasElementwiseMappableTraits(op) || isStructure(op) ||
         isa<arith::ConstantOp, ub::PoisonOp, affine::AffineVectorLoadOp,
             affine::AffineVectorStoreOp>(op);
}

LogicalResult checkOperation(Operation *op) {
  if (auto mask = dyn_cast<vector::MaskOp>(op))
    if (Operation *inner = mask.getMaskableOp())
      return inner->emitError() << inner->getName().getStringRef()
                                << " under vector.mask is not supported, expected a mask on "
                                   "transfers, gathers and reductions";
  for (Type type : typesOf(op))
    if (std::string fault = faultOf(type); !fault.empty())
      return op->emitError() << "type " << type << ": " << fault;
  if ((isVectorOperation(op) || touchesVectors(op)) && !isKnown(op))
    return op->emitError() << op->getName().getStringRef()
                           << " is not supported on vectors, expected scalar code";
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (constant && isa<VectorType>(constant.getType()) &&
      !isa<DenseElementsAttr>(constant.getValue()))
    return op->emitError("the constant of this vector is not written out, expected dense<…>");
  return success();
}

LogicalResult checkSignature(func::FuncOp function) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<VectorType>(type))
      return function.emitError() << "argument " << index << " has type " << type
                                  << ": vectors cannot be arguments of a kernel, expected an array";
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (isa<VectorType>(type))
      return function.emitError() << "result " << index << " has type " << type
                                  << ": vectors cannot be results of a kernel, expected an array";
  return success();
}

} // namespace

bool hasVectors(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isVectorOperation(op) || touchesVectors(op) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult checkVectors(ModuleOp module, StringRef top) {
  for (auto function : module.getOps<func::FuncOp>())
    if ((top.empty() || function.getName() == top) && failed(checkSignature(function)))
      return failure();
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    return failed(checkOperation(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace spindle::vectors
