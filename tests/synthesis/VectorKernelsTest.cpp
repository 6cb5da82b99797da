// Programs of vectors as vectorisers leave them become circuits that compute the same.
#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "tests/synthesis/SynthesizedKernel.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr ElementType kI8{ElementType::Kind::Integer, 8}, kI32{ElementType::Kind::Integer, 32},
    kF32{ElementType::Kind::Float, 32};

KernelArray randomBytes(CounterRandom &random) {
  std::vector<int64_t> numbers(64);
  for (int64_t &number : numbers)
    number = int64_t(random.below(256)) - 128;
  return makeIntegers(kI8, {8, 8}, {numbers.begin(), numbers.end()});
}

KernelArray randomFloats(CounterRandom &random, int64_t count) {
  std::vector<double> numbers(static_cast<size_t>(count));
  for (double &number : numbers)
    number = float(4 * random.uniform() - 2);
  return makeFloats(kF32, {count}, numbers);
}

/// A program of tests/kernels/programs, its function called as those of all tests here.
std::string programText(const std::string &function) {
  std::string text =
      llvm::cantFail(readFile("tests/kernels/programs/vector_" + function + ".mlir"));
  return text.replace(text.find("@" + function), function.size() + 1, "@kernel");
}

/// Sixteen products in each cycle, as the vectors ask for: 2 × 2 sums of four.
TEST(VectorKernels, TilesOfAProductOfMatrices) {
  std::vector<std::vector<KernelArray>> inputs;
  for (uint64_t seed : {1, 2}) {
    CounterRandom random(seed);
    KernelArray a = randomBytes(random), b = randomBytes(random);
    inputs.push_back({a, b, makeArray(kI32, {8, 8})});
  }
  for (uint64_t unroll : {1, 2}) {
    SynthesizedKernel made(programText("tiles"), {unroll});
    expectSynthesizedRight(made, inputs[0], inputs[1], true);
    EXPECT_LE(made.cycles(), 40u);
  }
}

/// The last vector is a tail.
TEST(VectorKernels, FilterWithATail) {
  std::vector<std::vector<KernelArray>> inputs;
  for (uint64_t seed : {1, 2}) {
    CounterRandom random(seed);
    KernelArray x = randomFloats(random, 35), w = randomFloats(random, 4);
    inputs.push_back({x, w, makeArray(kF32, {30})});
  }
  SynthesizedKernel made(programText("filter"), {});
  expectSynthesizedRight(made, inputs[0], inputs[1], false);
}

} // namespace
