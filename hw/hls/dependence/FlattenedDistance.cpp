#include "hw/hls/dependence/FlattenedDistance.h"

#include "hw/hls/dependence/Independence.h"
#include "hw/hls/dependence/Nest.h"

namespace spindle::hls {

llvm::SmallVector<MemoryDependence> nestDependences(mlir::affine::AffineForOp outermost) {
  // Of pairs that are told apart by loops, not by the last one that touched the word.
  if (llvm::any_of(perfectNest(outermost), isIndependent))
    return minimizeDependences(outermost);
  constexpr uint64_t executedAccesses = 4'000'000; // a tenth of a second
  if (auto exact = enumerateDependences(outermost, executedAccesses))
    return *exact;
  return minimizeDependences(outermost);
}

} // namespace spindle::hls
