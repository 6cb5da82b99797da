// Statements around an inner loop put into it, so that both become one pipeline.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/hls/loops/analysis/NestOrder.h"
#include "hw/hls/loops/arrays/ForwardInBody.h"
#include "hw/hls/loops/order/AbsorbNest.h"

#include "hw/hls/dependence/Nest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSPERFECTLOOPS
#include "hw/hls/Passes.h.inc"

namespace {

/// What stands around the only loop of a body.
struct Body {
  SmallVector<AffineForOp> inner; // a perfect nest
  SmallVector<Operation *> before, behind;
};

/// A condition is one as a whole, whatever it yields, unless loops are in it.
bool isStatement(Operation *op) {
  if (!isa<AffineIfOp, scf::IfOp>(op))
    return op->getNumRegions() == 0 && (accessOf(op) || isPure(op));
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!inner.hasTrait<OpTrait::IsTerminator>() && !isStatement(&inner))
        return false;
  return true;
}

std::optional<Body> bodyOf(AffineForOp loop) {
  Body body;
  if (loop->getNumResults() > 0)
    return std::nullopt;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      if (!body.inner.empty())
        return std::nullopt;
      body.inner = plainNest(inner);
      if (body.inner.empty() || inner->getNumResults() > 0)
        return std::nullopt;
      continue;
    }
    if (!isStatement(&op))
      return std::nullopt;
    (body.inner.empty() ? body.before : body.behind).push_back(&op);
  }
  return body.inner.empty() || (body.before.empty() && body.behind.empty()) ? std::nullopt
                                                                            : std::optional(body);
}

/// Operations before the inner loop whose values are read in it or after it.
SmallVector<Operation *> valuesFor(const Body &body) {
  llvm::SetVector<Operation *> makers;
  SmallVector<Operation *> readers(body.behind);
  readers.push_back(body.inner.front());
  auto need = [&](Value value) {
    if (llvm::is_contained(body.before, value.getDefiningOp()))
      makers.insert(value.getDefiningOp());
  };
  for (Operation *reader : readers)
    reader->walk([&](Operation *op) { llvm::for_each(op->getOperands(), need); });
  for (size_t n = 0; n < makers.size(); ++n) {
    Operation *maker = makers[n];
    maker->walk([&](Operation *op) { llvm::for_each(op->getOperands(), need); });
  }
  SmallVector<Operation *> ordered;
  for (Operation *op : body.before)
    if (makers.contains(op))
      ordered.push_back(op);
  return ordered;
}

/// Whether a store may change what the load reads within one iteration of the loops around it.
bool mayChange(const ArrayAccess &load, const ArrayAccess &store) {
  if (load.array != store.array)
    return false;
  InstanceSystem system;
  Instance reading = system.add(load.op);
  Instance writing = system.add(store.op, &reading, unsigned(reading.loops.size()));
  auto here = system.subscripts(load, reading), there = system.subscripts(store, writing);
  if (here && there)
    for (auto [x, y] : llvm::zip(*here, *there))
      system.addZero(x - y);
  return !system.isEmpty();
}

/// Whether a bound of the inner nest is one of the values.
bool isBound(ArrayRef<Operation *> makers, ArrayRef<AffineForOp> inner) {
  return llvm::any_of(inner, [&](AffineForOp loop) {
    return llvm::any_of(loop->getOperands(), [&](Value operand) {
      return llvm::is_contained(makers, operand.getDefiningOp());
    });
  });
}

/// Whether the values are the same whenever the inner nest or what is after it makes them anew:
/// what is after it does so before it stores.
bool canRepeat(ArrayRef<Operation *> makers, const Body &body) {
  SmallVector<ArrayAccess> accesses;
  for (Operation *op : body.before)
    llvm::append_range(accesses, accessesIn(op));
  llvm::append_range(accesses, accessesIn(AffineForOp(body.inner.front())));
  for (Operation *op : makers)
    for (const ArrayAccess &load : accessesIn(op)) {
      if (load.isStore)
        return false;
      bool isBehind = false;
      for (const ArrayAccess &other : accesses) {
        isBehind = isBehind || other.op == load.op;
        if (isBehind && other.isStore && mayChange(load, other))
          return false;
      }
    }
  return true;
}

