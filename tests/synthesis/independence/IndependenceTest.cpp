// Loops that are said to be independent, through the whole line: what the program computes, at an
// interval that does not wait for the iteration before.
#include "core/support/files/File.h"
#include "hw/hls/lower/PredictCycles.h"
#include "tests/hls/lower/ScheduledKernel.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/independence/RandomIndependent.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>

using namespace spindle;
using namespace spindle::hls;

namespace {

/// SPINDLE_PROGRAMS=2000 runs more of them.
TEST(Independence, ComputeWhatRandomProgramsDo) {
  const char *given = std::getenv("SPINDLE_PROGRAMS");
  unsigned programs = given ? unsigned(std::atoi(given)) : 60;
  for (uint64_t seed = 0; seed < programs && !HasFailure(); ++seed) {
    std::string text = randomIndependent(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    SynthesizedKernel made(text, {1 + seed % 3});
    ASSERT_FALSE(HasFailure());
    const Golden &golden = made.golden();
    expectSynthesizedRight(made, randomArguments(golden, seed), randomArguments(golden, seed + 1),
                           false);
  }
}

unsigned widestInterval(SynthesizedKernel &made) {
  int64_t widest = 0;
  made.synthesis.kernel.walk(
      [&](PipelineOp pipeline) { widest = std::max(widest, int64_t(pipeline.getInterval())); });
  return unsigned(widest);
}

std::string fftProgram(bool isSaid) {
  std::string text = llvm::cantFail(readFile("tests/kernels/programs/fft.mlir"));
  constexpr const char *claim = " {hls.independent = #hls.independent<[0, 1]>}";
  if (!isSaid)
    text.erase(text.find(claim), std::string(claim).size());
  return text.replace(text.find("@fft"), 4, "@kernel");
}

/// Four accesses of each array to two ports.
TEST(Independence, TheFourierTransformHasAnIntervalOfTwo) {
  SynthesizedKernel made(fftProgram(true), {1}), silent(fftProgram(false), {1});
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(widestInterval(made), 2u);
  EXPECT_EQ(widestInterval(silent), 15u);
  EXPECT_LT(made.cycles(), 6 * (2 * 32 + 30));
  const Golden &golden = made.golden();
  expectSynthesizedRight(made, randomArguments(golden, 1), randomArguments(golden, 2), false);
}

/// By its definition, in doubles.
TEST(Independence, TheFourierTransformIsOne) {
  constexpr int size = 64;
  std::vector<double> re(size), im(size), cosine(size / 2), sine(size / 2);
  std::vector<std::complex<double>> samples(size);
  for (int n = 0; n < size; ++n)
    samples[size_t(n)] = {std::sin(n * n * 0.1), std::cos(n * 1.7) / 2};
  for (int n = 0; n < size; ++n) {
    int reversed = 0;
    for (int bit = 0; bit < 6; ++bit)
      reversed |= (n >> bit & 1) << (5 - bit);
    re[size_t(n)] = samples[size_t(reversed)].real();
    im[size_t(n)] = samples[size_t(reversed)].imag();
  }
  for (int k = 0; k < size / 2; ++k) {
    cosine[size_t(k)] = std::cos(2 * std::numbers::pi * k / size);
    sine[size_t(k)] = std::sin(2 * std::numbers::pi * k / size);
  }
  SynthesizedKernel made(fftProgram(true), {1});
  ElementType f32{ElementType::Kind::Float, 32};
  Values after = llvm::cantFail(
      runGolden(*made.program, "kernel",
                {{makeFloats(f32, {size}, re), makeFloats(f32, {size}, im),
                  makeFloats(f32, {size / 2}, cosine), makeFloats(f32, {size / 2}, sine)},
                 {}}));
  std::vector<double> foundRe = toDoubles(after.arguments[0]),
                      foundIm = toDoubles(after.arguments[1]);
  for (int k = 0; k < size; ++k) {
    std::complex<double> sum = 0;
    for (int n = 0; n < size; ++n)
      sum += samples[size_t(n)] * std::polar(1.0, -2 * std::numbers::pi * n * k / size);
    EXPECT_NEAR(foundRe[size_t(k)], sum.real(), 1e-5);
    EXPECT_NEAR(foundIm[size_t(k)], sum.imag(), 1e-5);
  }
}

} // namespace
