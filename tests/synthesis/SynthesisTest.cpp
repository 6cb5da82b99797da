#include "hw/synthesis/Synthesis.h"

#include "hw/program/ProgramFile.h"
#include "hw/synthesis/search/SearchUnrolling.h"

#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"

#include <functional>
#include <numeric>

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr const char *kScaleRows = R"mlir(
func.func @edge(%rows: index, %factor: f32, %x: memref<8x16xf32>) {
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to 16 {
      %a = affine.load %x[%i, %j] : memref<8x16xf32>
      %b = arith.mulf %a, %factor : f32
      affine.store %b, %x[%i, %j] : memref<8x16xf32>
    }
  }
  return
})mlir";

constexpr const char *kTwoProducts = R"mlir(
func.func @mvt(%x1: memref<12xf32>, %x2: memref<12xf32>, %y1: memref<12xf32>, %y2: memref<12xf32>, %a: memref<12x12xf32>) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %s = affine.load %x1[%i] : memref<12xf32>
      %m = affine.load %a[%i, %j] : memref<12x12xf32>
      %v = affine.load %y1[%j] : memref<12xf32>
      %p = arith.mulf %m, %v : f32
      %t = arith.addf %s, %p : f32
      affine.store %t, %x1[%i] : memref<12xf32>
    }
  }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %s = affine.load %x2[%i] : memref<12xf32>
      %m = affine.load %a[%j, %i] : memref<12x12xf32>
      %v = affine.load %y2[%j] : memref<12xf32>
      %p = arith.mulf %m, %v : f32
      %t = arith.addf %s, %p : f32
      affine.store %t, %x2[%i] : memref<12xf32>
    }
  }
  return
})mlir";

class SynthesisTest : public ::testing::Test {
protected:
  llvm::Expected<Synthesis> run(const SynthesisOptions &options) {
    SPINDLE_ASSIGN(Target target, readTarget(kDefaultTarget));
    return synthesize(*program, target, options);
  }

  /// The program as text: what `synthesize` must leave alone.
  std::string text() {
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    program->print(stream);
    return printed;
  }

  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  mlir::OwningOpRef<mlir::ModuleOp> program =
      llvm::cantFail(parseProgram(*context, kScaleRows, "rows.mlir"));
};

TEST_F(SynthesisTest, OneProgramGivesSeveralCircuits) {
  std::string before = text();
  for (int64_t rows : {1, 4, 8}) {
    SynthesisOptions options;
    options.bind[0] = {rows};
    options.loops.unroll = {1};
    Synthesis made = llvm::cantFail(run(options));
    EXPECT_EQ(made.interface.function, "edge");
    EXPECT_NE(made.interface.top, "edge"); // a word of SystemVerilog
    EXPECT_TRUE(made.design->lookupSymbol(made.interface.top));
    EXPECT_TRUE(made.kernel.isScheduled());
    EXPECT_TRUE(made.interface.sources.empty());
    ASSERT_EQ(made.interface.arguments.size(), 2u); // the bound one is no port
    EXPECT_EQ(made.interface.arguments[0].index, 1u);
    // One iteration a cycle: load, multiply in the target's latency, store.
    ASSERT_TRUE(made.interface.predictedCycles);
    EXPECT_GE(*made.interface.predictedCycles, uint64_t(rows * 16));
    EXPECT_LE(*made.interface.predictedCycles, uint64_t(rows * 16 + 16));
  }
  EXPECT_EQ(text(), before);
}

TEST_F(SynthesisTest, TheSearchIsNeverSlowerAndSaysWhatItTook) {
  SynthesisOptions options;
  options.bind[0] = {8};
  options.loops.unroll = {1};
  Synthesis plain = llvm::cantFail(run(options));
  options.loops.unroll = {};
  Synthesis found = llvm::cantFail(run(options));
  EXPECT_LT(*found.interface.predictedCycles, *plain.interface.predictedCycles);
  options.loops.unroll = found.options.loops.unroll;
  options.loops.without = found.options.loops.without;
  Synthesis again = llvm::cantFail(run(options));
  EXPECT_EQ(again.interface.predictedCycles, found.interface.predictedCycles);
}

/// The fastest that fits: half of the area of what is taken without a budget.
TEST_F(SynthesisTest, TheSearchStaysWithinTheBudget) {
  SynthesisOptions options;
  options.bind[0] = {8};
  Synthesis free = llvm::cantFail(run(options));
  options.budget = *free.interface.estimate;
  options.budget->lut /= 2;
  Synthesis bounded = llvm::cantFail(run(options));
  EXPECT_LE(bounded.interface.estimate->lut, options.budget->lut);
  EXPECT_GT(*bounded.interface.predictedCycles, *free.interface.predictedCycles);
  options.loops.unroll = {1};
  options.budget.reset();
  EXPECT_LT(*bounded.interface.predictedCycles,
            *llvm::cantFail(run(options)).interface.predictedCycles);
}

