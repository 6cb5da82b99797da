#include "dialects/rtl/simulation/Liveness.h"

using namespace mlir;

namespace spindle::rtl {

/// Whether a module acts on the world other than by its outputs. `above` ends recursion, which is
/// refused elsewhere.
static bool hasEffects(Operation *module, llvm::SmallPtrSetImpl<Operation *> &above) {
  if (auto declaration = dyn_cast_or_null<ExternOp>(module))
    return declaration.getHasEffects();
  auto circuit = dyn_cast_or_null<CircuitModuleOp>(module);
  if (!circuit || !above.insert(module).second)
    return false;
  return llvm::any_of(circuit.getBodyBlock()->getOps<InstanceOp>(), [&](InstanceOp instance) {
    return hasEffects(SymbolTable::lookupNearestSymbolFrom(instance, instance.getModuleAttr()),
                      above);
  });
}

llvm::SetVector<Operation *> liveOperations(CircuitModuleOp module) {
  llvm::SetVector<Operation *> live;
  live.insert(module.getTerminator());
  for (auto instance : module.getBodyBlock()->getOps<InstanceOp>()) {
    llvm::SmallPtrSet<Operation *, 4> above;
    if (hasEffects(SymbolTable::lookupNearestSymbolFrom(instance, instance.getModuleAttr()), above))
      live.insert(instance);
  }
  for (size_t next = 0; next < live.size(); ++next)
    for (Value operand : live[next]->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        live.insert(producer);
  return live;
}

/// Removes what no output depends on; registers that only feed themselves too.
LogicalResult CircuitModuleOp::canonicalize(CircuitModuleOp module, PatternRewriter &rewriter) {
  llvm::SetVector<Operation *> live = liveOperations(module);
  SmallVector<Operation *> dead;
  for (Operation &op : *module.getBodyBlock())
    if (!live.contains(&op))
      dead.push_back(&op);
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    rewriter.eraseOp(op);
  return success(!dead.empty());
}

} // namespace spindle::rtl
