#include "tests/hls/lower/ExpectRight.h"

#include "tests/hls/lower/CircuitRun.h"

#include "gtest/gtest.h"

namespace spindle::hls {

std::optional<Interpretation> expectRight(ScheduledKernel &scheduled,
                                          const std::vector<KernelArray> &inputs) {
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  auto found = interpret(scheduled.kernel, inputs, unitFunctions());
  if (!found) {
    ADD_FAILURE() << toText(found.takeError());
    return std::nullopt;
  }
  EXPECT_EQ(difference(found->values, llvm::cantFail(golden.run(inputs))), "");
  return std::move(*found);
}

void expectSameCircuit(ScheduledKernel &scheduled, const std::vector<KernelArray> &others,
                       const std::vector<KernelArray> &inputs, const Interpretation &expected) {
  mlir::OwningOpRef<mlir::ModuleOp> design = circuitOf(scheduled.kernel, scheduled.top);
  ASSERT_TRUE(design);
  if (!hasUnitModels(scheduled.kernel))
    return;
  for (uint64_t reset : {0, 9}) {
    auto found = runCircuit(*design, scheduled.top, scheduled.kernel, others, reset, 5, inputs,
                            2 * expected.cycles + 100);
    ASSERT_TRUE(bool(found)) << toText(found.takeError());
    EXPECT_EQ(difference(found->values, expected.values), "");
    EXPECT_EQ(found->cycles, expected.cycles);
  }
}

void expectRightThroughout(const std::string &program) {
  SCOPED_TRACE(program);
  ScheduledKernel scheduled(program);
  ASSERT_FALSE(testing::Test::HasFailure());
  ASSERT_TRUE(hasUnitModels(scheduled.kernel)) << "the circuit would not be tested";
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  for (uint64_t seed : {1, 2, 3}) {
    std::vector<KernelArray> inputs = randomArguments(golden, seed);
    if (auto found = expectRight(scheduled, inputs))
      expectSameCircuit(scheduled, randomArguments(golden, seed + 10), inputs, *found);
  }
}

} // namespace spindle::hls
