#include "dialects/upstream/SpellClones.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace spindle {

/// An array whose layout no dense one is cast to: a dense row that holds it, looked at with its
/// strides.
static Value allocateStrided(OpBuilder &builder, Location place, MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t length = offset + 1;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides))
    length += (extent - 1) * stride;
  if (llvm::is_contained(type.getShape(), 0))
    length = 0;
  auto row = MemRefType::get({length}, type.getElementType(), MemRefLayoutAttrInterface(),
                             type.getMemorySpace());
  Value room = memref::AllocOp::create(builder, place, row);
  return memref::ReinterpretCastOp::create(builder, place, type, room, offset, type.getShape(),
                                           strides);
}

static Value allocate(OpBuilder &builder, bufferization::CloneOp clone, MemRefType type) {
  Location place = clone.getLoc();
  auto dense = MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
                               type.getMemorySpace());
  if (!memref::CastOp::areCastCompatible(dense, type))
    return allocateStrided(builder, place, type);
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      extents.push_back(memref::DimOp::create(builder, place, clone.getInput(), dim).getResult());
  Value array = memref::AllocOp::create(builder, place, dense, extents);
  return dense == type ? array : memref::CastOp::create(builder, place, type, array);
}

/// Whether an array of this type can be made here: others keep their clone, which is refused by its
/// name.
static bool canAllocate(MemRefType type) {
  auto dense = MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
                               type.getMemorySpace());
  if (memref::CastOp::areCastCompatible(dense, type))
    return true;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return type.hasStaticShape() && succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         llvm::all_of(strides, [](int64_t stride) { return stride >= 0; }); // nor dynamic
}

void spellClones(ModuleOp module) {
  module.walk([](bufferization::CloneOp clone) {
    auto type = cast<MemRefType>(clone.getType());
    if (!canAllocate(type))
      return;
    OpBuilder builder(clone);
    Value array = allocate(builder, clone, type);
    memref::CopyOp::create(builder, clone.getLoc(), clone.getInput(), array);
    clone.replaceAllUsesWith(array);
    clone.erase();
  });
}

} // namespace spindle
