// Bubbles in short rows, where they allow a smaller initiation interval.
#include "hw/hls/loops/Passes.h"

using namespace mlir;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSPADLOOPS
#include "hw/hls/loops/Passes.h.inc"

namespace {

bool isInnermost(affine::AffineForOp loop) {
  return loop.getBody()->getOps<affine::AffineForOp>().empty();
}

bool runsAtLeast(affine::AffineForOp loop, int64_t iterations) {
  return loop.hasConstantBounds() &&
         loop.getConstantUpperBound() - loop.getConstantLowerBound() >= iterations;
}

struct PadLoops : impl::HlsPadLoopsBase<PadLoops> {
  using HlsPadLoopsBase::HlsPadLoopsBase;

  void runOnOperation() override {
    Builder builder(&getContext());
    getOperation().walk([&](affine::AffineForOp loop) {
      if (!isInnermost(loop) || runsAtLeast(loop, atLeast))
        return;
      loop->setAttr("hls.at_least", builder.getI64IntegerAttr(atLeast));
      ++padded;
    });
  }
};
} // namespace

} // namespace spindle::hls
