// Streams: programs of tests/kernels/streams against what they are said to do, in the interpreter
// and as circuits.
#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "hw/hls/lower/PredictCycles.h"
#include "tests/hls/lower/ExpectRight.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;
using testing::ElementsAreArray;
using testing::HasSubstr;

namespace {

constexpr ElementType integer(unsigned bits) { return {ElementType::Kind::Integer, bits}; }

std::string textOf(const std::string &name) {
  return llvm::cantFail(readFile("tests/kernels/streams/" + name + ".mlir"));
}

KernelArray tokens(unsigned bits, const std::vector<int64_t> &values) {
  return makeIntegers(integer(bits), {int64_t(values.size())}, values);
}

/// What the program gives, through the JIT and as a kernel; both agree.
Interpretation run(ScheduledKernel &scheduled, const std::vector<KernelArray> &inputs) {
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  Values expected = llvm::cantFail(golden.run(inputs));
  auto found = interpret(scheduled.kernel, expected.arguments, unitFunctions());
  if (!found) {
    ADD_FAILURE() << toText(found.takeError());
    return {expected, 0};
  }
  EXPECT_EQ(difference(found->values, expected), "");
  return std::move(*found);
}

TEST(Streams, ACountedLoopTakesATokenPerCycle) {
  ScheduledKernel scheduled(textOf("scale"));
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(predictCycles(scheduled.kernel), std::nullopt);
  std::vector<int64_t> in, out;
  for (int64_t n = 0; n < 50; ++n)
    in.push_back(n * n - 300);
  for (int64_t n = 0; n < 40; ++n)
    out.push_back(3 * in[size_t(n)]);
  Interpretation found = run(scheduled, {tokens(16, in), tokens(16, {})});
  EXPECT_THAT(toIntegers(found.values.arguments[1]), ElementsAreArray(out));
  EXPECT_EQ(found.values.arguments[0].count(), 40u) << "those that are read";
  EXPECT_LE(found.cycles, 43u);
}

TEST(Streams, ALoopEndsAtAToken) {
  ScheduledKernel scheduled(textOf("until_token"));
  ASSERT_FALSE(HasFailure());
  Interpretation found = run(scheduled, {tokens(8, {1, 2, 0, 0x7f, 4, 0, 0, 9}), tokens(16, {})});
  EXPECT_THAT(toIntegers(found.values.arguments[1]), testing::ElementsAre(3, 131, 0));
  EXPECT_EQ(toIntegers(found.values.results[0])[0], 3);
}

TEST(Streams, AWordIsReadWhenTheOneBeforeIsEmpty) {
  ScheduledKernel scheduled(textOf("serializer"));
  ASSERT_FALSE(HasFailure());
  for (uint32_t seed = 0; seed < 3; ++seed) {
    CounterRandom random(seed, 1);
    std::vector<int64_t> words, numbers;
    for (int n = 0; n < 20; ++n) {
      words.push_back(random.below(seed == 0 ? 128 : seed * 8));
      for (int bit = 0; bit < 7; ++bit)
        if (words.back() >> bit & 1)
          numbers.push_back(bit >= 4 ? bit - 8 : bit);
      numbers.push_back(-1);
    }
    Interpretation found = run(scheduled, {tokens(7, words), tokens(3, {})});
    EXPECT_THAT(toIntegers(found.values.arguments[1]), ElementsAreArray(numbers));
    EXPECT_LE(found.cycles, numbers.size() + 6) << "a number per cycle";
  }
}

/// Two processes side by side, so much faster than one after the other; the circuit takes as many
/// cycles as the interpreter, whatever the stream holds.
TEST(Streams, ProcessesRunAtTheSameTime) {
  for (int depth : {1, 2, 4, 30}) {
    std::string text = textOf("chain");
    size_t at = text.find("depth = 4");
    text.replace(at, 9, fmt::format("depth = {}", depth));
    ScheduledKernel scheduled(text);
    ASSERT_FALSE(HasFailure());
    std::vector<int64_t> words, counts(8, 0);
    CounterRandom random(7, uint32_t(depth));
    for (int n = 0; n < 16; ++n) {
      words.push_back(int64_t(random.below(256)) - 128);
      for (size_t bit = 0; bit < 8; ++bit)
        counts[bit] += words.back() >> bit & 1;
    }
    std::vector<KernelArray> inputs{makeIntegers(integer(8), {16}, words),
                                    makeArray(integer(16), {8})};
    Interpretation found = run(scheduled, inputs);
    EXPECT_THAT(toIntegers(found.values.arguments[1]), ElementsAreArray(counts));
    expectSameCircuit(scheduled, inputs, inputs, found);
    if (depth >= 4) {
      EXPECT_LE(found.cycles, 128u * 2 + 40) << "the longer of both, not the sum";
    }
  }
}

/// Of a stored stream the reader waits for the end of the writer: the sum of both, as the circuit
/// has it. One that holds too little stops the circuit.
TEST(Streams, AStoredStreamIsAMemory) {
  std::vector<int64_t> words(16, -1), counts(8, 16);
  std::vector<KernelArray> inputs{makeIntegers(integer(8), {16}, words),
                                  makeArray(integer(16), {8})};
  for (int depth : {130, 100}) {
    std::string text = textOf("chain");
    size_t at = text.find("depth = 4 : i64");
    text.replace(at, 15, fmt::format("depth = {} : i64, stored", depth));
    ScheduledKernel scheduled(text);
    ASSERT_FALSE(HasFailure());
    if (depth < 129) {
      EXPECT_THAT(toText(interpret(scheduled.kernel, inputs, {}).takeError()),
                  HasSubstr("waits for tokens or room since cycle "));
      continue;
    }
    Interpretation found = run(scheduled, inputs);
    EXPECT_THAT(toIntegers(found.values.arguments[1]), ElementsAreArray(counts));
    EXPECT_GE(found.cycles, 128u + 129u);
    expectSameCircuit(scheduled, inputs, inputs, found);
  }
}

TEST(Streams, AProgramThatReadsTooMuchIsWrong) {
  ScheduledKernel scheduled(textOf("scale"));
  ASSERT_FALSE(HasFailure());
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  auto values = golden.run({tokens(16, {1, 2, 3}), tokens(16, {})});
  EXPECT_THAT(toText(values.takeError()),
              HasSubstr("error: reads token 3 of a stream that holds no more: give it more tokens, "
                        "and write a stream before it is read"));
  auto found = interpret(scheduled.kernel, {tokens(16, {1, 2, 3}), tokens(16, {})}, {});
  EXPECT_THAT(
      toText(found.takeError()),
      HasSubstr("kernel @scale_hardware: error: nest0 waits for tokens or room since cycle "));
}

} // namespace
