#include "hw/hls/loops/arrays/ShareGuardedLoads.h"

#include "hw/hls/dependence/Instance.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <set>
#include <tuple>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

std::vector<const void *> pointersOf(ValueRange values) {
  std::vector<const void *> pointers;
  for (Value value : values)
    pointers.push_back(value.getAsOpaquePointer());
  return pointers;
}

/// A load, and the conditions from the block to it, outermost first.
struct GuardedLoad {
  AffineLoadOp load;
  SmallVector<Guard> guards;
};

using GuardKey = std::tuple<const void *, std::vector<const void *>, bool>;

std::set<GuardKey> keysOf(const GuardedLoad &guarded) {
  std::set<GuardKey> keys;
  for (Guard guard : guarded.guards)
    keys.insert({guard.op.getIntegerSet().getAsOpaquePointer(), pointersOf(guard.op.getOperands()),
                 guard.inElse});
  return keys;
}

/// Map and operands, the array first.
using Word = std::pair<const void *, std::vector<const void *>>;

Word wordOf(AffineLoadOp load) {
  return {load.getAffineMap().getAsOpaquePointer(), pointersOf(load->getOperands())};
}

class Sharing {
public:
  explicit Sharing(Block &given) : block(given) {}

  bool run() {
    for (const ArrayAccess &access : accessesIn(block.getParentOp()))
      if (access.isStore)
        stored.insert(access.array);
    for (Operation &op : block)
      if (auto branch = dyn_cast<AffineIfOp>(op))
        collect(branch, branch, {});
    bool changed = false;
    for (const Word &word : order)
      changed |= share(words[word]);
    return changed;
  }

private:
  /// Whether what the operation reads is there in front of the branch.
  static bool isKnownBefore(AffineIfOp branch, Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *maker = operand.getDefiningOp();
      return !maker || !branch->isAncestor(maker);
    });
  }

  void collect(AffineIfOp branch, AffineIfOp inner, SmallVector<Guard> guards) {
    if (!isKnownBefore(branch, inner))
      return;
    for (bool inElse : {false, true}) {
      SmallVector<Guard> under(guards);
      under.push_back({inner, inElse});
      Region &region = inElse ? inner.getElseRegion() : inner.getThenRegion();
      for (Operation &op : region.getOps()) {
        if (auto deeper = dyn_cast<AffineIfOp>(op)) {
          collect(branch, deeper, under);
          continue;
        }
        auto load = dyn_cast<AffineLoadOp>(op);
        if (!load || stored.contains(load.getMemRef()) || !isKnownBefore(branch, load))
          continue;
        auto [found, isNew] = words.try_emplace(wordOf(load));
        if (isNew)
          order.push_back(found->first);
        found->second.push_back({load, under});
      }
    }
  }

  bool share(ArrayRef<GuardedLoad> loads) {
    auto outermost = [](const GuardedLoad &guarded) { return guarded.guards.front().op; };
    bool isInSeveral = llvm::any_of(loads, [&](const GuardedLoad &other) {
      return outermost(other) != outermost(loads.front());
    });
    if (!isInSeveral)
      return false;
    const GuardedLoad *least = &loads.front();
    for (const GuardedLoad &guarded : loads)
      if (guarded.guards.size() < least->guards.size())
        least = &guarded;
    std::set<GuardKey> common = keysOf(*least);
    for (const GuardedLoad &guarded : loads) {
      std::set<GuardKey> keys = keysOf(guarded);
      if (!std::includes(keys.begin(), keys.end(), common.begin(), common.end()))
        return false;
    }
    OpBuilder builder(outermost(loads.front()));
    Value shared = guardedCopy(builder, least->load, least->guards);
    for (GuardedLoad guarded : loads) {
      guarded.load.replaceAllUsesWith(shared);
      guarded.load.erase();
    }
    return true;
  }

  /// The load under these conditions, zero elsewhere, where nobody asks for it.
  static Value guardedCopy(OpBuilder &builder, AffineLoadOp load, ArrayRef<Guard> guards) {
    if (guards.empty())
      return cast<AffineLoadOp>(builder.clone(*load)).getResult();
    Guard guard = guards.front();
    Location location = load.getLoc();
    auto condition = AffineIfOp::create(builder, location, TypeRange(load.getType()),
                                        guard.op.getIntegerSet(), guard.op.getOperands(),
                                        /*withElseRegion=*/true);
    auto fill = [&](Block *branch, bool isTaken) {
      OpBuilder inside = OpBuilder::atBlockBegin(branch);
      Value value =
          isTaken ? guardedCopy(inside, load, guards.drop_front())
                  : arith::ConstantOp::create(inside, location,
                                              cast<TypedAttr>(inside.getZeroAttr(load.getType())))
                        .getResult();
      AffineYieldOp::create(inside, location, value);
    };
    fill(condition.getThenBlock(), !guard.inElse);
    fill(condition.getElseBlock(), guard.inElse);
    return condition.getResult(0);
  }

  Block &block;
  llvm::DenseSet<Value> stored;
  std::map<Word, SmallVector<GuardedLoad, 2>> words;
  std::vector<Word> order;
};

} // namespace

bool shareGuardedLoads(Block &block) { return Sharing(block).run(); }

} // namespace spindle::hls
