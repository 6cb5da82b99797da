#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

/// The largest index + 1 that an access has in each dimension, 0 where that is not known, as in a
/// loop up to an argument; nothing where it is no access.
static std::optional<SmallVector<int64_t>> extentsOf(Operation *access) {
  SmallVector<int64_t> extents;
  auto append = [&extents](IntegerRange range) {
    bool isKnown = range.isKnown() && range.least >= 0 && range.most < INT32_MAX - 1;
    extents.push_back(isKnown ? range.most + 1 : 0);
  };
  auto ofMap = [&](AffineMap map, ValueRange operands) {
    for (AffineExpr index : map.getResults())
      append(integerRangeOf(index, operands.take_front(map.getNumDims()),
                            operands.drop_front(map.getNumDims())));
  };
  if (auto load = dyn_cast<affine::AffineLoadOp>(access))
    ofMap(load.getAffineMap(), load.getMapOperands());
  else if (auto store = dyn_cast<affine::AffineStoreOp>(access))
    ofMap(store.getAffineMap(), store.getMapOperands());
  else if (auto plainLoad = dyn_cast<memref::LoadOp>(access))
    llvm::for_each(plainLoad.getIndices(), [&](Value index) { append(integerRangeOf(index)); });
  else if (auto plainStore = dyn_cast<memref::StoreOp>(access))
    llvm::for_each(plainStore.getIndices(), [&](Value index) { append(integerRangeOf(index)); });
  else
    return std::nullopt;
  return extents;
}

static LogicalResult inferExtents(func::FuncOp top, BlockArgument argument) {
  auto type = cast<MemRefType>(argument.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    extent = ShapedType::isDynamic(extent) ? 0 : extent;
  bool isKnown = true;
  for (Operation *user : argument.getUsers()) {
    std::optional<SmallVector<int64_t>> extents = extentsOf(user);
    isKnown = isKnown && extents;
    for (unsigned dim = 0; isKnown && dim < shape.size(); ++dim)
      if (type.isDynamicDim(dim)) {
        isKnown = (*extents)[dim] > 0;
        shape[dim] = std::max(shape[dim], (*extents)[dim]);
      }
  }
  if (!isKnown)
    return top.emitError() << "argument " << argument.getArgNumber() << " has type " << type
                           << " and is accessed in places that are not known: bind the sizes, or "
                              "its shape, such as --bind "
                           << argument.getArgNumber() << "=20" << (type.getRank() > 1 ? "x20" : "");
  for (int64_t &extent : shape)
    extent = std::max<int64_t>(extent, 1); // of an array that nobody reads
  if (isTooLarge(type.clone(shape)))
    return top.emitError() << "argument " << argument.getArgNumber() << " is accessed as "
                           << type.clone(shape)
                           << ", expected at most 2^28 elements: correct the indices";
  argument.setType(MemRefType::get(shape, type.getElementType()));
  return success();
}

LogicalResult inferExtents(func::FuncOp top) {
  for (BlockArgument argument : top.getArguments())
    if (auto type = dyn_cast<MemRefType>(argument.getType()); type && !type.hasStaticShape())
      if (failed(inferExtents(top, argument)))
        return failure();
  top.setFunctionType(
      FunctionType::get(top.getContext(), top.getBody().getArgumentTypes(), top.getResultTypes()));
  return success();
}

} // namespace spindle::hls
