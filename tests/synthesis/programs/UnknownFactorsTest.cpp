// Subscripts that multiply or divide by what only the run knows, as views with open strides have.
#include "tests/hls/lower/CircuitRun.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/programs/RandomInputs.h"

#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

struct Factor {
  const char *name, *body;
};

std::ostream &operator<<(std::ostream &stream, const Factor &factor) {
  return stream << factor.name;
}

/// `%i` is 0 to 3, `%m` 1 to 8.
std::string programOf(const Factor &factor) {
  return std::string(R"(
func.func @kernel(%a: memref<64xi32>, %b: memref<8xi32>, %p: i32, %q: i32) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %wide = arith.index_castui %p : i32 to index
  %i = arith.remui %wide, %c4 : index
  %other = arith.index_castui %q : i32 to index
  %rest = arith.remui %other, %c8 : index
  %m = arith.addi %rest, %c1 : index
)") + factor.body +
         "  return\n}\n";
}

class UnknownFactors : public testing::TestWithParam<Factor> {};

TEST_P(UnknownFactors, ComputeWhatTheyDo) {
  for (uint64_t unroll : {1, 4}) {
    SynthesizedKernel made(programOf(GetParam()), {unroll});
    ASSERT_TRUE(made.program && made.synthesis.kernel);
    for (uint64_t seed : {1, 2, 3}) {
      std::vector<GoldenType> types = made.golden().arguments();
      expectSynthesizedRight(made, randomInputs(types, seed), randomInputs(types, seed + 7),
                             seed == 1 && hasUnitModels(made.synthesis.kernel));
    }
  }
}

const Factor kFactors[] = {
    {"Linearized", R"(
  %l = affine.linearize_index [%i, %c1] by (4, %m) : index
  %r = memref.load %a[%l] : memref<64xi32>
  memref.store %r, %b[%i] : memref<8xi32>
)"},
    {"Delinearized", R"(
  %x:2 = affine.delinearize_index %i into (%c4, %m) : index, index
  %r = memref.load %a[%x#0] : memref<64xi32>
  memref.store %r, %b[%x#1] : memref<8xi32>
)"},
    {"StrideOfASubview", R"(
  %v = memref.subview %a[%i] [4] [%m] : memref<64xi32> to memref<4xi32, strided<[?], offset: ?>>
  affine.for %k = 0 to 4 {
    %r = affine.load %v[%k] : memref<4xi32, strided<[?], offset: ?>>
    affine.store %r, %b[%k] : memref<8xi32>
  }
)"},
    {"StrideOfACast", R"(
  %v = memref.reinterpret_cast %a to offset: [%i], sizes: [2, 4], strides: [%c4, %m] : memref<64xi32> to memref<2x4xi32, strided<[?, ?], offset: ?>>
  affine.for %k = 0 to 4 {
    %r = affine.load %v[1, %k] : memref<2x4xi32, strided<[?, ?], offset: ?>>
    affine.store %r, %v[0, %k] : memref<2x4xi32, strided<[?, ?], offset: ?>>
    affine.store %r, %b[%k + 4] : memref<8xi32>
  }
)"},
    {"CopyOfASubview", R"(
  %v = memref.subview %a[0] [8] [%m] : memref<64xi32> to memref<8xi32, strided<[?]>>
  memref.copy %v, %b : memref<8xi32, strided<[?]>> to memref<8xi32>
  linalg.add ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%v : memref<8xi32, strided<[?]>>)
)"},
    {"Subscripts", R"(
  affine.for %k = 0 to 7 {
    %r = affine.load %a[%k * symbol(%m) + symbol(%i)] : memref<64xi32>
    affine.store %r, %a[%k * symbol(%m)] : memref<64xi32>
    affine.store %r, %b[(%k + symbol(%i)) mod symbol(%m)] : memref<8xi32>
  }
)"},
    {"Applied", R"(
  affine.for %k = 0 to 8 {
    %x = affine.apply affine_map<(d0)[s0, s1] -> (s0 * s1 + d0 floordiv s1)>(%k)[%i, %m]
    %y = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0 + 1)>(%k)[%m]
    %z = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%x, %y)
    %r = memref.load %a[%z] : memref<64xi32>
    affine.store %r, %b[%k] : memref<8xi32>
  }
)"},
};

INSTANTIATE_TEST_SUITE_P(All, UnknownFactors, testing::ValuesIn(kFactors),
                         [](const auto &test) { return test.param.name; });

} // namespace
