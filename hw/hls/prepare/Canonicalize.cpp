#include "hw/hls/prepare/Stages.h"

#include "dialects/affine/EmptyLoops.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <string>

using namespace mlir;

namespace spindle::hls {

namespace {

struct ExactCanonicalizer : PassWrapper<ExactCanonicalizer, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExactCanonicalizer)

  void runOnOperation() override {
    removeEmptyLoops(getOperation());
    // An integer of 64 bits that is rounded to f64 and then to f32 is not always the nearest f32.
    static const std::string inexact[] = {"(anonymous namespace)::TruncFSIToFPToSIToFP",
                                          "(anonymous namespace)::TruncFUIToFPToUIToFP"};
    OpPassManager upstream(getOperation()->getName());
    upstream.addPass(createCanonicalizerPass(GreedyRewriteConfig(), inexact));
    if (failed(runPipeline(upstream, getOperation())))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createExactCanonicalizer() { return std::make_unique<ExactCanonicalizer>(); }

} // namespace spindle::hls
