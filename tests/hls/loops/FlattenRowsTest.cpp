// Rows whose lengths are data as one loop: the same results, whatever the rows start from and hand
// on.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"
#include "tests/hls/loops/RandomRows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

unsigned flatLoops(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](scf::WhileOp) { ++count; });
  return count;
}

TEST(FlattenRows, KeepsTheResults) {
  registerHlsPasses();
  unsigned flat = 0;
  for (uint64_t seed = 0; seed < 150 && !HasFatalFailure(); ++seed)
    if (OwningOpRef<ModuleOp> done =
            expectPipelineKeepsResults(randomRows(seed, true), "hls-flatten-rows", seed))
      flat += flatLoops(*done);
  EXPECT_GT(flat, 100u);
}

/// Other steps and unsigned bounds are none of the loop form: the pass run by itself leaves them.
TEST(FlattenRows, LeavesWhatCountsOtherwise) {
  registerHlsPasses();
  unsigned flat = 0, left = 0;
  for (uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed)
    if (OwningOpRef<ModuleOp> done =
            expectPipelineKeepsResults(randomRows(seed, false), "hls-flatten-rows", seed)) {
      flat += flatLoops(*done);
      left += 1 - flatLoops(*done);
    }
  EXPECT_GT(flat, 10u);
  EXPECT_GT(left, 10u);
}

} // namespace
