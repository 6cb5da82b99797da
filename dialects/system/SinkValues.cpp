#include "dialects/system/SinkValues.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace spindle::system {

bool isFree(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

/// A copy of `value` before `user`, with copies of what it is computed from.
static Value sink(Value value, Operation *user, Region &inside, IRMapping &copies) {
  if (Value known = copies.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || inside.isAncestor(op->getParentRegion()) || !isFree(op))
    return value;
  for (Value operand : op->getOperands())
    copies.map(operand, sink(operand, user, inside, copies));
  OpBuilder builder(user);
  builder.clone(*op, copies);
  return copies.lookup(value);
}

void sinkValues(LaunchOp launch) {
  Region &inside = launch.getBody();
  IRMapping copies;
  for (Operation &user : llvm::make_early_inc_range(inside.front())) {
    SetVector<Value> used;
    getUsedValuesDefinedAbove(user.getRegions(), used);
    used.insert(user.operand_begin(), user.operand_end());
    for (Value value : used) {
      Value inner = sink(value, &user, inside, copies);
      if (inner != value)
        value.replaceUsesWithIf(inner,
                                [&](OpOperand &use) { return user.isAncestor(use.getOwner()); });
    }
  }
}

void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isFree(&op) && op.use_empty())
      op.erase();
}

} // namespace spindle::system
