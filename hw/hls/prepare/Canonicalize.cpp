#include "hw/hls/prepare/Stages.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"

#include <string>

using namespace mlir;

namespace spindle::hls {

std::unique_ptr<Pass> createExactCanonicalizer() {
  // An integer of 64 bits that is rounded to f64 and then to f32 is not always the nearest f32.
  static const std::string inexact[] = {"(anonymous namespace)::TruncFSIToFPToSIToFP",
                                        "(anonymous namespace)::TruncFUIToFPToUIToFP"};
  return createCanonicalizerPass(GreedyRewriteConfig(), inexact);
}

} // namespace spindle::hls
