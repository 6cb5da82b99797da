#include "dialects/upstream/shapes/DenseLayout.h"

using namespace mlir;

namespace spindle {

MemRefType denseType(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
                         type.getMemorySpace());
}

bool allowsDense(MemRefType type) {
  auto isStated = [](int64_t number) { return !ShapedType::isDynamic(number); };
  SmallVector<int64_t> strides, dense;
  int64_t offset = 0, start = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      failed(denseType(type).getStridesAndOffset(dense, start)))
    return false;
  for (auto [stride, own] : llvm::zip(strides, dense))
    if (isStated(stride) && stride != own)
      return false;
  return !isStated(offset) || offset == 0;
}

Value allocateDense(OpBuilder &builder, Location place, MemRefType type, Value sized) {
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(unsigned(dim)))
      extents.push_back(memref::DimOp::create(builder, place, sized, dim));
  return memref::AllocOp::create(builder, place, denseType(type), extents);
}

Value copyDensely(OpBuilder &builder, Location place, Value array) {
  Value copy = allocateDense(builder, place, cast<MemRefType>(array.getType()), array);
  memref::CopyOp::create(builder, place, array, copy);
  return copy;
}

} // namespace spindle