/// Nests that may be joined or run at the same time: circuits of one form that are too large say
/// nothing of the other. With a budget of 6,000 LUTs the search once found no more than with 2,000.
TEST_F(SynthesisTest, TheSearchFindsTheFastestFactorsThatFit) {
  program = llvm::cantFail(parseProgram(*context, kTwoProducts, "products.mlir"));
  SynthesisOptions options;
  std::vector<std::pair<double, uint64_t>> fixed; // LUT and cycles
  for (uint64_t outer : {1, 2, 4, 6})
    for (uint64_t inner : {1, 2, 3, 12}) {
      options.loops.unroll = {outer, inner};
      Synthesis made = llvm::cantFail(run(options));
      fixed.emplace_back(made.interface.estimate->lut, *made.interface.predictedCycles);
    }
  options.loops.unroll = {};
  for (double budget : {6000, 9000}) {
    options.budget = DeviceArea{budget, 1e6, 1e3, 1e3};
    Synthesis found = llvm::cantFail(run(options));
    EXPECT_LE(found.interface.estimate->lut, budget);
    for (auto [lut, cycles] : fixed)
      EXPECT_TRUE(lut > budget || *found.interface.predictedCycles <= cycles)
          << *found.interface.predictedCycles << " cycles; " << cycles << " with " << lut << " of "
          << budget << " LUTs";
  }
}

TEST_F(SynthesisTest, WhatHasNoCircuitIsRefusedWithItsPlace) {
  program = llvm::cantFail(
      parseProgram(*context, "func.func @f(%x: memref<*xf32>) {\n  return\n}", "unranked.mlir"));
  SynthesisOptions options;
  options.loops.unroll = {1};
  llvm::Expected<Synthesis> made = run(options);
  ASSERT_FALSE(bool(made));
  EXPECT_THAT(toText(made.takeError()), ::testing::StartsWith("unranked.mlir:1:"));
}

TEST_F(SynthesisTest, OperationsThatNobodyKnowsAreRefusedWithTheirPlace) {
  program = llvm::cantFail(parseProgram(
      *context, "func.func @f() {\n  \"other.print\"() : () -> ()\n  return\n}", "other.mlir"));
  llvm::Expected<Synthesis> made = run({});
  ASSERT_FALSE(bool(made));
  EXPECT_THAT(
      toText(made.takeError()),
      ::testing::StartsWith("other.mlir:2:3: error: operation other.print is not supported"));
}

/// Factors of a nest of 6 by 4 iterations, alone and together; of one loop, no more than one.
TEST(Synthesis, SearchesWhatTheTripCountsSuggest) {
  using Factors = std::vector<std::vector<uint64_t>>;
  EXPECT_EQ(candidateFactors({{4}}, 1), (Factors{{2}, {4}}));
  EXPECT_EQ(candidateFactors({{4}}, 3), (Factors{{2}, {3}, {4}}));
  Factors two = candidateFactors({{6, 4}}, 1);
  for (const std::vector<uint64_t> &wanted : Factors{{6}, {4}, {3, 2}, {4, 6}, {6, 4}})
    EXPECT_TRUE(llvm::is_contained(two, wanted)) << wanted.front();
  auto lanes = [](const std::vector<uint64_t> &factors) {
    return std::accumulate(factors.begin(), factors.end(), uint64_t(1), std::multiplies<>());
  };
  for (size_t i = 0; i < two.size(); ++i) {
    EXPECT_LE(two[i].size(), 2u);
    EXPECT_FALSE(llvm::is_contained(two[i], 1u));
    EXPECT_LE(lanes(two[i ? i - 1 : 0]), lanes(two[i])); // the cheap ones first
  }
}

/// One loop of a nest is left, and no more iterations are joined than may run side by side.
TEST(Synthesis, SearchesInnermostLoopsAsAWhole) {
  EXPECT_EQ(wholeLoops({{26, 26, 3, 3}}), (std::set<uint64_t>{3, 9, 234}));
  EXPECT_EQ(wholeLoops({{241, 16}, {7, 1}, {5}}), (std::set<uint64_t>{16}));
  EXPECT_EQ(wholeLoops({{2, 1000, 4}}), (std::set<uint64_t>{4}));
}

TEST(Synthesis, SearchesAsManyAsThereMayBeUnits) {
  EXPECT_EQ(mostSearched({}), 8u);
  EXPECT_EQ(mostSearched({{"mulf_f32", 3}, {"addf_f32", 12}}), 12u);
  EXPECT_EQ(mostSearched({{"mulf_f32", 100000}}), kMostUnroll);
}

} // namespace
