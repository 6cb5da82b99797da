#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;

namespace spindle::hls {

LogicalResult normalizeLoops(func::FuncOp top) {
  WalkResult result = top.walk([](affine::AffineForOp loop) {
    if (loop.getStepAsInt() == 1 || succeeded(affine::normalizeAffineFor(loop)))
      return WalkResult::advance();
    loop.emitError() << "a loop with step " << loop.getStepAsInt()
                     << " starts at the largest of several numbers, expected one or step 1";
    return WalkResult::interrupt();
  });
  top.walk([](affine::AffineForOp loop) { (void)affine::promoteIfSingleIteration(loop); });
  return failure(result.wasInterrupted());
}

} // namespace spindle::hls
