// Sums of a loop kept in registers: a word that every iteration of a loop updates is carried from
// one to the next, so that an addition waits for the one before and not for the memory between
// them.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"

#include "hw/hls/dependence/AccessTable.h"
#include "hw/hls/dependence/Nest.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSCARRYRESULTS
#include "hw/hls/Passes.h.inc"

namespace {

/// One word and its accesses in the body of a loop, in program order.
struct Word {
  MemRefAccess place;
  SmallVector<Operation *> accesses;
  bool isStored = false;
};

/// The words of the arrays of which each is touched at fixed words only, every access unguarded and
/// all words provably different.
SmallVector<Word> carriedWords(AffineForOp loop) {
  llvm::MapVector<Value, SmallVector<Word>> arrays;
  llvm::SmallPtrSet<Value, 8> spoiled;
  AccessTable firsts;                 // the first access of every word
  SmallVector<size_t> placesOfFirsts; // of their words among those of their array
  loop->walk([&](Operation *op) {
    std::optional<ArrayAccess> access = accessOf(op);
    if (!access)
      return;
    Value array = access->array;
    bool isAffine = isa<AffineLoadOp, AffineStoreOp>(op);
    if (!isAffine || op->getParentOp() != loop ||
        llvm::is_contained(op->getOperands(), loop.getInductionVar())) {
      spoiled.insert(array);
      return;
    }
    MemRefAccess place(op);
    SmallVector<Word> &words = arrays[array];
    size_t known = words.size();
    for (const AccessTable::Candidate &candidate : firsts.candidates(*access))
      if (known == words.size() && words[placesOfFirsts[candidate.number]].place == place)
        known = placesOfFirsts[candidate.number];
    if (known == words.size()) {
      words.push_back({place, {}, false});
      firsts.add(*access);
      placesOfFirsts.push_back(known);
    }
    words[known].accesses.push_back(op);
    words[known].isStored |= access->isStore;
  });
  auto isConstant = [](const Word &word) {
    AffineValueMap map;
    word.place.getAccessMap(&map);
    return llvm::all_of(map.getAffineMap().getResults(),
                        [](AffineExpr subscript) { return isa<AffineConstantExpr>(subscript); });
  };
  SmallVector<Word> carried;
  for (auto &[array, words] : arrays) {
    // One word is itself; several are different where all their subscripts are numbers.
    if (spoiled.contains(array) || (words.size() > 1 && !llvm::all_of(words, isConstant)))
      continue;
    for (Word &word : words)
      if (word.isStored)
        carried.push_back(std::move(word));
  }
  return carried;
}

Value loadBefore(AffineForOp loop, const Word &word) {
  OpBuilder builder(loop);
  Operation *like = word.accesses.front();
  AffineMap map = isa<AffineLoadOp>(like) ? cast<AffineLoadOp>(like).getAffineMap()
                                          : cast<AffineStoreOp>(like).getAffineMap();
  ValueRange operands = isa<AffineLoadOp>(like) ? cast<AffineLoadOp>(like).getMapOperands()
                                                : cast<AffineStoreOp>(like).getMapOperands();
  auto load = AffineLoadOp::create(builder, like->getLoc(), word.place.memref, map, operands);
  if (Attribute bank = like->getAttr(HlsDialect::bankName))
    load->setAttr(HlsDialect::bankName, bank);
  return load;
}

struct CarryResults : LoopPass<impl::HlsCarryResultsBase<CarryResults>> {
  using LoopPass::LoopPass;

  void runOnLoops() override {
    SmallVector<AffineForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
      SmallVector<AffineForOp> nest = perfectNest(loop);
      if (nest.size() == 1 && loop.getNumIterOperands() == 0)
        loops.push_back(loop);
      return nest.empty() ? WalkResult::advance() : WalkResult::skip();
    });
    for (AffineForOp loop : loops)
      carry(loop);
  }

  void carry(AffineForOp loop) {
    SmallVector<Word> words = carriedWords(loop);
    if (words.empty())
      return;
    SmallVector<Value> inits;
    for (const Word &word : words)
      inits.push_back(loadBefore(loop, word));
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(loop);
    // In program order: a word may take what was read from another one.
    SmallVector<std::pair<Operation *, size_t>> accesses;
    for (auto [index, word] : llvm::enumerate(words))
      for (Operation *op : word.accesses)
        accesses.push_back({op, index});
    llvm::sort(accesses, [](auto &a, auto &b) { return a.first->isBeforeInBlock(b.first); });
    auto next = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
      SmallVector<Value> contents(carried.begin(), carried.end());
      for (auto [op, index] : accesses) {
        if (isa<AffineLoadOp>(op))
          op->getResult(0).replaceAllUsesWith(contents[index]);
        else
          contents[index] = cast<AffineStoreOp>(op).getValueToStore();
      }
      return contents;
    };
    FailureOr<LoopLikeOpInterface> replaced =
        cast<LoopLikeOpInterface>(loop.getOperation())
            .replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
                                         next);
    if (failed(replaced))
      return;
    auto carrying = cast<AffineForOp>((*replaced).getOperation());
    OpBuilder behind(carrying->getContext());
    behind.setInsertionPointAfter(carrying);
    for (auto [word, result] : llvm::zip(words, carrying.getResults())) {
      auto store = cast<AffineStoreOp>(
          *llvm::find_if(word.accesses, [](Operation *op) { return isa<AffineStoreOp>(op); }));
      auto kept = AffineStoreOp::create(behind, store.getLoc(), result, store.getMemRef(),
                                        store.getAffineMap(), store.getMapOperands());
      if (Attribute bank = store->getAttr(HlsDialect::bankName))
        kept->setAttr(HlsDialect::bankName, bank);
      ++carriedWordsCount;
    }
    for (const Word &word : words)
      for (Operation *op : word.accesses)
        op->erase();
  }
};
} // namespace

} // namespace spindle::hls
