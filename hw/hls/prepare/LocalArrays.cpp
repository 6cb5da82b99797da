#include "dialects/upstream/SpellContents.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace spindle::hls {

/// A constant array is one array, however often the program names it.
static LogicalResult hoistConstantArrays(func::FuncOp top) {
  llvm::MapVector<StringAttr, memref::GetGlobalOp> first;
  SmallVector<memref::GetGlobalOp> all;
  top.walk([&](memref::GetGlobalOp op) { all.push_back(op); });
  Block &entry = top.getBody().front();
  auto behindLocals = llvm::find_if_not(entry, llvm::IsaPred<memref::AllocOp>);
  for (memref::GetGlobalOp op : all)
    if (&*behindLocals == op)
      ++behindLocals;
    else
      op->moveBefore(&entry, behindLocals);
  for (memref::GetGlobalOp op : all) {
    auto [known, isNew] = first.try_emplace(op.getNameAttr().getAttr(), op);
    if (isNew)
      continue;
    op.replaceAllUsesWith(known->second.getResult());
    op.erase();
  }
  return spellContents(top->getParentOfType<ModuleOp>());
}

/// Hardware has one copy of an array, which stands there before the first loop. An array made anew
/// in each iteration has no contents of the one before, so it may as well be the same.
LogicalResult hoistLocalArrays(func::FuncOp top) {
  localizeWrittenGlobals(top);
  SmallVector<Operation *> arrays;
  top.walk([&](Operation *op) {
    if (isa<memref::DeallocOp>(op))
      op->erase();
    else if (isa<memref::AllocOp, memref::AllocaOp>(op))
      arrays.push_back(op);
  });
  OpBuilder builder(&top.getBody().front(), top.getBody().front().begin());
  for (Operation *array : arrays) {
    auto type = cast<MemRefType>(array->getResult(0).getType());
    if (!type.hasStaticShape())
      return array->emitError() << "the shape of " << type
                                << " is not known: bind the sizes it is computed from";
    Value hoisted = memref::AllocOp::create(builder, array->getLoc(), type);
    hoisted.getDefiningOp()->setDiscardableAttrs(array->getDiscardableAttrDictionary());
    array->getResult(0).replaceAllUsesWith(hoisted);
    array->erase(); // perhaps the operation before which the builder was
    builder.setInsertionPointAfter(hoisted.getDefiningOp());
  }
  return hoistConstantArrays(top);
}

} // namespace spindle::hls
