// Wavefronts: iterations that do not depend on each other put next to each other.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/order/RebuildNest.h"
#include "hw/hls/loops/unroll/Padding.h"

#include "hw/hls/dependence/Nest.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSSKEWLOOPS
#include "hw/hls/Passes.h.inc"

namespace {

using Wave = SmallVector<int64_t, 4>;

constexpr int64_t steepest = 4; // largest coefficient of a loop in the wave

/// The waves Σ wave[n] · loop[n] that move on with every dependence, of those with the smallest sum
/// of coefficients. Each has a loop with coefficient 1: the other loops then complete the matrix.
SmallVector<Wave> flattestWaves(const NestOrder &order, unsigned loops) {
  SmallVector<Wave> waves;
  for (int64_t sum = 2; sum <= steepest * int64_t(loops) && waves.empty(); ++sum) {
    Wave wave(loops, 0);
    auto extend = [&](auto &&self, unsigned loop, int64_t left) -> void {
      if (loop + 1 == loops) {
        wave[loop] = left;
        if (left <= steepest && llvm::is_contained(wave, 1) && llvm::count(wave, 0) + 1 < loops &&
            order.advances(wave))
          waves.push_back(wave);
        return;
      }
      for (wave[loop] = 0; wave[loop] <= std::min(left, steepest); ++wave[loop])
        self(self, loop + 1, left - wave[loop]);
    };
    extend(extend, 0, sum);
  }
  return waves;
}

/// The wave as the outermost loop, then the other loops in any order.
SmallVector<LoopMatrix> matricesOf(const Wave &wave) {
  SmallVector<LoopMatrix> matrices;
  for (unsigned dropped = 0; dropped < wave.size(); ++dropped) {
    if (wave[dropped] != 1)
      continue;
    SmallVector<unsigned> others;
    for (unsigned loop = 0; loop < wave.size(); ++loop)
      if (loop != dropped)
        others.push_back(loop);
    do {
      LoopMatrix matrix{wave};
      for (unsigned loop : others)
        matrix.push_back(identityMatrix(unsigned(wave.size()))[loop]);
      matrices.push_back(matrix);
    } while (std::next_permutation(others.begin(), others.end()));
  }
  return matrices;
}

struct SkewLoops : CostPass<impl::HlsSkewLoopsBase<SkewLoops>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    for (const NamedEstimate &nest : estimateNests(getOperation(), *costs)) {
      size_t depth = perfectNest(nest.outermost).size();
      if (depth > 1 && depth <= 4 && nest.estimate.recurrence > nest.estimate.ports)
        skew(nest.outermost);
    }
  }

  void skew(AffineForOp nest) {
    NestOrder order(nest);
    AffineForOp best;
    uint64_t fewest = choosePadding({nest, estimateNest(nest, *costs)}, *costs).cycles;
    for (const Wave &wave : flattestWaves(order, unsigned(perfectNest(nest).size())))
      for (const LoopMatrix &matrix : matricesOf(wave)) {
        AffineForOp candidate = rebuildNest(nest, matrix);
        if (!candidate)
          continue;
        NamedEstimate rebuilt{candidate, estimateNest(candidate, *costs)};
        uint64_t cycles = choosePadding(rebuilt, *costs, fewest).cycles;
        AffineForOp worse = cycles < fewest ? best : candidate;
        if (cycles < fewest) {
          best = candidate;
          fewest = cycles;
        }
        if (worse)
          worse.erase();
      }
    if (!best)
      return;
    nest.erase();
    ++skewed;
    simplifyIndices(getOperation());
  }
};
} // namespace

std::unique_ptr<Pass> makeSkewLoops(const SharedCosts &costs) {
  return withCosts<SkewLoops>(costs);
}

} // namespace spindle::hls
