#include "hw/cosim/Compare.h"

#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>

using namespace spindle;
using namespace spindle::hls;

namespace {

/// Two banks of 2 and 1 numbers of f32, and a result.
struct Sample {
  KernelInterface kernel = interfaceOf("f", 10);
  std::vector<KernelArray> arguments;
  BenchRun run;
  BenchOutcome outcome;
  Values expected;

  Sample() {
    kernel.arguments = {memoryArgument(0, "f32", {3}, {{DimensionPartition::Kind::Cyclic, 2}}),
                        scalarArgument(1, "i8")};
    kernel.results = {*parseElementType("f64")};
    ElementType f32 = kernel.arguments[0].type;
    arguments = {makeFloats(f32, {3}, {0, 1, 2}),
                 makeIntegers({ElementType::Kind::Integer, 8}, {}, {-1})};
    run = toRun(kernel, arguments);
    expected = {{makeFloats(f32, {3}, {1.5, NAN, -2}), arguments[1]},
                {makeFloats(kernel.results[0], {}, {0.5})}};
    outcome.isFinished = 1;
    outcome.startCycle = 100;
    outcome.endCycle = 110;
    outcome.results = {std::bit_cast<uint64_t>(0.5)};
    outcome.memories = toRun(kernel, expected.arguments).memories;
    outcome.lastWrites = {{104, 105, 106, kNever}};
  }
  Comparison compared() const {
    return compare(kernel, run, outcome, fromOutcome(kernel, outcome, arguments), expected);
  }
};

TEST(Compare, WordsAndBack) {
  Sample sample;
  EXPECT_EQ(sample.run.scalars, Words{0xff});
  EXPECT_EQ(sample.run.memories[0][1], std::bit_cast<uint32_t>(2.0f)); // bank 0 word 1
  EXPECT_EQ(sample.run.memories[0][2], std::bit_cast<uint32_t>(1.0f)); // bank 1 word 0
  sample.outcome.memories = sample.run.memories;
  EXPECT_EQ(fromOutcome(sample.kernel, sample.outcome, sample.arguments).arguments,
            sample.arguments);
}

TEST(Compare, EqualValuesAndAnyNanAreRight) {
  Sample sample;
  EXPECT_EQ(sample.compared().mismatches, 0u);
  sample.outcome.memories[0][2] = 0xffc12345; // another NaN
  EXPECT_EQ(sample.compared().mismatches, 0u);
}

TEST(Compare, TheFirstMismatchIsTheOneWrittenFirst) {
  Sample sample;
  sample.outcome.memories[0][0] = 0;
  sample.outcome.memories[0][1] = std::bit_cast<uint32_t>(2.0f);
  sample.outcome.lastWrites[0][0] = 108;
  Comparison both = sample.compared();
  EXPECT_EQ(both.mismatches, 2u);
  EXPECT_EQ(both.first->text, "arg0[2] is 2 (0x40000000), expected -2 (0xc0000000); bank 0 word 1; "
                              "last written in cycle 5 of 10");
  EXPECT_EQ(both.first->cycle, 105u);
  sample.outcome.lastWrites[0][1] = kNever;
  EXPECT_EQ(sample.compared().first->text, "arg0[0] is 0 (0x00000000), expected 1.5 (0x3fc00000); "
                                           "bank 0 word 0; last written in cycle 8 of 10");
}

TEST(Compare, ResultsAndUnusedWordsCount) {
  Sample sample;
  sample.outcome.results[0] = std::bit_cast<uint64_t>(0.25);
  EXPECT_EQ(sample.compared().first->text,
            "result0 is 0.25 (0x3fd0000000000000), expected 0.5 (0x3fe0000000000000)");
  sample = Sample();
  sample.outcome.memories[0][3] = 0;
  sample.outcome.lastWrites[0][3] = 103;
  EXPECT_EQ(sample.compared().first->text,
            "arg0 bank 1 word 1 holds no element, but was written; last written in cycle 3 of 10");
}

} // namespace
