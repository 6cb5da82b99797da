#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

/// Runs a pass that may refuse; compares when it does not. Returns whether it changed the kernel.
bool keepsResultsOrRefuses(const std::string &kernel, const std::string &pipeline, uint64_t seed) {
  registerHlsPasses();
  OwningOpRef<ModuleOp> before = parseKernel(kernel);
  OwningOpRef<ModuleOp> after(before->clone());
  PassManager passes(before->getContext());
  EXPECT_TRUE(succeeded(parsePassPipeline("func.func(" + pipeline + ")", passes)));
  bool isRefused = false;
  {
    ScopedDiagnosticHandler quiet(before->getContext(), [](Diagnostic &) { return success(); });
    isRefused = failed(passes.run(*after));
  }
  if (isRefused)
    return false;
  expectSameResults(*before, *after, seed);
  return true;
}

TEST(UnrollAndJam, KeepsTheResultsOrRefuses) {
  unsigned done = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomKernelOptions options;
    options.nests = 1;
    std::string loops = "loops=" + std::to_string(seed % 2) + ":" + std::to_string(2 + seed % 3);
    done += keepsResultsOrRefuses(randomKernel(seed, options), "hls-unroll-and-jam{" + loops + "}",
                                  seed);
  }
  EXPECT_GT(done, 40u);
}

TEST(UnrollAndJam, IndependentRowsOfATriangle) {
  for (const char *bounds :
       {"0 to affine_map<(d0) -> (d0 + 1)>(%i)", "affine_map<(d0) -> (d0)>(%i) to 9",
        "affine_map<(d0) -> (-d0 + 9)>(%i) to 9"})
    for (const char *factor : {"2", "3", "4", "full"}) {
      std::string kernel = std::string("func.func @kernel(%a: memref<9x9xf64>, %b: memref<9xf64>) "
                                       "{\n  affine.for %i = 0 to 9 {\n    affine.for %j = ") +
                           bounds +
                           " {\n      %x = affine.load %b[%j] : memref<9xf64>\n"
                           "      %y = affine.load %a[%i, %j] : memref<9x9xf64>\n"
                           "      %z = arith.addf %x, %y : f64\n"
                           "      affine.store %z, %a[%i, %j] : memref<9x9xf64>\n"
                           "    }\n  }\n  return\n}\n";
      EXPECT_TRUE(keepsResultsOrRefuses(
          kernel, std::string("hls-unroll-and-jam{loops=0:") + factor + "}", 1))
          << kernel << factor;
    }
}

TEST(TileLoops, KeepsTheResultsOrRefuses) {
  unsigned done = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomKernelOptions options;
    options.nests = 1;
    options.imperfect = seed % 2;
    options.statements = 1;
    done += keepsResultsOrRefuses(
        randomKernel(seed, options),
        seed % 3 ? "hls-tile-loops{loops=0:3,1:2}" : "hls-tile-loops{loops=0:2,1:3,2:2}", seed);
  }
  EXPECT_GT(done, 40u);
}

} // namespace
