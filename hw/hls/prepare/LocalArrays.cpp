#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace spindle::hls {

/// Hardware has one copy of an array, which stands there before the first loop. An array made anew
/// in each iteration has no contents of the one before, so it may as well be the same.
LogicalResult hoistLocalArrays(func::FuncOp top) {
  SmallVector<Operation *> arrays;
  top.walk([&](Operation *op) {
    if (isa<memref::DeallocOp>(op))
      op->erase();
    else if (isa<memref::AllocOp, memref::AllocaOp>(op))
      arrays.push_back(op);
  });
  OpBuilder builder(&top.getBody().front(), top.getBody().front().begin());
  for (Operation *array : arrays) {
    auto type = cast<MemRefType>(array->getResult(0).getType());
    if (!type.hasStaticShape())
      return array->emitError() << "the shape of " << type
                                << " is not known: bind the sizes it is computed from";
    Value hoisted = memref::AllocOp::create(builder, array->getLoc(), type);
    hoisted.getDefiningOp()->setDiscardableAttrs(array->getDiscardableAttrDictionary());
    array->getResult(0).replaceAllUsesWith(hoisted);
    array->erase();
  }
  return success();
}

} // namespace spindle::hls
