#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace spindle::hls {

static bool isWritten(Value array) {
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    auto plain = dyn_cast<memref::StoreOp>(user);
    auto affine = dyn_cast<affine::AffineWriteOpInterface>(user);
    return (plain && plain.getMemRef() == array) || (affine && affine.getMemRef() == array);
  });
}

/// Every element, by a nest of loops.
static void copyElements(ImplicitLocOpBuilder &builder, Value from, Value to) {
  SmallVector<Value> at;
  OpBuilder::InsertionGuard guard(builder);
  for (int64_t extent : cast<MemRefType>(to.getType()).getShape()) {
    auto loop = affine::AffineForOp::create(builder, 0, extent);
    at.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  Value element = affine::AffineLoadOp::create(builder, from, at);
  affine::AffineStoreOp::create(builder, element, to, at);
}

void localizeWrittenGlobals(func::FuncOp top) {
  auto module = top->getParentOfType<ModuleOp>();
  llvm::MapVector<Operation *, SmallVector<memref::GetGlobalOp>> uses;
  top.walk([&](memref::GetGlobalOp use) {
    if (auto global = module.lookupSymbol<memref::GlobalOp>(use.getName()))
      uses[global].push_back(use);
  });
  ImplicitLocOpBuilder builder(top.getLoc(), top.getContext());
  for (auto &[op, all] : uses) {
    auto global = cast<memref::GlobalOp>(op);
    bool isKept =
        global.isExternal() || (!global.isUninitialized() && !llvm::any_of(all, isWritten));
    if (isKept)
      continue;
    builder.setInsertionPointToStart(&top.getBody().front());
    builder.setLoc(all.front().getLoc());
    Value contents;
    if (!global.isUninitialized())
      contents = memref::GetGlobalOp::create(builder, global.getType(), global.getSymName());
    Value local = memref::AllocOp::create(builder, global.getType());
    if (contents)
      copyElements(builder, contents, local);
    for (memref::GetGlobalOp use : all) {
      use.replaceAllUsesWith(local);
      use.erase();
    }
  }
  for (auto global : llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    if (!uses.contains(global) || global.isUninitialized())
      global.erase();
    else
      global.setConstant(true); // nobody writes it any more
}

} // namespace spindle::hls
