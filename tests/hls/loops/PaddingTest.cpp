#include "hw/hls/loops/unroll/Padding.h"

#include "hw/hls/dependence/Nest.h"
#include "tests/hls/loops/RandomKernels.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace spindle::hls;
using namespace mlir;

namespace {

/// Sums over the rows of a matrix, each row by itself or the one before it: short rows wait.
std::string sums(int64_t rows, int64_t columns, int64_t outer, bool isTriangular) {
  std::string matrix = "memref<64x64xf64>", last = isTriangular ? "#map(%i)" : "";
  return "#map = affine_map<(d0) -> (d0 + 1)>\n"
         "func.func @kernel(%a: " +
         matrix + ", %s: memref<64xf64>) {\n affine.for %o = 0 to " + std::to_string(outer) +
         " { affine.for %i = 0 to " + std::to_string(rows) + " { affine.for %j = 0 to " +
         (isTriangular ? last : std::to_string(columns)) +
         " {\n  %x = affine.load %a[%i, %j] : " + matrix +
         "\n  %t = affine.load %s[%j] : memref<64xf64>\n  %u = arith.addf %t, %x : f64\n"
         "  affine.store %u, %s[%j] : memref<64xf64>\n } } } return }";
}

affine::AffineForOp nestIn(ModuleOp module) {
  affine::AffineForOp outermost;
  module.walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
    outermost = loop;
    return WalkResult::interrupt();
  });
  return outermost;
}

/// The cheapest of all lengths that choosePadding may look at, each estimated.
Padding bestOf(const NamedEstimate &nest, const LoopCosts &costs) {
  affine::AffineForOp innermost = perfectNest(nest.outermost).back();
  Padding best{1, nest.estimate.cycles()};
  bool isConstant = innermost.hasConstantBounds();
  for (int64_t least = 2; nest.estimate.recurrence > 1 && least <= 2 * nest.estimate.depth;
       least += 1 + least / 8) {
    if (isConstant && innermost.getConstantUpperBound() >= least)
      break;
    setLeastIterations(innermost, least);
    if (uint64_t cycles = estimateNest(nest.outermost, costs).cycles(); cycles < best.cycles)
      best = {least, cycles};
  }
  setLeastIterations(innermost, 1);
  return best;
}

/// Lengths that cannot pay are not estimated: the choice is that among all of them.
TEST(Padding, IsTheBestOfAllLengths) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  unsigned padded = 0;
  for (int n = 0; n < 60; ++n) {
    int64_t columns = pick(1, 12);
    std::string text = sums(pick(1, 20), columns, pick(1, 3), n % 3 == 0);
    OwningOpRef<ModuleOp> module = parseKernel(text);
    ASSERT_TRUE(module) << text;
    LoopCosts costs = defaultCosts();
    costs.target.memory.ports = unsigned(pick(1, 4));
    affine::AffineForOp outermost = nestIn(*module);
    NamedEstimate nest{outermost, estimateNest(outermost, costs)};
    Padding expected = bestOf(nest, costs), found = choosePadding(nest, costs);
    EXPECT_EQ(found.least, expected.least) << text;
    EXPECT_EQ(found.cycles, expected.cycles) << text;
    EXPECT_EQ(leastIterations(perfectNest(outermost).back()), 1) << text;
    padded += expected.least > 1;
    // Who wants fewer cycles than some learns whether there are.
    for (uint64_t below : {expected.cycles, expected.cycles + 1, nest.estimate.cycles()}) {
      Padding limited = choosePadding(nest, costs, below);
      EXPECT_EQ(limited.cycles < below, expected.cycles < below) << text << "\nbelow " << below;
      if (expected.cycles < below) {
        EXPECT_EQ(limited.cycles, expected.cycles) << text << "\nbelow " << below;
      }
    }
  }
  EXPECT_GT(padded, 10u);
}

} // namespace
