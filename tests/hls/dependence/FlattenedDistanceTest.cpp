// Distances against all pairs of executions of random nests, and against closed forms.
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"
#include "tests/hls/dependence/RandomNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

using namespace mlir;
using Distances = std::map<std::pair<size_t, size_t>, int64_t>;

struct FlattenedDistanceTest : testing::Test {
  FlattenedDistanceTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect>();
  }

  /// The first loop at `depth` of the function in `text`.
  affine::AffineForOp parse(const std::string &text, size_t depth = 0) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    affine::AffineForOp found;
    module->walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
      if (loopsAround(loop).size() == depth && !found)
        found = loop;
    });
    return found;
  }

  static Distances byIndex(affine::AffineForOp nest, ArrayRef<MemoryDependence> dependences) {
    std::map<Operation *, size_t> index;
    for (auto [a, access] : llvm::enumerate(accessesIn(nest)))
      index[access.op] = a;
    Distances distances;
    for (const MemoryDependence &dependence : dependences)
      distances[{index[dependence.from], index[dependence.to]}] = dependence.distance;
    return distances;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(FlattenedDistanceTest, ReductionOverTheMiddleLoopIsOneRowAway) {
  auto nest = parse(R"(func.func @f(%c: memref<20x25xf64>, %v: f64) {
    affine.for %i = 0 to 20 { affine.for %k = 0 to 30 { affine.for %j = 0 to 25 {
      %x = affine.load %c[%i, %j] : memref<20x25xf64>
      affine.store %x, %c[%i, %j] : memref<20x25xf64>
    } } } return })");
  Distances expected = {{{0, 1}, 0}, {{1, 0}, 25}, {{1, 1}, 25}};
  EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1'000'000)), expected);
  EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
  EXPECT_EQ(countIterations(nest)->iterations, 15000u);
}

/// Lanes of an unrolled loop meet themselves alone, however many there are.
TEST_F(FlattenedDistanceTest, LanesDoNotMeet) {
  for (size_t lanes : {40, 1100}) {
    size_t columns = 4 * lanes;
    std::string array = "memref<3x" + std::to_string(columns) + "xf64>";
    std::string text = "func.func @f(%c: " + array + ") {\n" +
                       "affine.for %i = 0 to 3 { affine.for %k = 0 to 2 { affine.for %j = 0 to 4 {";
    Distances expected;
    for (size_t lane = 0; lane < lanes; ++lane) {
      std::string n = std::to_string(lane);
      std::string word = "%c[%i, %j * " + std::to_string(lanes) + " + " + n + "] : " + array;
      text += "\n%x" + n + " = affine.load " + word + "\naffine.store %x" + n + ", " + word;
      expected[{2 * lane, 2 * lane + 1}] = 0;
      expected[{2 * lane + 1, 2 * lane}] = expected[{2 * lane + 1, 2 * lane + 1}] = 4;
    }
    auto nest = parse(text + "\n} } } return }");
    EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1'000'000)), expected);
    EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
  }
}

TEST_F(FlattenedDistanceTest, TriangleInsideIsCountedWhole) {
  auto nest = parse(R"(func.func @f(%c: memref<30x30xf64>, %v: f64) {
    affine.for %k = 0 to 20 { affine.for %i = 0 to 30 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %c[%i, %j] : memref<30x30xf64>
      affine.store %x, %c[%i, %j] : memref<30x30xf64>
    } } } return })");
  Distances expected = {{{0, 1}, 0}, {{1, 0}, 465}, {{1, 1}, 465}};
  EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1'000'000)), expected);
  EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
}

TEST_F(FlattenedDistanceTest, RunsOfATriangleAreCounted) {
  auto nest = parse(R"(func.func @f() {
    affine.for %i = 0 to 5 { affine.for %k = 0 to 3 {
      affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) { }
    } } return })",
                    1);
  std::optional<NestRuns> runs = countIterations(nest);
  EXPECT_EQ(runs->runs, 5u);
  EXPECT_EQ(runs->longest, 12u);
  EXPECT_EQ(runs->iterations, 3u * (1 + 1 + 2 + 3 + 4)) << "the empty row is a bubble";
}

TEST_F(FlattenedDistanceTest, ShortestRowOfATriangleLimits) {
  std::string text = R"(func.func @f(%c: memref<30x30xf64>, %v: f64) {
    affine.for %i = 0 to 30 { affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %c[%i, %j] : memref<30x30xf64>
      affine.store %x, %c[%i, %j] : memref<30x30xf64>
    }ATTRIBUTE } } return })";
  auto with = [&](const std::string &attribute) {
    std::string changed = text;
    changed.replace(changed.find("ATTRIBUTE"), 9, attribute);
    return parse(changed);
  };
  for (auto [attribute, distance] : {std::pair("", 1), {" {hls.at_least = 8 : i64}", 8}}) {
    auto nest = with(attribute);
    Distances expected = {{{0, 1}, 0}, {{1, 0}, distance}, {{1, 1}, distance}};
    EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1'000'000)), expected) << attribute;
    EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected) << attribute;
  }
}

