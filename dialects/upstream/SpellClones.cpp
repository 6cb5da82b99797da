#include "dialects/upstream/SpellClones.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace spindle {

void spellClones(ModuleOp module) {
  module.walk([](bufferization::CloneOp clone) {
    auto type = cast<MemRefType>(clone.getType());
    OpBuilder builder(clone);
    SmallVector<Value> extents;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        extents.push_back(
            memref::DimOp::create(builder, clone.getLoc(), clone.getInput(), dim).getResult());
    auto dense = MemRefType::get(type.getShape(), type.getElementType(),
                                 MemRefLayoutAttrInterface(), type.getMemorySpace());
    Value array = memref::AllocOp::create(builder, clone.getLoc(), dense, extents);
    memref::CopyOp::create(builder, clone.getLoc(), clone.getInput(), array);
    if (dense != type)
      array = memref::CastOp::create(builder, clone.getLoc(), type, array);
    clone.replaceAllUsesWith(array);
    clone.erase();
  });
}

} // namespace spindle
