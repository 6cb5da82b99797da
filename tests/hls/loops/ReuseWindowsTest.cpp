// Sliding windows read each word once; results stay, bit for bit.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;
using namespace mlir;
using namespace mlir::affine;

namespace {

/// Two arrays read at random places of windows, by a nest of two or three loops, or one.
std::string windowKernel(uint64_t seed) {
  CounterRandom random(seed, /*substream=*/7);
  auto below = [&](uint32_t n) { return unsigned(random.below(n)); };
  static const char *types[] = {"f64", "f32", "i32"};
  std::string type = types[below(3)];
  bool isFloat = type[0] == 'f', hasRows = below(4) > 0, hasOuter = hasRows && below(3) == 0;
  unsigned rows = 2 + below(12), columns = 2 + below(16), first = below(3), outer = 1 + below(3);
  unsigned high = 1 + below(4), wide = 1 + below(5);
  std::string in = hasRows ? fmt::format("memref<{}x{}x{}>", rows + 8, columns + 10, type)
                           : fmt::format("memref<{}x{}>", columns + 10, type);
  std::string out = fmt::format("memref<{}x{}x{}>", rows, columns, type), body;
  unsigned values = 0;
  auto value = [&](const std::string &operation) {
    std::string name = fmt::format("%v{}", values++);
    body += fmt::format("  {} = {}\n", name, operation);
    return name;
  };
  std::string row = hasRows ? "%i" : "0";
  std::string sum = value(fmt::format("affine.load %y[{}, %j - {}] : {}", row, first, out));
  for (const char *array : {"%a", "%b"}) {
    if (array[1] == 'b' && below(2))
      continue;
    unsigned span = array[1] == 'b' ? 1 + below(wide) : wide;
    for (unsigned tap = 3 + below(6); tap > 0; --tap) {
      std::string place = fmt::format("%j + {}", below(span));
      if (hasRows)
        place = fmt::format("%i + {}, {}", below(high), place);
      std::string word = value(fmt::format("affine.load {}[{}] : {}", array, place, in));
      const char *names[] = {"add", "sub", "mul"};
      sum = value(fmt::format("arith.{}{} {}, {} : {}", names[below(3)], isFloat ? "f" : "i", sum,
                              word, type));
    }
  }
  body += fmt::format("  affine.store {}, %y[{}, %j - {}] : {}\n", sum, row, first, out);
  std::string text = fmt::format("func.func @kernel(%a: {0}, %b: {0}, %y: {1}) {{\n", in, out);
  unsigned loops = 1;
  if (hasOuter) {
    text += fmt::format("affine.for %t = 0 to {} {{\n", outer);
    ++loops;
  }
  if (hasRows) {
    text += fmt::format("affine.for %i = 0 to {} {{\n", rows);
    ++loops;
  }
  text += fmt::format("affine.for %j = {} to {} {{\n", first, first + columns) + body;
  for (; loops > 0; --loops)
    text += "}\n";
  return text + "return\n}\n";
}

TEST(ReuseWindows, KeepsTheResults) {
  registerHlsPasses();
  unsigned changed = 0;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(
        windowKernel(seed), "hls-reuse-values,hls-reuse-windows,cse,hls-reuse-values", seed);
    ASSERT_TRUE(after);
    bool carries = false;
    after->walk([&](AffineForOp loop) { carries |= loop.getNumRegionIterArgs() > 0; });
    changed += carries;
  }
  EXPECT_GT(changed, 30u);
}

/// Kernels that have no windows, or cannot be lengthened, come out as they were.
TEST(ReuseWindows, KeepsTheResultsOfAnyKernel) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 25; ++seed)
    expectPipelineKeepsResults(
        randomKernel(seed), "hls-unroll-loops{loops=2:4},hls-reuse-values,hls-reuse-windows", seed);
}

/// One load per iteration, of 16 in the window; every word once.
TEST(ReuseWindows, AFilterReadsEachSampleOnce) {
  registerHlsPasses();
  std::string body = "  %s0 = arith.constant 0 : i16\n";
  for (unsigned k = 0; k < 16; ++k)
    body += fmt::format("  %x{0} = affine.load %x[%i + {0}] : memref<256xi16>\n"
                        "  %s{1} = arith.addi %s{0}, %x{0} : i16\n",
                        k, k + 1);
  OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(
      "func.func @kernel(%x: memref<256xi16>, %y: memref<241xi16>) {\naffine.for %i = 0 to 241 "
      "{\n" +
          body + "  affine.store %s16, %y[%i] : memref<241xi16>\n}\nreturn\n}\n",
      "hls-reuse-windows", 1);
  ASSERT_TRUE(after);
  unsigned loads = 0;
  after->walk([&](AffineLoadOp) { ++loads; });
  EXPECT_EQ(loads, 1u);
  after->walk([&](AffineForOp loop) {
    EXPECT_EQ(loop.getConstantLowerBound(), -15);
    EXPECT_EQ(loop.getNumRegionIterArgs(), 15u);
  });
}

} // namespace
