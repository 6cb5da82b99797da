// Passes that look at single loops work in functions with loops that data end, too.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

/// The body of a kernel twice, in a loop of the kind that data end.
std::string inOpenLoop(std::string kernel) {
  const std::string begin = ") {\n", end = "  return\n";
  kernel.insert(kernel.find(begin) + begin.size(),
                "%o0 = arith.constant 0 : index\n%o1 = arith.constant 1 : index\n"
                "%o2 = arith.constant 2 : index\nscf.for %open = %o0 to %o2 step %o1 {\n");
  kernel.insert(kernel.rfind(end), "}\n");
  return kernel;
}

TEST(BesideOpenLoops, LocalPassesKeepTheResults) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::string kernel = inOpenLoop(randomKernel(seed));
    for (const char *passes : {"hls-unroll-loops{loops=2:3}", "hls-buffer-arrays{loops=0:64}"})
      expectPipelineKeepsResults(kernel, passes, seed);
  }
}

/// What these refuse, as elsewhere, depends on the program.
TEST(BesideOpenLoops, OuterLoopsKeepTheResultsOrAreRefused) {
  registerHlsPasses();
  unsigned done = 0;
  for (uint64_t seed = 0; seed < 30; ++seed)
    for (const char *passes : {"hls-unroll-and-jam{loops=0:2}", "hls-tile-loops{loops=0:4,1:2}"}) {
      OwningOpRef<ModuleOp> before = parseKernel(inOpenLoop(randomKernel(seed)));
      ASSERT_TRUE(before);
      OwningOpRef<ModuleOp> after(before->clone());
      ScopedDiagnosticHandler quiet(before->getContext(), [](Diagnostic &) { return success(); });
      PassManager manager(before->getContext());
      ASSERT_TRUE(succeeded(
          parsePassPipeline(("func.func(" + std::string(passes) + ")").c_str(), manager)));
      if (failed(manager.run(*after)))
        continue;
      ++done;
      expectSameResults(*before, *after, seed);
    }
  EXPECT_GT(done, 15u);
}

} // namespace
