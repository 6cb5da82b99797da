#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace spindle::hls {

static FailureOr<func::FuncOp> findTop(ModuleOp module, StringRef top) {
  SmallVector<std::string> names;
  func::FuncOp chosen;
  unsigned candidates = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isExternal())
      names.push_back(function.getSymName().str());
    if (top.empty() ? function.isPublic() && !function.isExternal()
                    : function.getSymName() == top) {
      chosen = function;
      ++candidates;
    }
  }
  std::string there = names.empty() ? "none" : llvm::join(names, ", ");
  if (candidates == 0 && !top.empty())
    return emitError(module.getLoc())
               << "no function '" << top << "' to synthesise, there: " << there,
           failure();
  if (candidates != 1)
    return emitError(module.getLoc())
               << "which function is to be synthesised? choose one by --top, there: " << there,
           failure();
  if (chosen.isExternal())
    return chosen.emitError() << "function '" << top << "' has no body", failure();
  return chosen;
}

namespace {
/// The calls below one function, callers first.
class CallTree {
public:
  LogicalResult visit(func::FuncOp function) {
    path.push_back(function);
    reached.insert(function);
    WalkResult result = function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        return failed(enter(call)) ? WalkResult::interrupt() : WalkResult::advance();
      if (isa<CallOpInterface>(op)) {
        op->emitError() << op->getName().getStringRef()
                        << " is not supported: call a function by its name, with func.call";
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    path.pop_back();
    return failure(result.wasInterrupted());
  }

  llvm::SetVector<Operation *> reached;

private:
  LogicalResult enter(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return call.emitError() << "calls '" << call.getCallee()
                              << "', which has no body: give its definition";
    if (llvm::is_contained(path, callee))
      return call.emitError() << "calls '" << call.getCallee()
                              << "' recursively: hardware has no stack, write a loop";
    return visit(callee);
  }

  SmallVector<func::FuncOp> path;
};
} // namespace

FailureOr<func::FuncOp> selectTop(ModuleOp module, StringRef top) {
  FailureOr<func::FuncOp> function = findTop(module, top);
  if (failed(function))
    return failure();
  CallTree calls;
  if (failed(calls.visit(*function)))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(module.getOps()))
    if (!calls.reached.contains(&op) && !isa<memref::GlobalOp>(op))
      op.erase();
  for (Operation *called : calls.reached)
    cast<func::FuncOp>(called).setPrivate();
  function->setPublic();
  return *function;
}

} // namespace spindle::hls
