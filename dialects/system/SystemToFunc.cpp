#include "dialects/system/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace spindle::system {

#define GEN_PASS_DEF_CONVERTSYSTEMTOFUNC
#include "dialects/system/Passes.h.inc"

namespace {

/// A function with the kernel's body, at the end of the module.
LogicalResult makeFunction(mlir::ModuleOp module, FuncOp kernel) {
  if (module.lookupSymbol(kernel.getName()))
    return kernel.emitError() << "the module has a symbol '" << kernel.getName()
                              << "' already, expected names of kernels to be free in it";
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), kernel.getName(), kernel.getFunctionType());
  function.setPrivate();
  function.getBody().takeBody(kernel.getBody());
  if (ArrayAttr attributes = kernel.getArgAttrsAttr())
    function.setAllArgAttrs(attributes);
  function.walk([&](ReturnOp end) {
    builder.setInsertionPoint(end);
    func::ReturnOp::create(builder, end.getLoc());
    end.erase();
  });
  return success();
}

struct ToFuncPass : impl::ConvertSystemToFuncBase<ToFuncPass> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    OpBuilder builder(&getContext());
    for (auto kernels : llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
      for (auto kernel : kernels.getOps<FuncOp>())
        if (failed(makeFunction(module, kernel)))
          return signalPassFailure();
      for (auto global : llvm::make_early_inc_range(kernels.getOps<memref::GlobalOp>()))
        if (!module.lookupSymbol(global.getSymName()))
          global->moveBefore(module.getBody(), module.getBody()->begin());
      kernels.erase();
    }
    module.walk([&](Operation *op) {
      builder.setInsertionPoint(op);
      if (auto launch = dyn_cast<LaunchFuncOp>(op)) {
        func::CallOp::create(builder, op->getLoc(), launch.getKernel().getLeafReference(),
                             TypeRange(), launch.getValues());
        op->erase();
      } else if (auto channel = dyn_cast<ChannelOp>(op)) {
        auto array =
            memref::AllocOp::create(builder, op->getLoc(), cast<MemRefType>(channel.getType()));
        channel.getResult().replaceAllUsesWith(array);
        op->erase();
      } else if (auto inPlace = dyn_cast<LaunchOp>(op)) {
        Block &body = inPlace.getBody().front();
        body.getTerminator()->erase();
        op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
        op->erase();
      }
    });
  }
};
} // namespace

} // namespace spindle::system
