// The cost model, said aloud.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/analysis/EstimateNest.h"

#include "hw/hls/dependence/Nest.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSESTIMATENESTS
#include "hw/hls/Passes.h.inc"

namespace {

struct EstimateNests : CostPass<impl::HlsEstimateNestsBase<EstimateNests>> {
  using CostPass::CostPass;

  bool isLocal() const override { return true; }

  void runOnLoops() override {
    for (const NamedEstimate &nest : estimateNests(getOperation(), *costs))
      emitRemark(AffineForOp(nest.outermost).getLoc(), describe(nest.estimate));
    markAllAnalysesPreserved();
  }
};
} // namespace

} // namespace spindle::hls
