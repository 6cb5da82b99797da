// Zero plus a number without an adder: every kind of number, and random ones.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace spindle::hls;
using namespace mlir;

namespace {

/// 0 + x and x + 0 for each number of a list of bit patterns, then for those of an argument.
std::string sumsOf(const std::string &type, const std::vector<uint64_t> &patterns) {
  size_t count = patterns.size();
  std::string out = llvm::formatv("memref<{0}x{1}>", 2 * count, type);
  std::string text = llvm::formatv(
      "func.func @kernel(%r: {0}, %x: memref<64x{1}>) {{\n  %zero = arith.constant 0.0 : {1}\n",
      out, type);
  for (size_t n = 0; n < count; ++n)
    text += llvm::formatv("  %c{0} = arith.constant {1:x} : {2}\n"
                          "  %a{0} = arith.addf %zero, %c{0} : {2}\n"
                          "  %b{0} = arith.addf %c{0}, %zero : {2}\n"
                          "  affine.store %a{0}, %r[{3}] : {4}\n"
                          "  affine.store %b{0}, %r[{5}] : {4}\n",
                          n, patterns[n], type, 2 * n, out, 2 * n + 1);
  text += llvm::formatv("  affine.for %i = 0 to 64 {{\n"
                        "    %y = affine.load %x[%i] : memref<64x{0}>\n"
                        "    %z = arith.addf %zero, %y : {0}\n"
                        "    affine.store %z, %x[%i] : memref<64x{0}>\n  }\n  return\n}\n",
                        type);
  return text;
}

void expectSame(const std::string &type, const std::vector<uint64_t> &patterns) {
  OwningOpRef<ModuleOp> after =
      expectPipelineKeepsResults(sumsOf(type, patterns), "hls-start-sums", 1);
  ASSERT_TRUE(after);
  after->walk([](arith::AddFOp) { ADD_FAILURE() << "an addition is left"; });
}

TEST(StartSums, EveryKindOfNumberComesOutAsFromTheAdder) {
  registerHlsPasses();
  // Zeros, subnormals, normals at the ends and at 1, infinities, quiet and signalling NaNs.
  std::vector<uint64_t> single, twice;
  for (uint64_t bits : {0x0u, 0x1u, 0x7fffffu, 0x800000u, 0x3f800000u, 0x7f7fffffu, 0x7f800000u,
                        0x7fc00000u, 0x7f800001u, 0x7fffffffu}) {
    single.push_back(bits);
    single.push_back(bits | 0x80000000u);
  }
  for (uint64_t bits : {0x0ull, 0x1ull, 0xfffffffffffffull, 0x10000000000000ull,
                        0x3ff0000000000000ull, 0x7fefffffffffffffull, 0x7ff0000000000000ull,
                        0x7ff8000000000000ull, 0x7ff0000000000001ull, 0x7fffffffffffffffull}) {
    twice.push_back(bits);
    twice.push_back(bits | 1ull << 63);
  }
  expectSame("f32", single);
  expectSame("f64", twice);
}

TEST(StartSums, RandomKernelsKeepTheirResults) {
  registerHlsPasses();
  for (uint64_t seed = 600; seed < 620; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), "hls-start-sums", seed);
}

} // namespace