bool hasEffect(ArrayRef<Operation *> operations) {
  return llvm::any_of(operations, [](Operation *op) {
    return llvm::any_of(accessesIn(op), [](const ArrayAccess &access) { return access.isStore; });
  });
}

struct PerfectLoops : CostPass<impl::HlsPerfectLoopsBase<PerfectLoops>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    simplifyIndices(getOperation());
    // Inner loops first: only a perfect nest can take statements.
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) { loops.push_back(loop); });
    for (AffineForOp loop : loops)
      tryPerfect(loop);
    simplifyIndices(getOperation());
  }

  /// Statements that run once per row cost a turn of every iteration where their unit is slow (a
  /// division): then the loop stays as it is.
  void tryPerfect(AffineForOp loop) {
    if (!bodyOf(loop))
      return;
    auto candidate = cast<AffineForOp>(OpBuilder(loop).clone(*loop));
    makePerfect(*bodyOf(candidate));
    if (plainNest(candidate).empty() || isSlow(candidate, loop))
      return candidate.erase();
    loop->replaceAllUsesWith(candidate->getResults());
    loop.erase();
    ++perfected;
  }

  /// The interval of a nest may still fall by another order of its loops, where there is one, but
  /// not below what its units need.
  bool isSlow(AffineForOp candidate, AffineForOp loop) {
    if (perfectNest(candidate).empty()) // loops around keep their own turns
      return estimateCycles(candidate, *costs) > estimateCycles(loop, *costs);
    NestEstimate nest = estimateNest(candidate, *costs);
    if (nest.interval() == 1)
      return false;
    uint64_t apart = estimateCycles(loop, *costs);
    uint64_t least = nest.iterations * nest.ports + nest.runs * nest.depth;
    return least > apart || (nest.cycles() > apart && !hasOtherOrder(candidate));
  }

  /// Whether two neighbouring loops of a nest may change places.
  static bool hasOtherOrder(AffineForOp nest) {
    auto size = unsigned(perfectNest(nest).size());
    NestOrder order(nest);
    for (unsigned first = 0; first + 1 < size; ++first) {
      SmallVector<unsigned> loops(llvm::to_vector(llvm::seq<unsigned>(0, size)));
      std::swap(loops[first], loops[first + 1]);
      if (order.allows(permutationMatrix(loops)))
        return true;
    }
    return false;
  }

  void makePerfect(const Body &body) {
    SmallVector<Operation *> makers = valuesFor(body);
    SmallVector<Operation *> behind(makers);
    llvm::append_range(behind, body.behind);
    Shallow prologue{{}, body.before}, epilogue{{}, behind};
    Absorption first{{}, true}, last{{}, false};
    bool hasPrologue = hasEffect(body.before), hasEpilogue = hasEffect(body.behind);
    if (isBound(makers, body.inner) || !canRepeat(makers, body) ||
        (hasPrologue && !canAbsorb(body.inner, prologue, first)) ||
        (hasEpilogue && !canAbsorb(body.inner, epilogue, last)))
      return;
    if (hasEpilogue)
      absorb(body.inner, epilogue, last);
    // The inner operations read copies of the values in each of its iterations.
    AffineForOp innermost = body.inner.back();
    OpBuilder builder = OpBuilder::atBlockBegin(innermost.getBody());
    IRMapping copies;
    for (Operation *op : makers)
      builder.clone(*op, copies);
    for (auto [value, copy] : copies.getValueMap())
      value.replaceUsesWithIf(copy, [&](OpOperand &use) {
        return body.inner.front()->isProperAncestor(use.getOwner());
      });
    if (hasPrologue)
      absorb(body.inner, prologue, first);
    for (const SmallVector<Operation *> &operations : {body.behind, body.before})
      for (Operation *op : llvm::reverse(operations))
        op->erase();
    forwardInBody(*innermost.getBody());
  }
};
} // namespace

std::unique_ptr<Pass> makePerfectLoops(const SharedCosts &costs) {
  return withCosts<PerfectLoops>(costs);
}

} // namespace spindle::hls
