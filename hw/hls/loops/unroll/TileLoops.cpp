// Loops cut into strips whose inner iterations work on a block that fits somewhere.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/dependence/Independence.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/CarriedDependences.h"
#include "hw/hls/loops/analysis/LoopSelection.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSTILELOOPS
#include "hw/hls/Passes.h.inc"

namespace {

/// Perfectly nested loops from the outermost of them that is tiled to the innermost one.
struct Band {
  SmallVector<AffineForOp> loops;
  SmallVector<unsigned> sizes;
};

bool isPerfectlyInside(AffineForOp inner, AffineForOp outer) {
  return outer && inner->getBlock() == outer.getBody() && &outer.getBody()->front() == inner &&
         std::next(Block::iterator(inner)) == Block::iterator(outer.getBody()->getTerminator());
}

struct TileLoops : LoopPass<impl::HlsTileLoopsBase<TileLoops>> {
  using LoopPass::LoopPass;

  /// Selected loops come inner ones first; those of one band follow each other.
  SmallVector<Band> bandsOf(ArrayRef<SelectedLoop> selected) {
    SmallVector<Band> bands;
    for (const SelectedLoop &entry : selected) {
      auto size = unsigned(entry.factor);
      if (!bands.empty() && isPerfectlyInside(bands.back().loops.back(), entry.loop)) {
        bands.back().loops.push_back(entry.loop);
        bands.back().sizes.push_back(size);
      } else {
        bands.push_back({{entry.loop}, {size}});
      }
    }
    for (Band &band : bands) {
      std::reverse(band.loops.begin(), band.loops.end());
      std::reverse(band.sizes.begin(), band.sizes.end());
    }
    return bands;
  }

  LogicalResult check(Band &band) {
    for (auto [loop, size] : llvm::zip(band.loops, band.sizes)) {
      if (size == 0)
        return loop.emitError("cannot be tiled by all its iterations, expected a size");
      if (loop.getNumIterOperands() > 0)
        return loop.emitError("cannot be tiled: it carries values from iteration to iteration");
      for (AffineForOp other : band.loops)
        if (llvm::is_contained(loop.getLowerBoundOperands(), other.getInductionVar()) ||
            llvm::is_contained(loop.getUpperBoundOperands(), other.getInductionVar()))
          return loop.emitError("cannot be tiled: its bounds depend on a loop that is tiled too")
                     .attachNote(other.getLoc())
                 << "this one";
    }
    for (AffineForOp loop : band.loops)
      if (band.loops.size() > 1 && failed(checkPermutable(band, loop)))
        return failure();
    return success();
  }

  /// No dependence that a loop of the band carries goes back in another one.
  LogicalResult checkPermutable(Band &band, AffineForOp carrier) {
    for (const CarriedDependence &dependence : carriedDependences(carrier)) {
      bool isForward = llvm::all_of(band.loops, [&](AffineForOp loop) {
        std::optional<int64_t> distance = dependence.least(loop);
        return distance && *distance >= 0;
      });
      if (isForward)
        continue;
      InFlightDiagnostic error =
          band.loops[0].emitError("cannot be tiled: a dependence would be turned round");
      error.attachNote(dependence.from->getLoc()) << "the earlier access";
      error.attachNote(dependence.to->getLoc()) << "the later access";
      return error;
    }
    return success();
  }

  bool isLocal() const override { return true; }

  void runOnLoops() override {
    FailureOr<SmallVector<SelectedLoop>> selected =
        selectLoops(getOperation(), HlsDialect::tileName, loops);
    if (failed(selected))
      return signalPassFailure();
    simplifyIndices(getOperation());
    for (Band &band : bandsOf(*selected)) {
      if (failed(check(band)))
        return signalPassFailure();
      for (AffineForOp loop : band.loops)
        dropIndependence(loop); // of which other loops are around than before
      if (failed(tilePerfectlyNested(band.loops, band.sizes))) {
        band.loops[0].emitError("cannot be tiled: its bounds are minima or maxima");
        return signalPassFailure();
      }
      tiled += unsigned(band.loops.size());
    }
    simplifyIndices(getOperation());
    // A strip runs from 0 then; its last one may be shorter.
    getOperation().walk([](AffineForOp loop) { (void)normalizeAffineFor(loop); });
    simplifyIndices(getOperation());
  }
};
} // namespace

} // namespace spindle::hls
