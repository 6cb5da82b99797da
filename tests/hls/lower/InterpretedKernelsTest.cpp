// Scheduled kernels, cycle by cycle: what they compute is what the program computes, bit for bit,
// in as many cycles as predicted.
#include "tests/hls/lower/ScheduledKernel.h"

#include "core/support/files/File.h"
#include "hw/hls/lower/PredictCycles.h"

#include "gtest/gtest.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr const char *folder = "tests/kernels/polybench/";

std::vector<std::string> kernelFiles() {
  std::vector<std::string> files;
  for (const char *set : {"mini-f64", "8x8-i32"})
    for (const auto &entry : std::filesystem::directory_iterator(std::string(folder) + set))
      files.push_back(std::string(set) + "/" + entry.path().stem().string());
  std::sort(files.begin(), files.end());
  return files;
}

class InterpretedKernels : public testing::TestWithParam<std::string> {};

TEST_P(InterpretedKernels, ComputeWhatTheProgramDoes) {
  ScheduledKernel scheduled(llvm::cantFail(readFile(folder + GetParam() + ".mlir")));
  ASSERT_FALSE(HasFailure());
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  std::vector<KernelArray> inputs = randomArguments(golden, 1);
  auto found = interpret(scheduled.kernel, inputs, unitFunctions());
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  EXPECT_EQ(difference(found->values, llvm::cantFail(golden.run(inputs))), "");
  EXPECT_EQ(found->cycles, predictCycles(scheduled.kernel));
}

INSTANTIATE_TEST_SUITE_P(PolyBench, InterpretedKernels, testing::ValuesIn(kernelFiles()),
                         [](const auto &test) {
                           std::string name = test.param;
                           for (char &c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

} // namespace
