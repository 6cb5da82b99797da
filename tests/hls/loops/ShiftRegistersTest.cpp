// Values that move from one word or one carried value to the next in every iteration, in any order,
// by any number of iterations side by side.
#include "core/support/CounterRandom.h"
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

/// The words of an array are moved about by loads and stores at fixed places.
std::string movedWords(CounterRandom &random) {
  uint32_t words = 2 + random.below(4), trip = 1 + random.below(9);
  std::string body, array = fmt::format("memref<{}xi32>", words);
  std::vector<std::string> values = {"%v"};
  for (uint32_t move = 0, moves = 1 + random.below(3 * words); move < moves; ++move) {
    if (random.below(2)) {
      values.push_back(fmt::format("%t{}", move));
      body += fmt::format("    {} = affine.load %reg[{}] : {}\n", values.back(),
                          random.below(words), array);
    } else {
      body +=
          fmt::format("    affine.store {}, %reg[{}] : {}\n",
                      values[random.below(uint32_t(values.size()))], random.below(words), array);
    }
  }
  return fmt::format("func.func @kernel(%x: memref<9xi32>, %reg: {0}, %y: memref<9xi32>) {{\n"
                     "  affine.for %i = 0 to {1} {{\n"
                     "    %v = affine.load %x[%i] : memref<9xi32>\n{2}"
                     "    %last = affine.load %reg[{3}] : {0}\n"
                     "    affine.store %last, %y[%i] : memref<9xi32>\n  }}\n  return\n}}\n",
                     array, trip, body, words - 1);
}

/// Carried values are yielded in another order, with new ones and with ones from outside the loop.
std::string permutedYields(CounterRandom &random) {
  uint32_t count = 1 + random.below(5), trip = random.below(17);
  std::vector<std::string> pool = {"%v", "%w", "%zero", "%s"};
  std::string inits, types, yields, results;
  for (uint32_t k = 0; k < count; ++k) {
    const char *comma = k ? ", " : "";
    pool.push_back(fmt::format("%a{}", k));
    inits += fmt::format("{}%a{} = {}", comma, k, random.below(2) ? "%s" : "%zero");
    types += fmt::format("{}i32", comma);
    results += fmt::format("  affine.store %r#{0}, %reg[{0}] : memref<5xi32>\n", k);
  }
  for (uint32_t k = 0; k < count; ++k)
    yields += (k ? ", " : "") + pool[random.below(uint32_t(pool.size()))];
  return fmt::format("func.func @kernel(%x: memref<16xi32>, %s: i32, %reg: memref<5xi32>) {{\n"
                     "  %zero = arith.constant 0 : i32\n"
                     "  %r:{0} = affine.for %i = 0 to {1} iter_args({2}) -> ({3}) {{\n"
                     "    %v = affine.load %x[%i] : memref<16xi32>\n"
                     "    %w = arith.addi %v, %a0 : i32\n"
                     "    affine.store {4}, %x[%i] : memref<16xi32>\n"
                     "    affine.yield {5} : {3}\n  }}\n{6}  return\n}}\n",
                     count, trip, inits, types, pool[random.below(uint32_t(pool.size()))], yields,
                     results);
}

/// Eighteen lines of a delay of four steps, which `--unroll 3` makes a loop of words.
TEST(ShiftRegisters, WordsMoveInTheOrderOfTheProgram) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, /*substream=*/0x73686966);
    expectPipelineKeepsResults(movedWords(random), "hls-carry-results", seed);
  }
}

TEST(ShiftRegisters, CarriedValuesMoveUnderAnyFactor) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, /*substream=*/0x7969656c);
    std::string kernel = permutedYields(random);
    expectPipelineKeepsResults(
        kernel,
        fmt::format("hls-unroll-loops{{loops=0:{}}},hls-carry-results", 2 + random.below(6)), seed);
  }
}

} // namespace