TEST_F(FlattenedDistanceTest, BoundsFromArgumentsAndBigNestsAreMinimised) {
  auto nest = parse(R"(func.func @f(%c: memref<9000x9000xf64>, %n: index) {
    affine.for %i = 1 to 9000 { affine.for %j = 0 to %n {
      %x = affine.load %c[%i - 1, %j] : memref<9000x9000xf64>
      affine.store %x, %c[%i, %j] : memref<9000x9000xf64>
    } } return })");
  // Rows have at least one iteration; nothing more is known.
  EXPECT_EQ(byIndex(nest, nestDependences(nest)), (Distances{{{1, 0}, 1}}));
  nest = parse(R"(func.func @f(%c: memref<9000x9000xf64>) {
    affine.for %i = 1 to 9000 { affine.for %j = 0 to 9000 {
      %x = affine.load %c[%i - 1, %j] : memref<9000x9000xf64>
      affine.store %x, %c[%i, %j] : memref<9000x9000xf64>
    } } return })");
  EXPECT_EQ(byIndex(nest, nestDependences(nest)), (Distances{{{1, 0}, 9000}}));
}

TEST_F(FlattenedDistanceTest, AddressesFromDataDependOnTheirNeighbours) {
  auto nest = parse(R"(func.func @f(%c: memref<9xf64>, %p: memref<9xindex>) {
    affine.for %i = 0 to 9 {
      %k = affine.load %p[%i] : memref<9xindex>
      %x = memref.load %c[%k] : memref<9xf64>
      affine.store %x, %c[%i] : memref<9xf64>
    } return })");
  Distances expected = {{{1, 2}, 0}, {{2, 1}, 1}};
  EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1000)), expected);
  EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
}

TEST_F(FlattenedDistanceTest, BranchesOfOneConditionNeverMeet) {
  auto nest = parse(R"(func.func @f(%c: memref<9xf64>, %v: f64) {
    affine.for %i = 0 to 9 {
      affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
        affine.store %v, %c[%i - 4] : memref<9xf64>
      } else {
        affine.store %v, %c[%i] : memref<9xf64>
      }
    } return })");
  Distances expected = {{{1, 0}, 4}};
  EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1000)), expected);
  EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
}

/// What an unrolled body looks like: lanes that differ in constants. Lane p of the store meets lane
/// q of the load where 3 i + p = 3 (i' + s) + q, so only lanes of p - q = 0 modulo 3.
TEST_F(FlattenedDistanceTest, LanesMeetTheirOwnKindOnly) {
  auto nest = parse(R"(func.func @f(%c: memref<12x40xf64>, %v: f64) {
    affine.for %k = 0 to 2 { affine.for %i = 0 to 4 { affine.for %j = 0 to 5 {
      %0 = affine.load %c[%i * 3, %j + 1] : memref<12x40xf64>
      %1 = affine.load %c[%i * 3 + 1, %j + 4] : memref<12x40xf64>
      affine.store %0, %c[%i * 3, %j] : memref<12x40xf64>
      affine.store %1, %c[%i * 3 + 1, %j + 3] : memref<12x40xf64>
      affine.store %v, %c[%i * 3 + 2, 7] : memref<12x40xf64>
    } } } return })");
  // A load is one column ahead of its store; a word is stored again a round of 20 later.
  Distances expected = {{{0, 2}, 1},  {{1, 3}, 1},  {{2, 0}, 19}, {{3, 1}, 19},
                        {{2, 2}, 20}, {{3, 3}, 20}, {{4, 4}, 1}};
  EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 1000)), expected);
  EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
}

/// Neither their bounds nor how many they are stands in the way.
TEST_F(FlattenedDistanceTest, ReadsOfWhatNobodyWritesAreNoMatter) {
  auto nest = parse(R"(func.func @f(%a: memref<?x?xf64>, %c: memref<6xf64>, %p: index) {
    affine.for %k = 0 to 3 { affine.for %i = 0 to 6 {
      %0 = affine.load %a[%k + 100, %i] : memref<?x?xf64>
      %1 = affine.load %c[%i] : memref<6xf64>
      %2 = affine.load %a[symbol(%p), %i] : memref<?x?xf64>
      affine.store %0, %c[%i] : memref<6xf64>
    } } return })");
  Distances expected = {{{1, 3}, 0}, {{3, 1}, 6}, {{3, 3}, 6}};
  EXPECT_EQ(byIndex(nest, *enumerateDependences(nest, 100)), expected);
  EXPECT_EQ(byIndex(nest, minimizeDependences(nest)), expected);
  EXPECT_FALSE(enumerateDependences(nest, 71)); // they count as executed: 18 times four
}

TEST_F(FlattenedDistanceTest, EnumerationIsAllPairsOfExecutions) {
  std::mt19937 random(1);
  for (int n = 0; n < 300; ++n) {
    RandomNest spec = RandomNest::make(random, n % 2, n % 3 == 0);
    auto nest = parse(spec.text(), spec.control);
    auto found = enumerateDependences(nest, 1'000'000);
    ASSERT_TRUE(found) << spec.text();
    EXPECT_EQ(byIndex(nest, *found), spec.distances()) << spec.text();
  }
}

TEST_F(FlattenedDistanceTest, MinimisingNeverExceedsTheTruthAndMeetsItForRectangles) {
  std::mt19937 random(2);
  int pairs = 0, exact = 0;
  for (int n = 0; n < 400; ++n) {
    bool triangular = n % 2;
    RandomNest spec = RandomNest::make(random, triangular, n % 3 == 0);
    auto nest = parse(spec.text(), spec.control);
    Distances found = byIndex(nest, minimizeDependences(nest)), truth = spec.distances();
    if (!triangular) {
      EXPECT_EQ(found, truth) << spec.text();
    }
    for (auto [pair, distance] : truth) {
      ASSERT_TRUE(found.count(pair)) << spec.text();
      EXPECT_LE(found[pair], distance) << spec.text();
      ++pairs;
      exact += found[pair] == distance;
    }
  }
  EXPECT_GT(exact, pairs * 3 / 4) << pairs;
}

} // namespace
} // namespace spindle::hls
