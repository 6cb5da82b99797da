#include "hw/program/IndexUse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace spindle::hls {

static bool carriesOn(Operation *op) {
  if (isa<affine::AffineLoadOp, memref::LoadOp, tensor::ExtractOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) && op->getNumResults() == 1 &&
         op->getResult(0).getType().isSignlessInteger();
}

static bool becomesIndex(Value start) {
  std::vector<Value> open = {start};
  llvm::DenseSet<Value> seen; // looked up only
  while (!open.empty()) {
    Value value = open.back();
    open.pop_back();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(user))
        return true;
      bool isArray = isa<ShapedType>(value.getType());
      if (carriesOn(user) && (!isArray || user->getOperand(0) == value))
        open.push_back(user->getResult(0));
    }
  }
  return false;
}

std::vector<bool> usedAsIndex(ModuleOp module, const std::string &name) {
  std::vector<bool> uses;
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return uses;
  for (BlockArgument argument : function.getArguments()) {
    Type element = getElementTypeOrSelf(argument.getType());
    uses.push_back(element.isIndex() || (element.isSignlessInteger() && becomesIndex(argument)));
  }
  return uses;
}

} // namespace spindle::hls
