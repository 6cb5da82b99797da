#include "dialects/upstream/DenseArrays.h"

#include "dialects/upstream/shapes/DenseLayout.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace spindle {

/// An array without its layout, where a cast may give the layout back.
static MemRefType denseArgument(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  if (!array || array.getLayout().isIdentity() || !allowsDense(array))
    return {};
  return denseType(array);
}

/// Tensors have no layout: what makes one of an array takes any.
static bool takesAnyLayout(OpOperand &use) {
  return isa<bufferization::ToTensorOp, bufferization::MaterializeInDestinationOp>(use.getOwner());
}

static void takeDenseArrays(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments())
    if (MemRefType dense = denseArgument(argument.getType())) {
      Type strided = argument.getType();
      argument.setType(dense);
      auto cast = memref::CastOp::create(builder, argument.getLoc(), strided, argument);
      argument.replaceUsesWithIf(
          cast, [&](OpOperand &use) { return use.getOwner() != cast && !takesAnyLayout(use); });
    }
}

static void giveDenseArrays(func::FuncOp function) {
  function.walk([&](func::ReturnOp end) {
    OpBuilder builder(end);
    for (OpOperand &result : end->getOpOperands())
      if (auto array = dyn_cast<TypedValue<MemRefType>>(result.get());
          array && !array.getType().getLayout().isIdentity())
        result.set(copyDensely(builder, end.getLoc(), array));
  });
}

void exchangeDenseArrays(func::FuncOp function) {
  if (function.isExternal())
    return;
  takeDenseArrays(function);
  giveDenseArrays(function);
  SmallVector<Type> results;
  for (Type type : function.getResultTypes()) {
    auto array = dyn_cast<MemRefType>(type);
    results.push_back(array && !array.getLayout().isIdentity() ? denseType(array) : type);
  }
  function.setType(
      FunctionType::get(function.getContext(), function.front().getArgumentTypes(), results));
}

} // namespace spindle
