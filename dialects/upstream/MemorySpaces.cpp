#include "dialects/upstream/MemorySpaces.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace spindle {

void forgetMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) {
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  });
  replacer.addReplacement(
      [](UnrankedMemRefType type) { return UnrankedMemRefType::get(type.getElementType(), {}); });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op)) {
      cast.replaceAllUsesWith(cast.getSource());
      cast.erase();
    } else if (auto made = dyn_cast<bufferization::AllocTensorOp>(op)) {
      made.removeMemorySpaceAttr();
    }
  });
}

} // namespace spindle
