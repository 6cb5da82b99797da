#include "dialects/order/SettleOrder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace spindle {

namespace {

class BlockOrder {
public:
  explicit BlockOrder(Block &ordered) : block(ordered) {}

  void settle() {
    SmallVector<Operation *> before;
    for (Operation &op : block)
      before.push_back(&op);
    for (Operation *op : before)
      if (!isFree(op))
        place(op);
    for (Operation *op : llvm::reverse(before))
      if (!placed.contains(op))
        op->use_empty() ? op->erase() : place(op); // another block may need it
    Operation *last = block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    for (Operation *op : after)
      if (op != last)
        last ? op->moveBefore(last) : op->moveBefore(&block, block.end());
  }

private:
  /// Whether the operation may stand anywhere between what it needs and what needs it.
  static bool isFree(Operation *op) {
    return op->getNumRegions() == 0 && op->getNumResults() > 0 && isMemoryEffectFree(op);
  }

  /// What an operation, or one inside of it, needs of this block; the first one last.
  SmallVector<Operation *> needsOf(Operation *op) {
    SmallVector<Operation *> needs;
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && source->getBlock() == &block && isFree(source))
          needs.push_back(source);
    });
    std::reverse(needs.begin(), needs.end());
    return needs;
  }

  void place(Operation *root) {
    struct Entry {
      Operation *op;
      SmallVector<Operation *> needs;
    };
    if (placed.contains(root))
      return;
    SmallVector<Entry> open = {{root, needsOf(root)}};
    while (!open.empty())
      if (open.back().needs.empty()) {
        if (placed.insert(open.back().op).second)
          after.push_back(open.back().op);
        open.pop_back();
      } else if (Operation *need = open.back().needs.pop_back_val(); !placed.contains(need)) {
        open.push_back({need, needsOf(need)});
      }
  }

  Block &block;
  llvm::DenseSet<Operation *> placed;
  SmallVector<Operation *> after;
};

} // namespace

void settleOrder(func::FuncOp function) {
  function.walk([](Block *block) { BlockOrder(*block).settle(); });
}

} // namespace spindle
