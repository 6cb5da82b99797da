// Divisors and steps of 0 and below, wherever they stand: refused at their place. Numbers of 1 and
// above in the same places are prepared.
#include "tests/hls/prepare/KernelText.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

const std::string operators[] = {"mod", "floordiv", "ceildiv"};
const int64_t kNumbers[] = {0, -1, -3, -(int64_t(1) << 62)};

/// The lines of a function whose line 3 is `line`, within a loop of %i.
std::string loopWith(const std::string &line) {
  return fmt::format(R"(func.func @k(%n: index, %x: memref<64xf32>) {{
  affine.for %i = 0 to 8 {{
    {}
  }}
  return
}})",
                     line);
}

/// Line 3 with the map body `expression` of d0 and s0 in each place that takes one.
std::vector<std::string> linesWith(const std::string &expression) {
  const std::string map = fmt::format("affine_map<(d0)[s0] -> ({})>", expression);
  const std::string move = "%v = affine.load %x[0] : memref<64xf32> "
                           "affine.store %v, %x[1] : memref<64xf32>";
  return {
      fmt::format("%a = affine.apply {}(%i)[%n] %v = memref.load %x[%a] : memref<64xf32> "
                  "affine.store %v, %x[1] : memref<64xf32>",
                  map),
      fmt::format("%a = affine.min {}(%i)[%n] %v = memref.load %x[%a] : memref<64xf32> "
                  "affine.store %v, %x[1] : memref<64xf32>",
                  map),
      fmt::format("affine.for %j = 0 to {}(%i)[%n] {{ {} }}", map, move),
      fmt::format("affine.for %j = {}(%i)[%n] to 9 {{ {} }}", map, move),
      fmt::format("affine.if affine_set<(d0)[s0] : ({} >= 0)>(%i)[%n] {{ {} }}", expression, move),
  };
}

/// Kernels that divide by a number written in a map, and by argument 0 bound to it; or the errors.
std::vector<std::string> preparedWith(const std::string &operation, int64_t number) {
  std::vector<std::string> errors;
  for (const std::string &line : linesWith(fmt::format("(d0 + 8) {} {}", operation, number)))
    errors.push_back(preparedText(loopWith(line)));
  for (const std::string &line : linesWith(fmt::format("(d0 + 8) {} s0", operation)))
    errors.push_back(preparedText(loopWith(line), {"", {{0, {number}}}}));
  return errors;
}

TEST(Numbers, DivisorsBelowOneAreRefusedWhereverTheyStand) {
  for (const std::string &operation : operators)
    for (int64_t number : kNumbers)
      for (const std::string &error : preparedWith(operation, number)) {
        EXPECT_THAT(error, StartsWith("kernel.mlir:3:"));
        EXPECT_THAT(error, EndsWith(fmt::format(
                               "divides by {}, expected a positive divisor: correct it, or bind "
                               "another number",
                               number)));
      }
}

TEST(Numbers, PositiveDivisorsStay) {
  for (const std::string &operation : operators)
    for (int64_t number : {1, 2, 7})
      for (const std::string &text : preparedWith(operation, number))
        EXPECT_THAT(text, Not(HasSubstr("error"))) << operation << " " << number;
}

TEST(Numbers, StepsBelowOneAreRefused) {
  const std::string body = "%v = affine.load %x[0] : memref<64xf32> "
                           "affine.store %v, %x[1] : memref<64xf32>";
  for (int64_t step : {0, -1, -8}) {
    const std::string constants = fmt::format("%s = arith.constant {} : index "
                                              "%a = arith.constant 0 : index ",
                                              step);
    const std::string loops[] = {
        constants + fmt::format("scf.for %j = %a to %i step %s {{ {} }}", body),
        fmt::format("scf.for %j = %i to %i step %n {{ {} }}", body),
        fmt::format(R"("affine.for"() <{{lowerBoundMap = affine_map<() -> (0)>, )"
                    R"(operandSegmentSizes = array<i32: 0, 0, 0>, step = {} : index, )"
                    R"(upperBoundMap = affine_map<() -> (8)>}}> ({{ ^bb0(%j: index): {} )"
                    R"(affine.yield }}) : () -> ())",
                    step, body),
        fmt::format("affine.parallel (%j) = (0) to (8) step ({}) {{ {} }}", step, body)};
    for (const std::string &loop : loops) {
      std::string error = preparedText(loopWith(loop), {"", {{0, {step}}}});
      EXPECT_THAT(error, StartsWith("kernel.mlir:3:")) << loop;
      EXPECT_THAT(error, EndsWith(fmt::format(
                             "error: the loop has step {}, expected a step of at least 1: correct "
                             "it, or bind another number",
                             step)))
          << loop;
    }
  }
}

} // namespace
