#include "hw/hls/loops/analysis/AccessOverlap.h"
#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

std::optional<AffineValueMap> subscriptsOf(Operation *access) {
  if (auto load = dyn_cast<AffineReadOpInterface>(access))
    return AffineValueMap(load.getAffineMap(), load.getMapOperands());
  if (auto store = dyn_cast<AffineWriteOpInterface>(access))
    return AffineValueMap(store.getAffineMap(), store.getMapOperands());
  return std::nullopt;
}

Value arrayOf(Operation *access) {
  if (auto load = dyn_cast<AffineReadOpInterface>(access))
    return load.getMemRef();
  if (auto store = dyn_cast<AffineWriteOpInterface>(access))
    return store.getMemRef();
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getMemRef();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getMemRef();
  return {};
}

bool isStoreAccess(Operation *access) {
  return isa<AffineWriteOpInterface, memref::StoreOp>(access);
}

Overlap overlapOf(Operation *a, Operation *b) {
  if (arrayOf(a) != arrayOf(b))
    return Overlap::Different;
  std::optional<AffineValueMap> left = subscriptsOf(a), right = subscriptsOf(b);
  if (!left || !right)
    return Overlap::Unknown;
  if (left->getAffineMap() == right->getAffineMap() && left->getOperands() == right->getOperands())
    return Overlap::Same;
  AffineValueMap difference;
  AffineValueMap::difference(*left, *right, &difference);
  bool isSame = true;
  for (AffineExpr result : difference.getAffineMap().getResults()) {
    IntegerRange range = integerRangeOf(result, difference.getNumDims(), difference.getOperands());
    if (!range.contains(0))
      return Overlap::Different;
    isSame &= range == IntegerRange{0, 0};
  }
  return isSame ? Overlap::Same : Overlap::Unknown;
}

} // namespace spindle::hls
