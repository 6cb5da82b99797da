// The order of the loops of a nest with the fewest cycles.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/hls/loops/order/RebuildNest.h"

#include "hw/hls/dependence/Nest.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSINTERCHANGELOOPS
#include "hw/hls/Passes.h.inc"

namespace {

constexpr unsigned mostLoopsInAnyOrder = 5; // 120 orders
constexpr unsigned mostLoops = 12;          // 286 exchanges of two blocks

using Order = SmallVector<unsigned>;

/// Other orders than the written one: all of them, or those of a deep nest in which two blocks of
/// neighbouring loops have changed places (the three reductions of a convolution move together).
SmallVector<Order> otherOrders(unsigned loops) {
  Order written(llvm::to_vector(llvm::seq<unsigned>(0, loops)));
  SmallVector<Order> orders;
  if (loops <= mostLoopsInAnyOrder) {
    for (Order order = written; std::next_permutation(order.begin(), order.end());)
      orders.push_back(order);
    return orders;
  }
  for (unsigned first = 0; first < loops; ++first)
    for (unsigned second = first + 1; second < loops; ++second)
      for (unsigned end = second + 1; end <= loops; ++end) {
        orders.push_back(written);
        Order &order = orders.back();
        std::rotate(order.begin() + first, order.begin() + second, order.begin() + end);
      }
  return orders;
}

struct InterchangeLoops : CostPass<impl::HlsInterchangeLoopsBase<InterchangeLoops>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    SmallVector<AffineForOp> nests;
    getOperation().walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
      size_t depth = perfectNest(loop).size();
      if (depth > 1 && depth <= mostLoops)
        nests.push_back(loop);
      return depth == 0 ? WalkResult::advance() : WalkResult::skip();
    });
    for (AffineForOp nest : nests)
      interchange(nest);
  }

  /// Legal orders are built and estimated; the cheapest stays, the first of equals.
  void interchange(AffineForOp nest) {
    NestEstimate written = estimateNest(nest, *costs);
    if (written.interval() == 1)
      return;
    NestOrder order(nest);
    AffineForOp best = nest;
    uint64_t fewest = written.cycles();
    for (const Order &loops : otherOrders(unsigned(perfectNest(nest).size()))) {
      LoopMatrix matrix = permutationMatrix(loops);
      AffineForOp candidate = order.allows(matrix) ? rebuildNest(nest, matrix) : nullptr;
      if (!candidate)
        continue;
      uint64_t cycles = estimateNest(candidate, *costs).cycles();
      AffineForOp worse = cycles < fewest ? best : candidate;
      if (cycles < fewest) {
        best = candidate;
        fewest = cycles;
      }
      if (worse != nest)
        worse.erase();
    }
    if (best == nest)
      return;
    nest.erase();
    ++interchanged;
    simplifyIndices(getOperation());
  }
};
} // namespace

std::unique_ptr<Pass> makeInterchangeLoops(const SharedCosts &costs) {
  return withCosts<InterchangeLoops>(costs);
}

} // namespace spindle::hls
