#include "dialects/upstream/DenseArrays.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace spindle {

static MemRefType denseType(MemRefType array) {
  return MemRefType::get(array.getShape(), array.getElementType(), MemRefLayoutAttrInterface(),
                         array.getMemorySpace());
}

/// Whether every stride that is stated is that of row-major order without gaps. Behind an open
/// extent no stride is known to be.
static bool allowsRowMajor(MemRefType array) {
  SmallVector<int64_t> strides;
  int64_t offset = 0, stride = 1;
  if (failed(array.getStridesAndOffset(strides, offset)) ||
      (offset != 0 && !ShapedType::isDynamic(offset)))
    return false;
  for (auto [extent, stated] : llvm::reverse(llvm::zip(array.getShape(), strides))) {
    if (!ShapedType::isDynamic(stated) && stated != stride)
      return false;
    bool isKnown = !ShapedType::isDynamic(extent) && !ShapedType::isDynamic(stride);
    stride = isKnown ? stride * extent : ShapedType::kDynamic;
  }
  return true;
}

/// An array without its layout, where a cast may give the layout back.
static MemRefType denseArgument(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  if (!array || array.getLayout().isIdentity() || !allowsRowMajor(array))
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

static Value copyDensely(OpBuilder &builder, Location place, TypedValue<MemRefType> array) {
  SmallVector<Value> extents;
  for (auto [dim, extent] : llvm::enumerate(array.getType().getShape()))
    if (ShapedType::isDynamic(extent))
      extents.push_back(memref::DimOp::create(builder, place, array, dim));
  Value copy = memref::AllocOp::create(builder, place, denseType(array.getType()), extents);
  memref::CopyOp::create(builder, place, array, copy);
  return copy;
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
