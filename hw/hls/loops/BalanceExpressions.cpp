// Long chains of sums and products become trees, and one running sum several.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"

#include "hw/hls/dependence/AccessTable.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/IR/Matchers.h"

#include <map>
#include <queue>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSBALANCEEXPRESSIONS
#include "hw/hls/Passes.h.inc"

namespace {

bool isIntegerChain(Operation *op) {
  return isa<arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}
bool isFloatChain(Operation *op) { return isa<arith::AddFOp, arith::MulFOp>(op); }

/// The value that changes nothing: x + -0 = x for every float, also for -0.
Value neutral(OpBuilder &builder, Operation *op) {
  Type type = op->getResult(0).getType();
  double number = isa<arith::MulFOp, arith::MulIOp>(op) ? 1 : 0;
  TypedAttr value;
  if (auto floats = dyn_cast<FloatType>(type))
    value = builder.getFloatAttr(floats, isa<arith::AddFOp>(op) ? -0.0 : number);
  else
    value = builder.getIntegerAttr(type, isa<arith::AndIOp>(op) ? -1 : int64_t(number));
  return arith::ConstantOp::create(builder, op->getLoc(), value);
}

/// Operations that take a unit, or a port of a memory; the others are gates within a cycle.
bool takesTime(Operation *op) {
  return !isa<arith::SelectOp, arith::BitcastOp, arith::CmpIOp>(op) && op->getNumOperands() > 0 &&
         !op->hasTrait<OpTrait::ConstantLike>();
}

Value combine(OpBuilder &builder, Operation *like, Value a, Value b) {
  Operation *made = builder.clone(*like);
  made->setOperands({a, b});
  return made->getResult(0);
}

struct BalanceExpressions : LoopPass<impl::HlsBalanceExpressionsBase<BalanceExpressions>> {
  using LoopPass::LoopPass;

  static constexpr unsigned carriedHeight = 1 << 20;
  llvm::DenseMap<Value, unsigned> heights;
  struct Loads {
    AccessTable table; // numbers of operations
    SmallVector<Operation *> operations;
  };
  std::map<Block *, Loads> loads; // looked up only

  bool mayReorder(Operation *op) { return isIntegerChain(op) || (floats && isFloatChain(op)); }

  /// Whether an operand is an inner part of the chain of `op`.
  static bool isPart(Value operand, Operation *op) {
    Operation *maker = operand.getDefiningOp();
    return maker && maker->getName() == op->getName() && maker->getBlock() == op->getBlock() &&
           operand.hasOneUse();
  }

  /// Parts from the root down.
  void collect(Operation *op, SmallVector<Operation *> &parts, SmallVector<Value> &leaves) {
    parts.push_back(op);
    for (Value operand : op->getOperands()) {
      if (isPart(operand, op))
        collect(operand.getDefiningOp(), parts, leaves);
      else
        leaves.push_back(operand);
    }
  }

  /// Operations between the start of the block and a value; carried values count as last, so that
  /// the cycle from iteration to iteration holds a single operation.
  unsigned heightOf(Value value) {
    auto [found, isNew] = heights.try_emplace(value, 0);
    if (!isNew)
      return found->second;
    unsigned height = 0;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<AffineForOp>(argument.getOwner()->getParentOp());
      height = loop && value != loop.getInductionVar() ? carriedHeight : 0;
    } else {
      Operation *maker = value.getDefiningOp();
      for (Value operand : maker->getOperands())
        if (operand.getParentBlock() == maker->getBlock())
          height = std::max(height, heightOf(operand));
      height += takesTime(maker);
    }
    return heights[value] = height;
  }

  /// Loads of the word that a loop writes the sum to count as carried, too.
  void markAccumulator(Operation *root) {
    if (!isa<AffineForOp>(root->getParentOp()))
      return;
    for (Operation *user : root->getUsers())
      if (isa<AffineStoreOp>(user))
        for (Operation *load : loadsOf(user, root->getBlock()))
          if (load->isBeforeInBlock(root))
            heights[load->getResult(0)] = carriedHeight;
  }

  /// The loads of a block from the word of a store.
  SmallVector<Operation *> loadsOf(Operation *store, Block *block) {
    auto [known, isNew] = loads.try_emplace(block);
    Loads &inBlock = known->second;
    if (isNew)
      for (auto load : block->getOps<AffineLoadOp>()) {
        inBlock.table.add(*accessOf(load));
        inBlock.operations.push_back(load);
      }
    SmallVector<Operation *> ofWord;
    for (const AccessTable::Candidate &candidate : inBlock.table.candidates(*accessOf(store)))
      if (MemRefAccess(inBlock.operations[candidate.number]) == MemRefAccess(store))
        ofWord.push_back(inBlock.operations[candidate.number]);
    return ofWord;
  }

