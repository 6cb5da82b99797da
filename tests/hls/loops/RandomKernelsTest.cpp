// The generator itself: its kernels are valid, stable, of every kind, and the comparison sees a
// difference.
#include "tests/hls/loops/RandomKernels.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

#include <set>

using namespace spindle::hls;
using namespace mlir;

namespace {

TEST(RandomKernels, AreValidStableAndOfEveryKind) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::string text = randomKernel(seed);
    EXPECT_EQ(text, randomKernel(seed));
    OwningOpRef<ModuleOp> module = parseKernel(text);
    ASSERT_TRUE(module);
    module->walk([&](Operation *op) {
      found.insert(op->getName().getStringRef().str());
      auto loop = dyn_cast<affine::AffineForOp>(op);
      if (!loop)
        return;
      if (loop.getNumIterOperands() > 0)
        found.insert("carried");
      if (auto trip = affine::getConstantTripCount(loop))
        found.insert(*trip < 2 ? "trip " + std::to_string(*trip) : *trip < 10 ? "few" : "tens");
      else
        found.insert("triangular");
    });
  }
  for (const char *kind : {"carried", "trip 0", "trip 1", "few", "tens", "triangular", "affine.if",
                           "memref.alloc", "arith.addf", "arith.muli"})
    EXPECT_EQ(found.count(kind), 1u) << kind;
}

TEST(RandomKernels, EveryAccessIsInRange) {
  for (uint64_t seed = 0; seed < 50; ++seed)
    if (OwningOpRef<ModuleOp> kernel = parseKernel(randomKernel(seed)))
      expectSameResults(*kernel, *kernel, seed);
}

TEST(RandomKernels, ADifferenceIsSeen) {
  std::string sum = "func.func @kernel(%a: memref<4xf32>) {\n"
                    "  affine.for %i = 0 to 3 {\n"
                    "    %x = affine.load %a[%i] : memref<4xf32>\n"
                    "    %y = arith.addf %x, %x : f32\n"
                    "    affine.store %y, %a[%i + 1] : memref<4xf32>\n"
                    "  }\n  return\n}\n";
  static OwningOpRef<ModuleOp> before = parseKernel(sum), after = parseKernel(sum);
  expectSameResults(*before, *after, 1);
  after->walk([](affine::AffineForOp loop) { loop.setConstantUpperBound(2); });
  EXPECT_FATAL_FAILURE(expectSameResults(*before, *after, 1), "argument 0, element 3");
  after->walk([](affine::AffineForOp loop) { loop.setConstantUpperBound(4); });
  EXPECT_FATAL_FAILURE(expectSameResults(*before, *after, 1), "out of range");
}

} // namespace
