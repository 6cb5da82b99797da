#include "hw/hls/loops/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

unsigned loopsLeft(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](affine::AffineForOp) { ++count; });
  return count;
}

TEST(UnrollLoops, InnerLoopsByAnyFactorKeepTheResults) {
  registerHlsLoopsPasses();
  for (uint64_t seed = 0; seed < 30; ++seed) {
    std::string kernel = randomKernel(seed), factor = std::to_string(2 + seed % 4);
    expectPipelineKeepsResults(kernel, "hls-unroll-loops{loops=2:" + factor + "}", seed);
    RandomKernelOptions shallow;
    shallow.depth = 1;
    expectPipelineKeepsResults(randomKernel(seed, shallow),
                               "hls-unroll-loops{loops=0:" + factor + "}", seed);
  }
}

TEST(UnrollLoops, EveryLoopCanDisappear) {
  registerHlsLoopsPasses();
  RandomKernelOptions small;
  small.depth = 2;
  small.nests = 1;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(
        randomKernel(seed, small), "hls-unroll-loops{loops=1:full},hls-unroll-loops{loops=0:full}",
        seed);
    if (after) {
      EXPECT_EQ(loopsLeft(*after), 0u) << seed;
    }
  }
}

/// Three factors in turn, as `synth --unroll 3,2,2` has it: the loops change places on the way.
TEST(UnrollLoops, WidenedLoopsKeepTheResults) {
  registerHlsLoopsPasses();
  std::string line;
  for (const char *factor : {"3", "2", "2"})
    line += std::string(line.empty() ? "" : ",") + "hls-widen-loops{factor=" + factor +
            "},hls-unroll-loops,hls-reuse-values";
  for (uint64_t seed = 0; seed < 60; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), line, seed);
}

TEST(UnrollLoops, OuterLoopsKeepTheResults) {
  registerHlsLoopsPasses();
  for (uint64_t seed = 0; seed < 20; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), "hls-unroll-loops{loops=0:3}", seed);
}

} // namespace
