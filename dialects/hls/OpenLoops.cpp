#include "dialects/hls/OpenLoops.h"

#include "dialects/hls/Streams.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spindle::hls {

bool holdsOpenLoop(mlir::Operation *op) {
  return op
      ->walk([&](mlir::Operation *inner) {
        return inner != op && llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(inner)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

bool hasFixedOrder(mlir::Operation *op) { return holdsOpenLoop(op) || usesStream(op); }

} // namespace spindle::hls