  /// The two lowest values first (Huffman 1952); ties in the order of the source.
  void balance(Operation *root) {
    SmallVector<Operation *> parts;
    SmallVector<Value> leaves;
    collect(root, parts, leaves);
    if (leaves.size() < 3)
      return;
    markAccumulator(root);
    using Entry = std::tuple<unsigned, unsigned, Value>;
    auto later = [](const Entry &a, const Entry &b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) > std::tie(std::get<0>(b), std::get<1>(b));
    };
    std::priority_queue<Entry, std::vector<Entry>, decltype(later)> queue(later);
    for (auto [n, leaf] : llvm::enumerate(leaves))
      queue.emplace(heightOf(leaf), unsigned(n), leaf);
    OpBuilder builder(root);
    auto number = unsigned(leaves.size());
    while (queue.size() > 1) {
      auto [lowA, orderA, a] = queue.top();
      queue.pop();
      auto [lowB, orderB, b] = queue.top();
      queue.pop();
      Value sum = orderA < orderB ? combine(builder, root, a, b) : combine(builder, root, b, a);
      heights[sum] = std::max(lowA, lowB) + 1;
      queue.emplace(std::max(lowA, lowB) + 1, number++, sum);
    }
    root->replaceAllUsesWith(ValueRange(std::get<2>(queue.top())));
    for (Operation *part : parts) {
      heights.erase(part->getResult(0));
      part->erase();
    }
    ++balanced;
  }

  /// acc' = acc + x becomes partial sums that take turns: the one added to was written
  /// `interleave` iterations ago. They are added up after the loop.
  void interleaveSum(AffineForOp loop) {
    auto yield = cast<AffineYieldOp>(loop.getBody()->getTerminator());
    for (unsigned n = 0; n < loop.getNumIterOperands(); ++n) {
      BlockArgument sum = loop.getRegionIterArgs()[n];
      Operation *update = yield.getOperand(n).getDefiningOp();
      if (!update || !mayReorder(update) || !sum.hasOneUse() || *sum.user_begin() != update ||
          !update->hasOneUse() || update->getOperand(0) == update->getOperand(1))
        continue;
      OpBuilder builder(loop);
      SmallVector<Value> inits(interleave - 1, neutral(builder, update));
      IRRewriter rewriter(builder);
      auto replaced = loop.replaceWithAdditionalYields(
          rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
          [&](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
            return SmallVector<Value>(added.begin(), added.end());
          });
      auto widened = cast<AffineForOp>(replaced->getOperation());
      unsigned first = widened.getNumIterOperands() - (interleave - 1);
      auto all = cast<AffineYieldOp>(widened.getBody()->getTerminator());
      // The slots rotate: n takes the next one, the last one takes the new sum.
      Value fresh = all.getOperand(n);
      all.setOperand(n, widened.getRegionIterArgs()[first]);
      for (unsigned slot = first; slot + 1 < widened.getNumIterOperands(); ++slot)
        all.setOperand(slot, widened.getRegionIterArgs()[slot + 1]);
      all.setOperand(widened.getNumIterOperands() - 1, fresh);
      builder.setInsertionPointAfter(widened);
      SmallVector<Value> parts{widened.getResult(n)};
      llvm::append_range(parts, widened.getResults().drop_front(first));
      SmallPtrSet<Operation *, 8> made;
      while (parts.size() > 1) {
        SmallVector<Value> next;
        for (size_t k = 0; k + 1 < parts.size(); k += 2) {
          next.push_back(combine(builder, fresh.getDefiningOp(), parts[k], parts[k + 1]));
          made.insert(next.back().getDefiningOp());
        }
        if (parts.size() % 2)
          next.push_back(parts.back());
        parts = std::move(next);
      }
      widened.getResult(n).replaceAllUsesExcept(parts[0], made);
      ++interleaved;
      loop = widened;
      yield = all;
    }
  }

  void runOnLoops() override {
    if (interleave == 0) {
      getOperation().emitError("'interleave' is 0, expected the number of partial sums, 1 to leave "
                               "sums alone");
      return signalPassFailure();
    }
    loads.clear();
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) { loops.push_back(loop); });
    SmallVector<Operation *> roots;
    getOperation().walk([&](Operation *op) {
      if (mayReorder(op) && !(op->hasOneUse() && isPart(op->getResult(0), *op->user_begin())))
        roots.push_back(op);
    });
    for (Operation *root : roots)
      balance(root);
    if (interleave > 1)
      for (AffineForOp loop : loops)
        if (loop.getOps<AffineForOp>().empty())
          interleaveSum(loop);
  }
};
} // namespace

} // namespace spindle::hls
