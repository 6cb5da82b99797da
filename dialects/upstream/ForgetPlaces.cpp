#include "dialects/upstream/ForgetPlaces.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace spindle {

void forgetPlaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) {
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  });
  replacer.addReplacement(
      [](UnrankedMemRefType type) { return UnrankedMemRefType::get(type.getElementType(), {}); });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (isa<memref::MemorySpaceCastOp, memref::AssumeAlignmentOp, memref::DistinctObjectsOp>(op)) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    } else if (auto made = dyn_cast<bufferization::AllocTensorOp>(op)) {
      made.removeMemorySpaceAttr();
    }
  });
}

} // namespace spindle
