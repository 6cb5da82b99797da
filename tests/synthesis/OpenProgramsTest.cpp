// Programs whose loops data end, with the loop passes on: the kernel computes what they do.
#include "core/support/CounterRandom.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/Synthesis.h"
#include "tests/hls/loops/RandomRows.h"
#include "tests/hls/lower/RandomOpenKernels.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

std::vector<KernelArray> randomIntegers(const Golden &golden, uint64_t seed) {
  CounterRandom random(seed);
  std::vector<KernelArray> arguments;
  for (const GoldenType &type : golden.arguments()) {
    std::vector<int64_t> numbers(makeArray(type.type, type.shape).count());
    for (int64_t &number : numbers)
      number = int64_t(random.below(41)) - 20;
    arguments.push_back(makeIntegers(type.type, type.shape, numbers));
  }
  return arguments;
}

void expectRight(const std::string &text, uint64_t seed) {
  SCOPED_TRACE(text);
  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
  SynthesisOptions options;
  options.loops.unroll = {1};
  auto made = synthesize(*program, llvm::cantFail(readTarget(kDefaultTarget)), options);
  ASSERT_TRUE(bool(made)) << toText(made.takeError());
  Golden golden = llvm::cantFail(Golden::compile(*program, "kernel"));
  std::vector<KernelArray> inputs = randomIntegers(golden, seed);
  auto found = interpret(made->kernel, inputs, {});
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  Values expected = llvm::cantFail(golden.run(inputs));
  EXPECT_EQ(found->values.arguments, expected.arguments);
  EXPECT_EQ(found->values.results, expected.results);
}

TEST(OpenPrograms, ComputeTheSameWithTheLoopPasses) {
  for (uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed)
    expectRight(randomOpenKernel(1000 + seed, 1 + seed % 3), seed);
}

TEST(OpenPrograms, RowsOfDataComputeTheSame) {
  for (uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed)
    expectRight(randomRows(500 + seed, seed % 3 != 0), seed);
}

} // namespace
