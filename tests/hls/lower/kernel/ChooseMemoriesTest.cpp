// What becomes LUT RAM: a global that is written costs what an array without contents does.
#include "tests/hls/lower/ScheduledKernel.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle::hls;

namespace {

/// Two words of 64 are read in each iteration; `then` may write one.
bool isDistributed(const std::string &kind, const std::string &then) {
  BuiltKernel built(fmt::format(R"(
memref.global "private" {} @g : memref<64xi32> = dense<3>
func.func @kernel(%x: memref<64xi32>, %y: memref<64xi32>) {{
  %g = memref.get_global @g : memref<64xi32>
  %c63 = arith.constant 63 : index
  affine.for %i = 0 to 64 {{
    %v = affine.load %x[%i] : memref<64xi32>
    %k = arith.index_cast %v : i32 to index
    %j = arith.andi %k, %c63 : index
    %a = memref.load %g[%j] : memref<64xi32>
    %b = affine.load %g[%i] : memref<64xi32>
    %s = arith.addi %a, %b : i32
    {}
    affine.store %s, %y[%i] : memref<64xi32>
  }}
  return
}}
)",
                                kind, then));
  for (MemoryOp memory : built.kernel.getOps<MemoryOp>())
    if (!memory.getArgument())
      return memory.getDistributed();
  ADD_FAILURE() << "no memory";
  return false;
}

// 64 words of 32 bits through two ports: 128 LUTs, as constants 64, of 95 that a block stands for.
TEST(ChooseMemories, WrittenGlobalsAreNoConstants) {
  EXPECT_TRUE(isDistributed("constant", ""));
  EXPECT_TRUE(isDistributed("", ""));
  EXPECT_FALSE(isDistributed("", "memref.store %s, %g[%j] : memref<64xi32>"));
}

} // namespace
