// Which loops are unrolled so that several units work side by side.
#include "hw/hls/loops/Passes.h"

#include "hw/hls/dependence/Nest.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSWIDENLOOPS
#include "hw/hls/loops/Passes.h.inc"

namespace {
struct WidenLoops : impl::HlsWidenLoopsBase<WidenLoops> {
  using HlsWidenLoopsBase::HlsWidenLoopsBase;

  void runOnOperation() override {
    if (factor < 2)
      return;
    getOperation().walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
      SmallVector<AffineForOp> nest = perfectNest(loop);
      if (nest.empty())
        return WalkResult::advance();
      AffineForOp innermost = nest.back();
      std::optional<uint64_t> trip = getConstantTripCount(innermost);
      bool isShort = trip && *trip < 2;
      if (!isShort && !innermost->hasAttr("hls.unroll")) {
        innermost->setAttr("hls.unroll", IntegerAttr::get(IntegerType::get(&getContext(), 64),
                                                          trip ? std::min(*trip, factor.getValue())
                                                               : factor.getValue()));
        ++widened;
      }
      return WalkResult::skip();
    });
  }
};
} // namespace

} // namespace spindle::hls
