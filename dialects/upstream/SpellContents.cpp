#include "dialects/upstream/SpellContents.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace spindle {

static LogicalResult spell(memref::GlobalOp global) {
  Attribute contents = global.getInitialValue().value_or(Attribute());
  if (isa_and_nonnull<SparseElementsAttr>(contents)) {
    auto sparse = cast<SparseElementsAttr>(contents);
    SmallVector<Attribute> values(sparse.getValues<Attribute>());
    global.setInitialValueAttr(DenseElementsAttr::get(sparse.getType(), values));
    return success();
  }
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(contents);
  if (!resource && isa_and_nonnull<ElementsAttr>(contents) && !isa<DenseElementsAttr>(contents))
    return global.emitError() << "the contents of constant array '" << global.getSymName()
                              << "' are of a kind that is not supported: write them as dense";
  if (!resource)
    return success();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  ShapedType type = resource.getType();
  bool isSplat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
    return global.emitError() << "the contents of constant array '" << global.getSymName()
                              << "' are not in the file: give the resource '"
                              << resource.getRawHandle().getKey() << "' as many bytes as " << type
                              << " has";
  global.setInitialValueAttr(DenseElementsAttr::getFromRawBuffer(type, blob->getData()));
  return success();
}

LogicalResult spellContents(ModuleOp module) {
  for (auto global : module.getOps<memref::GlobalOp>())
    if (failed(spell(global)))
      return failure();
  return success();
}

} // namespace spindle
