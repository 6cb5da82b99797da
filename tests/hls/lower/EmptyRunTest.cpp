// Kernels that have nothing to do are done in the cycle behind their start, and can be started
// again.
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

TEST(EmptyRuns, TakeOneCycle) {
  ScheduledKernel scheduled(R"(
func.func @kernel(%n: i32, %x: memref<4xi32>, %y: memref<4xi32>) {
  %end = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %end {
    %a = affine.load %x[%i] : memref<4xi32>
    affine.store %a, %y[%i] : memref<4xi32>
    affine.for %j = 0 to 4 {
      %b = affine.load %y[%j] : memref<4xi32>
      %c = arith.addi %b, %a : i32
      affine.store %c, %x[%j] : memref<4xi32>
    }
  }
  return
})");
  ASSERT_FALSE(HasFailure());
  mlir::OwningOpRef<mlir::ModuleOp> design = circuitOf(scheduled.kernel, scheduled.top);
  ASSERT_TRUE(design);
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  std::vector<KernelArray> others = randomArguments(golden, 1), inputs = randomArguments(golden, 2);
  others[0].set(0, 2);
  for (uint64_t turns : {0, 1, 3}) {
    inputs[0].set(0, turns);
    Values expected = llvm::cantFail(golden.run(inputs));
    auto interpreted = interpret(scheduled.kernel, inputs, unitFunctions());
    ASSERT_TRUE(bool(interpreted)) << toText(interpreted.takeError());
    EXPECT_EQ(difference(interpreted->values, expected), "");
    if (turns == 0) {
      EXPECT_EQ(interpreted->cycles, 1u);
    }
    for (uint64_t reset : {0, 1, 9}) {
      auto found =
          runCircuit(*design, scheduled.top, scheduled.kernel, others, reset, 5, inputs, 1000);
      ASSERT_TRUE(bool(found)) << turns << " turns: " << toText(found.takeError());
      EXPECT_EQ(difference(found->values, expected), "");
      EXPECT_EQ(found->cycles, interpreted->cycles);
    }
  }
}

} // namespace
