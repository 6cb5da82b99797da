// Random programs: kept by what goes through registers, run as kernels cycle by cycle, and as
// circuits where no unit stands in between.
#include "tests/hls/loops/RandomKernels.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/lower/kernel/CrossingValues.h"
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
    Crossings crossings = keepCrossingsInRegisters(function);
    EXPECT_EQ(crossings.results.size(), function.getNumResults());
    expectSameResults(*before, *after, seed);
  }
}

void expectRight(const std::string &program, uint64_t seed, const ScheduleOptions &options) {
  ScheduledKernel scheduled(program, options);
  ASSERT_FALSE(testing::Test::HasFailure()) << program;
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
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

std::pair<uint64_t, uint64_t> shapeOf(PipelineOp pipeline) {
  return {pipeline.getInterval(), pipeline.getDepth()};
}

/// Same results, no pipeline with a larger interval than the heuristic's, and what is called proven
/// is not above what is called its bound.
TEST(ExactSchedules, AreRightAndNoSlower) {
  ScheduleOptions exact, heuristic;
  for (const FunctionalUnit &unit : zynqTarget().units)
    exact.units[unit.name] = heuristic.units[unit.name] = 1;
  exact.exact = true;
  for (uint64_t seed = 200; seed < 212; ++seed) {
    std::string program = randomKernel(seed, small());
    expectRight(program, seed, exact);
    ScheduledKernel proven(program, exact), plain(program, heuristic);
    std::vector<PipelineOp> ours, theirs;
    proven.kernel.walk([&](PipelineOp pipeline) { ours.push_back(pipeline); });
    plain.kernel.walk([&](PipelineOp pipeline) { theirs.push_back(pipeline); });
    ASSERT_EQ(ours.size(), theirs.size());
    for (auto [one, other] : llvm::zip(ours, theirs)) {
      auto least = one->getAttrOfType<mlir::IntegerAttr>(HlsDialect::leastIntervalName);
      ASSERT_TRUE(least);
      EXPECT_LE(uint64_t(least.getInt()), one.getInterval());
      EXPECT_LE(shapeOf(one), shapeOf(other)) << "seed " << seed;
      EXPECT_FALSE(other->hasAttr(HlsDialect::leastIntervalName));
      if (one.getLevels() > 0) { // small enough for every proof
        EXPECT_EQ(uint64_t(least.getInt()), one.getInterval());
      }
      EXPECT_TRUE(one->hasAttr(HlsDialect::leastDepthName));
    }
  }
}

/// Without time there is no proof above the bounds, but there is a schedule.
TEST(ExactSchedules, TakeWhatTheHeuristicHasWhenTimeIsUp) {
  ScheduleOptions options;
  options.exact = true;
  options.seconds = 0;
  for (uint64_t seed = 200; seed < 204; ++seed)
    expectRight(randomKernel(seed, small()), seed, options);
}

} // namespace
