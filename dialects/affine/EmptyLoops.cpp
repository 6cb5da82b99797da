#include "dialects/affine/EmptyLoops.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

void spindle::removeEmptyLoops(Operation *root) {
  root->walk<WalkOrder::PreOrder>([](affine::AffineForOp loop) {
    if (affine::getConstantTripCount(loop) != 0)
      return WalkResult::advance();
    loop->replaceAllUsesWith(loop.getInits());
    loop->erase();
    return WalkResult::skip();
  });
}
