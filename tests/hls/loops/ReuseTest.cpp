// Passes that leave out work: reuse of values, hoisting, sharing of arrays, balanced expressions.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

template <typename Op> unsigned count(ModuleOp module) {
  unsigned found = 0;
  module.walk([&](Op) { ++found; });
  return found;
}

TEST(ReuseValues, KeepsTheResultsAndRemovesLoads) {
  registerHlsPasses();
  unsigned before = 0, after = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    RandomKernelOptions options;
    options.statements = 4;
    std::string kernel = randomKernel(seed, options);
    OwningOpRef<ModuleOp> reused = expectPipelineKeepsResults(kernel, "hls-reuse-values", seed);
    ASSERT_TRUE(reused);
    before += count<affine::AffineLoadOp>(*parseKernel(kernel));
    after += count<affine::AffineLoadOp>(*reused);
  }
  EXPECT_LT(after, before);
}

TEST(ReuseValues, KeepsTheResultsOfUnrolledBodies) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 20; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), "hls-unroll-loops{loops=2:3},hls-reuse-values",
                               seed);
}

/// Of an unrolled product of matrices: a row, a column and a block.
TEST(ReuseValues, LanesShareWhatTheyLoad) {
  registerHlsPasses();
  const char *kernel = R"(func.func @kernel(%a: memref<20x6xf64>, %b: memref<6x30xf64>,
                                            %c: memref<20x30xf64>) {
    affine.for %k = 0 to 6 { affine.for %i = 0 to 20 { affine.for %j = 0 to 30 {
      %x = affine.load %a[%i, %k] : memref<20x6xf64>
      %y = affine.load %b[%k, %j] : memref<6x30xf64>
      %z = affine.load %c[%i, %j] : memref<20x30xf64>
      %p = arith.mulf %x, %y : f64
      %s = arith.addf %z, %p : f64
      affine.store %s, %c[%i, %j] : memref<20x30xf64>
    } } } return })";
  OwningOpRef<ModuleOp> reused = expectPipelineKeepsResults(
      kernel, "hls-unroll-loops{loops=2:full},hls-unroll-loops{loops=1:full},hls-reuse-values", 1);
  ASSERT_TRUE(reused);
  EXPECT_EQ(count<affine::AffineLoadOp>(*reused), 20u + 30u + 600u);
  EXPECT_EQ(count<affine::AffineStoreOp>(*reused), 600u);
}

TEST(HoistInvariants, KeepsTheResults) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 30; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), "hls-hoist-invariants", seed);
}

TEST(BalanceExpressions, IntegersComeOutTheSame) {
  registerHlsPasses();
  RandomKernelOptions integers;
  integers.type = "i32";
  for (uint64_t seed = 0; seed < 40; ++seed)
    expectPipelineKeepsResults(randomKernel(seed, integers),
                               "hls-unroll-loops{loops=2:3},hls-balance-expressions{interleave=" +
                                   std::to_string(1 + seed % 4) + "}",
                               seed);
}

TEST(BalanceExpressions, FloatsStayUnlessAskedFor) {
  registerHlsPasses();
  RandomKernelOptions floats;
  floats.type = "f64";
  for (uint64_t seed = 0; seed < 20; ++seed)
    expectPipelineKeepsResults(randomKernel(seed, floats),
                               "hls-unroll-loops{loops=2:3},hls-balance-expressions{interleave=3}",
                               seed);
}

TEST(ShareArrays, ArraysOneAfterTheOtherShareAndOverlappingOnesDoNot) {
  registerHlsPasses();
  // a -> L0 -> L1 -> L2 -> a: L0 and L2 are never needed at one time.
  std::string text = "func.func @kernel(%a: memref<8xf64>) {\n";
  std::vector<std::string> arrays{"a", "l0", "l1", "l2", "a"};
  for (size_t n = 1; n < 4; ++n)
    text += "  %" + arrays[n] + " = memref.alloc() : memref<8xf64>\n";
  for (size_t n = 0; n < 4; ++n)
    text += "  affine.for %i = 0 to 8 {\n    %x = affine.load %" + arrays[n] +
            "[%i] : memref<8xf64>\n    %y = arith.addf %x, %x : f64\n    affine.store %y, %" +
            arrays[n + 1] + "[7 - %i] : memref<8xf64>\n  }\n";
  text += "  return\n}\n";
  OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(text, "hls-share-arrays", 1);
  ASSERT_TRUE(after);
  EXPECT_EQ(count<memref::AllocOp>(*after), 2u);
}

} // namespace
