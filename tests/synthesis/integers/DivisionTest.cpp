// Quotients and remainders by powers of two, of which -128 is none with a sign: no divider, and
// what the program computes for all bytes and for random numbers of other types.
#include "tests/hls/lower/ScheduledKernel.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/programs/RandomInputs.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

/// All four operations by 2^k and -2^k, each result added to three times the sum before it.
std::string divisions(unsigned size, unsigned bits, const std::vector<unsigned> &powers) {
  std::string body = "    %s0 = arith.subi %x, %x : TYPE\n    %one = arith.constant 1 : TYPE\n";
  unsigned count = 0;
  for (unsigned power : powers)
    for (const char *sign : {"", "-"})
      for (std::string operation : {"divsi", "remsi", "divui", "remui"}) {
        if (*sign && operation.ends_with("ui"))
          continue; // no power of two
        body += fmt::format("    %c{0} = arith.constant {1}{2} : TYPE\n"
                            "    %q{0} = arith.{3} %x, %c{0} : TYPE\n"
                            "    %d{0} = arith.shli %s{0}, %one : TYPE\n"
                            "    %t{0} = arith.addi %d{0}, %s{0} : TYPE\n"
                            "    %s{4} = arith.addi %t{0}, %q{0} : TYPE\n",
                            count, sign, uint64_t(1) << power, operation, count + 1);
        ++count;
      }
  std::string text = fmt::format(R"(
func.func @kernel(%in: memref<{0}xTYPE>, %out: memref<{0}xTYPE>) {{
  affine.for %i = 0 to {0} {{
    %x = affine.load %in[%i] : memref<{0}xTYPE>
{1}    affine.store %s{2}, %out[%i] : memref<{0}xTYPE>
  }}
  return
}}
)",
                                 size, body, count);
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, fmt::format("i{}", bits));
  return text;
}

void expectNoDivider(const SynthesizedKernel &made) {
  for (const auto &[unit, count] : made.synthesis.interface.units)
    EXPECT_THAT(unit,
                testing::Not(testing::AnyOf(testing::HasSubstr("div"), testing::HasSubstr("rem"))));
}

TEST(Integers, BytesAreDividedByShifts) {
  SynthesizedKernel made(divisions(256, 8, {0, 1, 3, 6}), {});
  ASSERT_FALSE(HasFailure());
  expectNoDivider(made);
  std::vector<KernelArray> inputs = randomInputs(made.golden().arguments(), 1);
  std::vector<int64_t> all;
  for (int64_t value = -128; value < 128; ++value)
    all.push_back(value);
  inputs[0] = makeIntegers(inputs[0].type, inputs[0].shape, all);
  expectSynthesizedRight(made, inputs, {}, false);
}

TEST(Integers, NumbersOfOtherTypesAreDividedByShifts) {
  for (auto [bits, last] : {std::pair(13, 11), {64, 62}}) {
    SynthesizedKernel made(divisions(24, unsigned(bits), {1, unsigned(last)}), {});
    ASSERT_FALSE(HasFailure());
    expectNoDivider(made);
    expectSynthesizedRight(made, randomInputs(made.golden().arguments(), 2), {}, false);
  }
}

} // namespace
