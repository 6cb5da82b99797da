#include "dialects/upstream/SpellClones.h"

#include "dialects/upstream/shapes/DenseLayout.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spindle {

/// Elements from the first place of a layout to its last one; none where they are not known, or
/// more than can be counted.
static std::optional<int64_t> lengthOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t length = 0;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, length)) || length < 0)
    return std::nullopt;
  bool overflows = llvm::AddOverflow(length, int64_t(1), length);
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides)) {
    int64_t part = 0;
    if (stride < 0) // or dynamic
      return std::nullopt;
    overflows |= llvm::MulOverflow(std::max(extent - 1, int64_t(0)), stride, part) ||
                 llvm::AddOverflow(length, part, length);
  }
  return overflows ? std::nullopt : std::optional(length);
}

/// A row that holds the array, looked at with its strides.
static Value allocateStrided(OpBuilder &builder, Location place, MemRefType type, int64_t length) {
  auto [strides, offset] = type.getStridesAndOffset();
  auto row = MemRefType::get({length}, type.getElementType(), MemRefLayoutAttrInterface(),
                             type.getMemorySpace());
  Value room = memref::AllocOp::create(builder, place, row);
  return memref::ReinterpretCastOp::create(builder, place, type, room, offset, type.getShape(),
                                           strides);
}

/// A dense array, looked at with open strides where the clone has them.
static Value allocateOpen(OpBuilder &builder, bufferization::CloneOp clone, MemRefType type) {
  Value array = allocateDense(builder, clone.getLoc(), type, clone.getInput());
  return array.getType() == type ? array
                                 : memref::CastOp::create(builder, clone.getLoc(), type, array);
}

LogicalResult spellClones(ModuleOp module) {
  WalkResult result = module.walk([](bufferization::CloneOp clone) {
    auto type = cast<MemRefType>(clone.getType());
    std::optional<int64_t> length = lengthOf(type);
    if (!allowsDense(type) && !length) {
      clone.emitError() << "a clone of type " << type
                        << " has strides that an array of open extents does not have, expected "
                           "known extents, strided<[?, ...]> or no layout";
      return WalkResult::interrupt();
    }
    OpBuilder builder(clone);
    Value array = allowsDense(type) ? allocateOpen(builder, clone, type)
                                    : allocateStrided(builder, clone.getLoc(), type, *length);
    memref::CopyOp::create(builder, clone.getLoc(), clone.getInput(), array);
    clone.replaceAllUsesWith(array);
    clone.erase();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace spindle
