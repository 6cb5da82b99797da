// Which loops are unrolled so that several units work side by side.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/NestOrder.h"
#include "hw/hls/loops/order/RebuildNest.h"

#include "hw/hls/dependence/Nest.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSWIDENLOOPS
#include "hw/hls/Passes.h.inc"

namespace {

/// Whether a loop has iterations to put side by side, counted from one start, and has not got its
/// share yet.
bool isOpen(AffineForOp loop) {
  std::optional<uint64_t> trip = getConstantTripCount(loop);
  return !(trip && *trip < 2) && loop.getLowerBoundMap().getNumResults() == 1 &&
         !loop->hasAttr(HlsDialect::unrollName) && !loop->hasAttr(HlsDialect::widenedName);
}

/// The loops in their order but one, which becomes the innermost.
LoopMatrix innermostMatrix(unsigned loop, unsigned loops) {
  SmallVector<unsigned> order;
  for (unsigned n = 0; n < loops; ++n)
    if (n != loop)
      order.push_back(n);
  order.push_back(loop);
  return permutationMatrix(order);
}

struct WidenLoops : LoopPass<impl::HlsWidenLoopsBase<WidenLoops>> {
  using LoopPass::LoopPass;

  void runOnLoops() override {
    if (factor < 2)
      return;
    SmallVector<AffineForOp> nests;
    getOperation().walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
      if (perfectNest(loop).empty())
        return WalkResult::advance();
      nests.push_back(loop);
      return WalkResult::skip();
    });
    for (AffineForOp nest : nests)
      widen(nest);
  }

  void mark(AffineForOp loop) { mark(loop, factor); }

  void mark(AffineForOp loop, uint64_t most) {
    std::optional<uint64_t> trip = getConstantTripCount(loop);
    uint64_t iterations = trip ? std::min(*trip, most) : most;
    loop->setAttr(HlsDialect::unrollName,
                  IntegerAttr::get(IntegerType::get(&getContext(), 64), int64_t(iterations)));
    loop->setAttr(HlsDialect::widenedName, UnitAttr::get(&getContext()));
    ++widened;
  }

  /// The innermost loop; where it has fewer iterations, the loops around it, too, as long as all of
  /// theirs have room: 9 joins the window of a 3 x 3 filter.
  void markInnermost(ArrayRef<AffineForOp> nest) {
    uint64_t room = factor;
    for (AffineForOp loop : llvm::reverse(nest)) {
      std::optional<uint64_t> trip = getConstantTripCount(loop);
      bool isInnermost = loop == nest.back();
      if (!isOpen(loop) || (!isInnermost && !(trip && *trip <= room)))
        return;
      mark(loop, room);
      if (!trip || *trip >= room)
        return;
      room /= *trip;
    }
  }

  /// The share of the iterations that is left when so many run side by side.
  double shareOf(AffineForOp loop) {
    std::optional<uint64_t> trip = getConstantTripCount(loop);
    return trip ? double((*trip + factor - 1) / factor) / double(*trip) : 1.0 / double(factor);
  }

  void widen(AffineForOp outermost) {
    SmallVector<AffineForOp> nest = perfectNest(outermost);
    bool isFirst = llvm::none_of(
        nest, [](AffineForOp loop) { return loop->hasAttr(HlsDialect::widenedName); });
    if (isFirst)
      return markInnermost(nest);
    NestOrder order(outermost);
    std::optional<unsigned> best;
    std::pair<bool, double> least;
    for (auto n = unsigned(nest.size()); n-- > 0;) {
      bool isInnermost = n + 1 == nest.size();
      if (!isOpen(nest[n]) ||
          !(isInnermost || order.allows(innermostMatrix(n, unsigned(nest.size())))))
        continue;
      std::pair<bool, double> cost(order.chains(n), shareOf(nest[n]));
      if (best && cost >= least)
        continue;
      best = n;
      least = cost;
    }
    if (!best)
      return;
    if (*best + 1 < nest.size()) {
      AffineForOp moved = rebuildNest(outermost, innermostMatrix(*best, unsigned(nest.size())));
      if (!moved)
        return;
      if (perfectNest(moved).back().getLowerBoundMap().getNumResults() > 1) {
        moved.erase(); // cannot be unrolled
        return;
      }
      outermost.erase();
      simplifyIndices(getOperation());
      nest = perfectNest(moved);
    }
    mark(nest.back());
  }
};
} // namespace

} // namespace spindle::hls
