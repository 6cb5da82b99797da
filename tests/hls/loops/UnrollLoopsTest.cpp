#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
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
  registerHlsPasses();
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
  registerHlsPasses();
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
  registerHlsPasses();
  std::string line;
  for (const char *factor : {"3", "2", "2"})
    line += std::string(line.empty() ? "" : ",") + "hls-widen-loops{factor=" + factor +
            "},hls-unroll-loops,hls-reuse-values";
  for (uint64_t seed = 0; seed < 60; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), line, seed);
}

TEST(UnrollLoops, OuterLoopsKeepTheResults) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 20; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), "hls-unroll-loops{loops=0:3}", seed);
}

/// The first error of a pass that refuses, with its line.
std::string refusalOf(const std::string &kernel, const std::string &pass) {
  OwningOpRef<ModuleOp> module = parseKernel(kernel);
  std::string message = "none";
  ScopedDiagnosticHandler listen(module->getContext(), [&](Diagnostic &diagnostic) {
    auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
    if (message == "none" && place)
      message = std::to_string(place.getLine()) + ": " + diagnostic.str();
    return success();
  });
  PassManager passes(module->getContext());
  EXPECT_TRUE(succeeded(parsePassPipeline("func.func(" + pass + ")", passes)));
  EXPECT_TRUE(failed(passes.run(*module)));
  return message;
}

TEST(UnrollLoops, BodiesThatBecomeTooLargeAreRefused) {
  registerHlsPasses();
  std::string kernel = "func.func @kernel(%a: memref<99999xf64>, %n: index) {\n"
                       "  affine.for %i = 0 to END {\n"
                       "    %x = affine.load %a[0] : memref<99999xf64>\n"
                       "    affine.store %x, %a[0] : memref<99999xf64>\n  }\n  return\n}\n";
  auto withEnd = [&](const std::string &end) {
    std::string text = kernel;
    return text.replace(text.find("END"), 3, end);
  };
  auto expected = [](const std::string &copies) {
    return "2: cannot be unrolled " + copies + " times: so many copies of its 3 operations are " +
           "more than the 32768 that a body may have; unroll it or the loops in it by less";
  };
  EXPECT_EQ(refusalOf(withEnd("99999"), "hls-unroll-loops{loops=0:full}"), expected("99999"));
  EXPECT_EQ(refusalOf(withEnd("99999"), "hls-unroll-loops{loops=0:10923}"), expected("10923"));
  EXPECT_EQ(refusalOf(withEnd("%n"), "hls-unroll-loops{loops=0:18446744073709551615}"),
            expected("18446744073709551615"));
  EXPECT_EQ(refusalOf(withEnd("99999"), "hls-unroll-and-jam{loops=0:full}"), expected("99999"));
}

} // namespace
