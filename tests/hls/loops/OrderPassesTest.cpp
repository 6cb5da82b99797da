// Passes that choose the order of iterations keep what kernels compute.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

void expectKept(const std::string &pipeline, uint64_t first, uint64_t count,
                const RandomKernelOptions &options = {}) {
  registerHlsPasses();
  for (uint64_t seed = first; seed < first + count; ++seed)
    expectPipelineKeepsResults(randomKernel(seed, options), pipeline, seed);
}

TEST(OrderPasses, EachPassKeepsTheResultsOfRandomKernels) {
  for (const char *pass :
       {"hls-forward-results", "hls-fission-loops", "hls-perfect-loops", "hls-interchange-loops",
        "hls-fuse-loops", "hls-copy-arrays", "hls-skew-loops", "hls-pad-loops"}) {
    SCOPED_TRACE(pass);
    expectKept(pass, 100, 20);
  }
}

TEST(OrderPasses, PassesInARowKeepTheResultsOfRandomKernels) {
  RandomKernelOptions plain;
  plain.carried = false;
  std::string all =
      "hls-expand-arrays,hls-fission-loops,hls-perfect-loops,hls-interchange-loops,hls-fuse-loops,"
      "hls-perfect-loops,hls-interchange-loops,hls-copy-arrays,hls-skew-loops,hls-pad-loops";
  expectKept(all, 200, 40);
  expectKept(all, 300, 60, plain);
  plain.depth = 2;
  plain.nests = 4;
  expectKept(all, 400, 60, plain);
}

} // namespace
