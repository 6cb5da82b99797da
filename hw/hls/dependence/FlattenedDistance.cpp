#include "hw/hls/dependence/FlattenedDistance.h"

namespace spindle::hls {

llvm::SmallVector<MemoryDependence> nestDependences(mlir::affine::AffineForOp outermost) {
  constexpr uint64_t executedAccesses = 4'000'000; // a tenth of a second
  if (auto exact = enumerateDependences(outermost, executedAccesses))
    return *exact;
  return minimizeDependences(outermost);
}

} // namespace spindle::hls
