// The bodies of functions in place of their calls. Upstream's inliner leaves calls within affine
// loops whose functions have loops or conditions of their own.
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// Whether affine operations of the function read an index that may be a symbol there, but not
/// within a loop: an argument, or what its upper level computes.
bool hasOwnSymbols(func::FuncOp function) {
  auto isOwn = [](Value value) {
    return value.getType().isIndex() && !affine::isAffineInductionVar(value) &&
           !matchPattern(value, m_Constant()) && !value.getDefiningOp<affine::AffineApplyOp>();
  };
  WalkResult result = function.walk([&](Operation *op) {
    bool isAffine = isa<affine::AffineDialect>(op->getDialect()) && !isa<affine::AffineYieldOp>(op);
    return isAffine && llvm::any_of(op->getOperands(), isOwn) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
  });
  return result.wasInterrupted();
}

class Inliner {
public:
  /// All calls below the function, those of the functions that it calls first.
  LogicalResult inlineInto(func::FuncOp function) {
    if (!done.insert(function).second)
      return success();
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      if (failed(inlineOne(call)))
        return failure();
    return success();
  }

private:
  LogicalResult inlineOne(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (failed(inlineInto(callee)))
      return failure();
    if (!callee.getBody().hasOneBlock()) // the call is refused later
      return success();
    bool isNested = call->getParentOp() != call->getParentOfType<func::FuncOp>();
    if (isNested && hasOwnSymbols(callee) && failed(lowerAffine(callee)))
      return failure();
    Block &body = callee.getBody().front();
    IRMapping map;
    map.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &op : body.without_terminator())
      builder.clone(op, map)->walk(
          [&](Operation *copy) { copy->setLoc(CallSiteLoc::get(copy->getLoc(), call.getLoc())); });
    for (auto [result, value] :
         llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(map.lookupOrDefault(value));
    call.erase();
    return success();
  }

  llvm::DenseSet<Operation *> done;
};

/// Also what only such functions call: those whose calls were where nothing ever runs still have
/// theirs.
void eraseUncalled(ModuleOp module) {
  for (bool erases = true; erases;) {
    erases = false;
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        erases = true;
      }
  }
}

} // namespace

LogicalResult inlineCalls(ModuleOp module) {
  Inliner inliner;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && failed(inliner.inlineInto(function)))
      return failure();
  eraseUncalled(module);
  return success();
}

} // namespace spindle::hls
