// Random programs: kept by what goes through registers, run as kernels cycle by cycle, and as
// circuits where no unit stands in between.
#include "tests/hls/loops/RandomKernels.h"
#include "hw/hls/lower/CrossingValues.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/prepare/Prepare.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

RandomKernelOptions small() {
  RandomKernelOptions options;
  options.depth = 2;
  return options;
}

TEST(CrossingValues, KeepWhatProgramsCompute) {
  for (uint64_t seed = 0; seed < 25; ++seed) {
    mlir::OwningOpRef<mlir::ModuleOp> before = parseKernel(randomKernel(seed));
    ASSERT_TRUE(before);
    mlir::OwningOpRef<mlir::ModuleOp> after = before->clone();
    auto function = *after->getOps<mlir::func::FuncOp>().begin();
    llvm::SmallVector<mlir::Value> results = keepCrossingsInRegisters(function);
    EXPECT_EQ(results.size(), function.getNumResults());
    expectSameResults(*before, *after, seed);
  }
}

void expectRight(const std::string &program, uint64_t seed, const ScheduleOptions &options) {
  ScheduledKernel scheduled(program, options);
  ASSERT_FALSE(testing::Test::HasFailure()) << program;
  Golden golden = llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top));
  std::vector<KernelArray> inputs = randomArguments(golden, seed);
  auto found = interpret(scheduled.kernel, inputs, unitFunctions());
  ASSERT_TRUE(bool(found)) << "seed " << seed << ": " << toText(found.takeError());
  EXPECT_EQ(difference(found->values, llvm::cantFail(golden.run(inputs))), "") << program;
  EXPECT_EQ(found->cycles, predictCycles(scheduled.kernel)) << "seed " << seed;
}

TEST(InterpretedKernels, ComputeWhatRandomProgramsDo) {
  for (uint64_t seed = 0; seed < 40; ++seed)
    expectRight(randomKernel(seed, seed % 4 ? small() : RandomKernelOptions()), seed, {});
}

TEST(InterpretedKernels, ComputeTheSameWithFewUnitsAndOneAfterTheOther) {
  ScheduleOptions options;
  options.concurrent = false;
  for (const FunctionalUnit &unit : zynqTarget().units)
    options.units[unit.name] = 1;
  for (uint64_t seed = 100; seed < 115; ++seed)
    expectRight(randomKernel(seed, small()), seed, options);
}

} // namespace
