// Local arrays that are never needed at one time share their memory.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"

using namespace mlir;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSSHAREARRAYS
#include "hw/hls/Passes.h.inc"

namespace {

/// From the first operation of the function's body that touches an array to the last one.
struct Lifetime {
  memref::AllocOp array;
  Operation *first = nullptr, *last = nullptr;
};

struct ShareArrays : LoopPass<impl::HlsShareArraysBase<ShareArrays>> {
  using LoopPass::LoopPass;

  Lifetime lifetimeOf(memref::AllocOp array) {
    Lifetime life{array};
    for (Operation *user : array->getUsers()) {
      Operation *here = array->getBlock()->findAncestorOpInBlock(*user);
      if (isa<memref::DeallocOp>(user))
        continue;
      if (!life.first || here->isBeforeInBlock(life.first))
        life.first = here;
      if (!life.last || life.last->isBeforeInBlock(here))
        life.last = here;
    }
    return life;
  }

  /// One memory serves both when the types and partitions agree and one ends before the other
  /// starts; an operation that touches both needs both.
  static bool canFollow(Lifetime before, Lifetime after) {
    return before.array.getType() == after.array.getType() &&
           before.array->getAttr(HlsDialect::partitionName) ==
               after.array->getAttr(HlsDialect::partitionName) &&
           before.last->isBeforeInBlock(after.first);
  }

  void runOnLoops() override {
    SmallVector<Lifetime> lives;
    for (auto array : getOperation().front().getOps<memref::AllocOp>())
      if (Lifetime life = lifetimeOf(array); life.first)
        lives.push_back(life);
    llvm::stable_sort(lives, [](const Lifetime &a, const Lifetime &b) {
      return a.first != b.first && a.first->isBeforeInBlock(b.first);
    });
    SmallVector<Lifetime> memories; // with the last use of whoever took them
    for (const Lifetime &life : lives) {
      auto *memory = llvm::find_if(memories, [&](const Lifetime &m) { return canFollow(m, life); });
      if (memory == memories.end()) {
        memories.push_back(life);
        continue;
      }
      memory->last = life.last;
      for (Operation *user : llvm::make_early_inc_range(life.array->getUsers()))
        if (isa<memref::DeallocOp>(user))
          user->erase();
      if (life.array->isBeforeInBlock(memory->array))
        memory->array->moveBefore(life.array);
      memory->array->removeDiscardableAttr(HlsDialect::declaredName); // two arrays of the program
      life.array->replaceAllUsesWith(memory->array);
      life.array->erase();
      ++shared;
    }
  }
};
} // namespace

} // namespace spindle::hls
