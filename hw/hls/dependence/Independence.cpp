#include "hw/hls/dependence/Independence.h"

#include "dialects/hls/Hls.h"
#include "hw/hls/dependence/Instance.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

static IndependentAttr claimOf(AffineForOp loop) {
  return loop->getAttrOfType<IndependentAttr>(HlsDialect::independentName);
}

bool isIndependent(AffineForOp loop) { return bool(claimOf(loop)); }

bool mayCarry(AffineForOp loop, Value array) {
  IndependentAttr claim = claimOf(loop);
  return !claim || !claim.covers(array);
}

bool areClaimsLost(ArrayRef<AffineForOp> nest) {
  if (nest.size() < 2 || !isIndependent(nest.back()))
    return false;
  llvm::SmallPtrSet<Value, 4> stored;
  SmallVector<ArrayAccess> accesses = accessesIn(AffineForOp(nest.back()));
  for (const ArrayAccess &access : accesses)
    if (access.isStore)
      stored.insert(access.array);
  return llvm::any_of(accesses, [&](const ArrayAccess &access) {
    return isa<memref::LoadOp, memref::StoreOp>(access.op) && stored.contains(access.array) &&
           !mayCarry(nest.back(), access.array) &&
           llvm::any_of(nest, [&](AffineForOp loop) { return mayCarry(loop, access.array); });
  });
}

void dropIndependence(Operation *loop) { loop->removeDiscardableAttr(HlsDialect::independentName); }

} // namespace spindle::hls
