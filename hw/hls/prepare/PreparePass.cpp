#include "hw/hls/prepare/Stages.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace spindle::hls {

namespace {
class PreparePass : public PassWrapper<PreparePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PreparePass)
  PreparePass() = default;
  PreparePass(const PreparePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "hls-prepare"; }
  StringRef getDescription() const override { return "Bring a kernel into loop form."; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerKernelDialects(registry);
  }

  void runOnOperation() override {
    llvm::Expected<Bindings> bindings = parseBindings(bind);
    if (!bindings) {
      getOperation().emitError(toText(bindings.takeError()));
      return signalPassFailure();
    }
    if (failed(runStages(getOperation(), {top, *bindings})))
      signalPassFailure();
  }

private:
  Option<std::string> top{*this, "top", llvm::cl::desc("Function to synthesise")};
  Option<std::string> bind{*this, "bind",
                           llvm::cl::desc("Values of arguments, such as 0=20,3=20x25")};
};
} // namespace

void registerPreparePass() { PassRegistration<PreparePass>(); }

} // namespace spindle::hls
