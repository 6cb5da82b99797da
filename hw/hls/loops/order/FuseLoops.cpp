// Neighbouring nests joined into one pipeline.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/hls/loops/arrays/ForwardInBody.h"
#include "hw/hls/loops/order/AbsorbNest.h"

#include "hw/hls/dependence/Nest.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSFUSELOOPS
#include "hw/hls/Passes.h.inc"

namespace {

/// All ways to choose `count` of `size` loops in their order.
SmallVector<SmallVector<unsigned>> choices(unsigned count, unsigned size) {
  SmallVector<SmallVector<unsigned>> all;
  for (unsigned set = 0; set < (1u << size); ++set) {
    SmallVector<unsigned> choice;
    for (unsigned loop = 0; loop < size; ++loop)
      if (set >> loop & 1)
        choice.push_back(loop);
    if (choice.size() == count)
      all.push_back(choice);
  }
  return all;
}

Shallow shallowOf(AffineForOp outermost) {
  Shallow shallow{perfectNest(outermost), {}};
  for (Operation &op : shallow.loops.back().getBody()->without_terminator())
    shallow.operations.push_back(&op);
  return shallow;
}

/// Arrays that the operations in `nest` touch.
llvm::SmallPtrSet<Value, 8> arraysOf(AffineForOp nest) {
  llvm::SmallPtrSet<Value, 8> arrays;
  nest.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        arrays.insert(operand);
  });
  return arrays;
}

/// Nests without a common array run at the same time as they are.
bool areApart(AffineForOp first, AffineForOp second) {
  llvm::SmallPtrSet<Value, 8> arrays = arraysOf(first);
  return llvm::none_of(arraysOf(second), [&](Value array) { return arrays.contains(array); });
}

struct FuseLoops : CostPass<impl::HlsFuseLoopsBase<FuseLoops>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    simplifyIndices(getOperation());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      fuseIn(*block);
  }

  void fuseIn(Block &block) {
    AffineForOp previous;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto loop = dyn_cast<AffineForOp>(op)) {
        AffineForOp joined = previous ? fuse(previous, loop) : nullptr;
        previous = joined ? joined : loop;
      } else if (!isMemoryEffectFree(&op)) {
        previous = nullptr;
      }
    }
  }

  /// Joins two nests if that is faster; the nest that then stands where the second was, or null.
  AffineForOp fuse(AffineForOp first, AffineForOp second) {
    if (perfectNest(first).empty() || perfectNest(second).empty())
      return {};
    if (first->getNumResults() > 0 || second->getNumResults() > 0 || areApart(first, second))
      return {};
    uint64_t fewest = estimateCycles(first, *costs) + estimateCycles(second, *costs);
    AffineForOp best;
    for (bool isBefore : {true, false}) {
      AffineForOp shallow = isBefore ? first : second, deep = isBefore ? second : first;
      SmallVector<AffineForOp> loops = perfectNest(deep);
      Shallow part = shallowOf(shallow);
      for (const auto &matches : choices(part.loops.size(), loops.size())) {
        Absorption absorption{matches, isBefore};
        if (!canAbsorb(loops, part, absorption))
          continue;
        auto candidate = cast<AffineForOp>(OpBuilder(second).clone(*deep));
        SmallVector<AffineForOp> nest = perfectNest(candidate);
        absorb(nest, part, absorption);
        forwardInBody(*nest.back().getBody());
        uint64_t cycles = estimateCycles(candidate, *costs);
        AffineForOp worse = cycles < fewest ? best : candidate;
        if (cycles < fewest) {
          best = candidate;
          fewest = cycles;
        }
        if (worse)
          worse.erase();
      }
    }
    if (!best)
      return {};
    first.erase();
    second.erase();
    ++fused;
    simplifyIndices(getOperation());
    return best;
  }
};
} // namespace

std::unique_ptr<Pass> makeFuseLoops(const SharedCosts &costs) {
  return withCosts<FuseLoops>(costs);
}

} // namespace spindle::hls
