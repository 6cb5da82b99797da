#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

unsigned buffersIn(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](memref::AllocOp) { ++count; });
  return count;
}

TEST(BufferArrays, KeepsTheResults) {
  registerHlsBufferArrays();
  RandomKernelOptions options;
  options.locals = false;
  unsigned buffers = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::string depth = std::to_string(seed % 3);
    OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(
        randomKernel(seed, options), "hls-buffer-arrays{loops=" + depth + ":full}", seed);
    if (after)
      buffers += buffersIn(*after);
  }
  EXPECT_GT(buffers, 40u);
}

TEST(BufferArrays, TilesOfAProductThatDoNotDivideIt) {
  registerHlsBufferArrays();
  registerHlsTileLoops();
  const char *text = R"(
    func.func @kernel(%c: memref<10x7xf64>, %a: memref<10x9xf64>, %b: memref<9x7xf64>) {
      affine.for %i = 0 to 10 {
        affine.for %j = 0 to 7 {
          affine.for %k = 0 to 9 {
            %x = affine.load %a[%i, %k] : memref<10x9xf64>
            %y = affine.load %b[%k, %j] : memref<9x7xf64>
            %z = affine.load %c[%i, %j] : memref<10x7xf64>
            %p = arith.mulf %x, %y : f64
            %s = arith.addf %z, %p : f64
            affine.store %s, %c[%i, %j] : memref<10x7xf64>
          }
        }
      }
      return
    })";
  OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(
      text, "hls-tile-loops{loops=0:4,1:4,2:4},hls-buffer-arrays{loops=3:full}", 1);
  ASSERT_TRUE(after);
  after->walk([](memref::AllocOp buffer) { EXPECT_LE(buffer.getType().getNumElements(), 16); });
  EXPECT_EQ(buffersIn(*after), 3u);
}

} // namespace
