// Words that neighbouring iterations read again, kept in shift registers and line buffers.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/hls/loops/arrays/ShiftWindows.h"

#include "hw/hls/dependence/Nest.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSREUSEWINDOWS
#include "hw/hls/Passes.h.inc"

namespace {

struct ReuseWindows : CostPass<impl::HlsReuseWindowsBase<ReuseWindows>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    simplifyIndices(getOperation());
    for (const NamedEstimate &nest : estimateNests(getOperation(), *costs)) {
      std::optional<WindowNest> found =
          findWindows(perfectNest(nest.outermost), costs->target.memory.ports);
      if (!found || !isFaster(*found, *costs))
        continue;
      windows += unsigned(found->windows.size());
      shiftWindows(std::move(*found));
    }
  }
};
} // namespace

std::unique_ptr<Pass> makeReuseWindows(const SharedCosts &costs) {
  return withCosts<ReuseWindows>(costs);
}

} // namespace spindle::hls
