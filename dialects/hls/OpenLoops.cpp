#include "dialects/hls/OpenLoops.h"

#include "dialects/hls/Streams.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spindle::hls {

/// Whether one of these operations is inside.
template <typename... Ops> static bool holds(mlir::Operation *op) {
  return op
      ->walk([&](mlir::Operation *inner) {
        return inner != op && llvm::isa<Ops...>(inner) ? mlir::WalkResult::interrupt()
                                                       : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

bool holdsLoop(mlir::Operation *op) {
  return holds<mlir::affine::AffineForOp, mlir::scf::ForOp, mlir::scf::WhileOp>(op);
}

bool holdsOpenLoop(mlir::Operation *op) { return holds<mlir::scf::ForOp, mlir::scf::WhileOp>(op); }

bool hasFixedOrder(mlir::Operation *op) { return holdsOpenLoop(op) || usesStream(op); }

} // namespace spindle::hls
