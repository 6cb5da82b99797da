// Nothing is loaded or computed twice in one iteration, guards or not.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/AccessOverlap.h"
#include "hw/hls/loops/arrays/ShareGuardedLoads.h"

#include "hw/hls/dependence/AccessTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSREUSEVALUES
#include "hw/hls/Passes.h.inc"

namespace {

/// Elements whose value is at hand, by the access that read or wrote them last.
class KnownElements {
public:
  Value find(Operation *load) {
    for (const AccessTable::Candidate &candidate : table.candidates(*accessOf(load)))
      if (overlap(candidate, load) == Overlap::Same)
        return entries[candidate.number].value;
    return {};
  }
  void add(Operation *access, Value value) {
    table.add(*accessOf(access));
    entries.push_back({access, value});
  }
  /// Forgets what a store may have changed.
  void forget(Operation *store) {
    for (const AccessTable::Candidate &candidate : table.candidates(*accessOf(store)))
      if (overlap(candidate, store) != Overlap::Different)
        remove(candidate.number);
  }
  /// Forgets the arrays that operations inside `op` store into, in any iteration.
  void forgetStores(Operation *op) {
    llvm::SetVector<Value> arrays;
    op->walk([&](Operation *inner) {
      if (isStoreAccess(inner))
        arrays.insert(arrayOf(inner));
    });
    for (Value array : arrays)
      for (unsigned number : table.accessesOf(array))
        remove(number);
  }
  void clear() {
    for (unsigned number = 0; number < entries.size(); ++number)
      if (table.contains(number))
        remove(number);
  }

  /// What is known at one point, for the way back to it.
  struct Mark {
    size_t entries, removed;
  };
  Mark mark() const { return {entries.size(), removed.size()}; }
  void goBack(const Mark &place) {
    for (; removed.size() > place.removed; removed.pop_back())
      table.restore(removed.back());
    table.shrink(place.entries);
    entries.resize(place.entries);
  }

private:
  struct Entry {
    Operation *access = nullptr;
    Value value;
  };

  void remove(unsigned number) {
    table.remove(number);
    removed.push_back(number);
  }

  /// Of an element and an access.
  Overlap overlap(const AccessTable::Candidate &candidate, Operation *access) {
    auto [known, isNew] = overlaps.try_emplace(candidate.relation, Overlap::Unknown);
    if (isNew)
      known->second = overlapOf(entries[candidate.number].access, access);
    return known->second;
  }

  AccessTable table; // numbers of entries
  std::vector<Entry> entries;
  std::vector<unsigned> removed; // in their order
  std::map<AccessTable::Relation, Overlap> overlaps;
};

/// A word of a constant array at a constant subscript.
Attribute constantWord(Operation *load) {
  SmallVector<OpFoldResult> found;
  if (failed(load->fold(found)) || found.size() != 1)
    return {};
  return dyn_cast<Attribute>(found.front());
}

/// An operation that may run where nobody asked for it, and can be told from another by its parts.
bool isExpression(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 && isPure(op) &&
         !op->hasTrait<OpTrait::ConstantLike>();
}

using Expression = std::tuple<const void *, const void *, const void *, std::vector<void *>>;

Expression expressionOf(Operation *op) {
  std::vector<void *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(operand.getAsOpaquePointer());
  return {op->getName().getAsOpaquePointer(), op->getAttrDictionary().getAsOpaquePointer(),
          op->getResult(0).getType().getAsOpaquePointer(), std::move(operands)};
}

struct ReuseValues : LoopPass<impl::HlsReuseValuesBase<ReuseValues>> {
  using LoopPass::LoopPass;

  void reuseLoads(Block &block, KnownElements &known) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<AffineLoadOp>(op)) {
        if (auto word = dyn_cast_or_null<TypedAttr>(constantWord(&op))) {
          OpBuilder builder(&op);
          op.replaceAllUsesWith(arith::ConstantOp::create(builder, op.getLoc(), word));
          op.erase();
          ++loads;
        } else if (Value value = known.find(&op)) {
          op.getResult(0).replaceAllUsesWith(value);
          op.erase();
          ++loads;
        } else {
          known.add(&op, op.getResult(0));
        }
      } else if (auto store = dyn_cast<AffineStoreOp>(op)) {
        known.forget(&op);
        known.add(&op, store.getValueToStore());
      } else if (isStoreAccess(&op)) {
        known.forget(&op);
      } else if (op.getNumRegions() > 0) {
        bool isLoop = !isa<AffineIfOp>(op);
        if (isLoop) // an iteration comes after others
          known.forgetStores(&op);
        for (Region &region : op.getRegions())
          for (Block &inner : region) {
            KnownElements::Mark before = known.mark();
            reuseLoads(inner, known);
            known.goBack(before);
          }
        known.forgetStores(&op);
      } else if (!isPure(&op) && !isa<memref::AllocOp, memref::LoadOp>(op)) {
        known.clear(); // calls
      }
    }
  }

  /// Expressions that stand in several branches, or in a branch and after it, move in front of
  /// the first; those that they are made of follow in the next round.
  bool shareAmongBranches(Block &block) {
    struct Occurrence {
      Operation *branch, *op;
    };
    std::map<Expression, SmallVector<Occurrence>> occurrences;
    SmallVector<Expression> order;
    auto record = [&](Operation *branch, Operation *op) {
      bool isKnownHere = llvm::all_of(op->getOperands(), [&](Value operand) {
        Operation *maker = operand.getDefiningOp();
        return !maker || !branch->isAncestor(maker) || maker == op;
      });
      if (!isExpression(op) || !isKnownHere)
        return;
      Expression expression = expressionOf(op);
      auto [found, isNew] = occurrences.try_emplace(expression);
      if (isNew)
        order.push_back(expression);
      found->second.push_back({branch, op});
    };
    for (Operation &op : block) {
      if (isa<AffineIfOp>(op))
        op.walk([&](Operation *inner) { record(&op, inner); });
      else
        record(&op, &op);
    }
    bool changed = false;
    for (const Expression &expression : order) {
      ArrayRef<Occurrence> found = occurrences[expression];
      if (found.size() < 2 || found[0].branch == found[0].op)
        continue;
      found[0].op->moveBefore(found[0].branch);
      changed = true;
      for (const Occurrence &other : found.drop_front()) {
        other.op->replaceAllUsesWith(found[0].op);
        other.op->erase();
        ++expressions;
      }
      break; // expressions of the others name their operands anew
    }
    return changed;
  }

  void runOnLoops() override {
    simplifyIndices(getOperation());
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    for (bool changed = true; changed;) {
      eliminateCommonSubExpressions(rewriter, dominance, getOperation());
      KnownElements known;
      reuseLoads(getOperation().front(), known);
      changed = false;
      getOperation().walk([&](Block *block) {
        while (shareAmongBranches(*block))
          changed = true;
        if (isa<AffineForOp>(block->getParentOp()))
          changed |= shareGuardedLoads(*block);
      });
    }
  }
};
} // namespace

} // namespace spindle::hls
