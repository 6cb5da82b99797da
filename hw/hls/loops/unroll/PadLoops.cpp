// Bubbles in short rows, where they allow a smaller initiation interval.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/unroll/Padding.h"

#include "hw/hls/dependence/Nest.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSPADLOOPS
#include "hw/hls/Passes.h.inc"

namespace {

bool runsAtLeast(AffineForOp loop, int64_t iterations) {
  return loop.hasConstantBounds() &&
         loop.getConstantUpperBound() - loop.getConstantLowerBound() >= iterations;
}

struct PadLoops : CostPass<impl::HlsPadLoopsBase<PadLoops>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    for (const NamedEstimate &nest : estimateNests(getOperation(), *costs)) {
      AffineForOp innermost = perfectNest(nest.outermost).back();
      int64_t least = atLeast > 0 ? int64_t(atLeast) : choosePadding(nest, *costs).least;
      if (least <= leastIterations(innermost) || runsAtLeast(innermost, least))
        continue;
      setLeastIterations(innermost, least);
      ++padded;
    }
  }
};
} // namespace

void setLeastIterations(AffineForOp innermost, int64_t least) {
  if (least > 1)
    innermost->setAttr(HlsDialect::atLeastName, Builder(innermost).getI64IntegerAttr(least));
  else
    innermost->removeAttr(HlsDialect::atLeastName);
}

/// Iterations with the bubbles that are set now, each of which takes its ports: no padded nest is
/// faster, and more bubbles only add to them.
static uint64_t fewestCycles(const NamedEstimate &nest) {
  std::optional<NestRuns> runs = countIterations(nest.outermost);
  return runs ? runs->iterations * nest.estimate.ports : 0;
}

Padding choosePadding(const NamedEstimate &nest, const LoopCosts &costs, uint64_t below) {
  AffineForOp innermost = perfectNest(nest.outermost).back();
  int64_t before = leastIterations(innermost);
  Padding best{before, nest.estimate.cycles()};
  // Rows longer than the cycles of one iteration hide all of its latency.
  for (int64_t least = before + 1; nest.estimate.recurrence > 1 && least <= 2 * nest.estimate.depth;
       least += 1 + least / 8) {
    if (runsAtLeast(innermost, least))
      break;
    setLeastIterations(innermost, least);
    if (fewestCycles(nest) >= std::min(best.cycles, below))
      break;
    uint64_t cycles = estimateNest(nest.outermost, costs).cycles();
    if (cycles < best.cycles)
      best = {least, cycles};
  }
  setLeastIterations(innermost, before);
  return best;
}

std::unique_ptr<Pass> makePadLoops(const SharedCosts &costs) { return withCosts<PadLoops>(costs); }

} // namespace spindle::hls
