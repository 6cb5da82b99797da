#include "hw/hls/Passes.h"
#include "hw/hls/prepare/Stages.h"

namespace spindle::hls {

#define GEN_PASS_DEF_HLSPREPARE
#include "hw/hls/Passes.h.inc"

namespace {
class PreparePass : public impl::HlsPrepareBase<PreparePass> {
public:
  using HlsPrepareBase::HlsPrepareBase;

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registerKernelDialects(registry);
  }

  void runOnOperation() override {
    llvm::Expected<Bindings> bindings = parseBindings(bind);
    if (!bindings) {
      getOperation().emitError(toText(bindings.takeError()));
      return signalPassFailure();
    }
    if (mlir::failed(runStages(getOperation(), {top, *bindings})))
      signalPassFailure();
  }
};
} // namespace

} // namespace spindle::hls
