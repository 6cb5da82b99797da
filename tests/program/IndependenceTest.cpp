// Whether a run finds out that a loop is not as independent as is said of it.
#include "core/support/CounterRandom.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

constexpr int64_t kOuter = 3, kInner = 5, kWords = 40;
const ElementType word32{ElementType::Kind::Integer, 32};

/// Each iteration reads x where p says, and writes where q says; then y, everything the other way.
std::string program(bool isInner, const std::string &claim, bool isAffine) {
  std::string inner = isInner ? claim : "", outer = isInner ? "" : claim;
  std::string head =
      isAffine ? "affine.for %{0} = 0 to {1} {{\n" : "scf.for %{0} = %zero to %{0}s step %one {{\n";
  return fmt::format(
      R"(func.func @f(%x: memref<5x8xi32>, %y: memref<40xi32>, %p: memref<3x5xindex>, %q: memref<3x5xindex>) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %os = arith.constant 3 : index
  %is = arith.constant 5 : index
  %eight = arith.constant 8 : index
  {}  {}    %a = memref.load %p[%o, %i] : memref<3x5xindex>
    %b = memref.load %q[%o, %i] : memref<3x5xindex>
    %ar = arith.divui %a, %eight : index
    %ac = arith.remui %a, %eight : index
    %br = arith.divui %b, %eight : index
    %bc = arith.remui %b, %eight : index
    %v = memref.load %x[%ar, %ac] : memref<5x8xi32>
    memref.store %v, %x[%br, %bc] : memref<5x8xi32>
    func.call @other(%y, %a, %b) : (memref<40xi32>, index, index) -> ()
  }} {}
  }} {}
  return
}}
func.func @other(%y: memref<40xi32>, %a: index, %b: index) {{
  %w = memref.load %y[%b] : memref<40xi32>
  memref.store %w, %y[%a] : memref<40xi32>
  return
}}
)",
      fmt::format(fmt::runtime(head), "o", 3), fmt::format(fmt::runtime(head), "i", 5), inner,
      outer);
}

struct Touch {
  int64_t run, iteration, array, word;
  bool isWrite;
};

std::vector<Touch> touchesOf(const std::vector<int64_t> &p, const std::vector<int64_t> &q,
                             bool isInner) {
  std::vector<Touch> touches;
  for (int64_t o = 0; o < kOuter; ++o)
    for (int64_t i = 0; i < kInner; ++i) {
      int64_t run = isInner ? o : 0, iteration = isInner ? i : o;
      auto a = p[size_t(o * kInner + i)], b = q[size_t(o * kInner + i)];
      touches.insert(touches.end(), {{run, iteration, 0, a, false},
                                     {run, iteration, 0, b, true},
                                     {run, iteration, 1, b, false},
                                     {run, iteration, 1, a, true}});
    }
  return touches;
}

std::string runError(const std::string &text, const std::vector<int64_t> &p,
                     const std::vector<int64_t> &q) {
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
  ElementType index{ElementType::Kind::Index, 64};
  auto values = runGolden(
      *module, "f",
      {{makeArray(word32, {5, 8}), makeArray(word32, {kWords}),
        makeIntegers(index, {kOuter, kInner}, p), makeIntegers(index, {kOuter, kInner}, q)},
       {}});
  return values ? "" : toText(values.takeError());
}

TEST(Independence, IsCheckedAsTheProgramRuns) {
  CounterRandom random(3);
  unsigned refused = 0;
  for (int round = 0; round < 120 && !HasFailure(); ++round) {
    bool isInner = random.below(2) == 0, isAffine = random.below(2) == 0;
    unsigned said = random.below(3); // of x, of y, of all
    std::string claim = said < 2 ? fmt::format("<[{}]>", said) : "";
    std::vector<int64_t> p, q;
    for (int64_t n = 0; n < kOuter * kInner; ++n) {
      int64_t own = isInner ? n % kInner : n / kInner; // often the iteration's own words
      auto any = [&] {
        return random.below(20) == 0 ? int64_t(random.below(kWords))
                                     : own * 8 + int64_t(random.below(8));
      };
      p.push_back(any());
      q.push_back(any());
    }
    std::string text =
        program(isInner, "{hls.independent = #hls.independent" + claim + "}", isAffine);
    SCOPED_TRACE(text);
    std::vector<std::string> possible;
    std::vector<Touch> touches = touchesOf(p, q, isInner);
    for (const Touch &first : touches)
      for (const Touch &second : touches)
        if (first.run == second.run && first.iteration < second.iteration &&
            first.array == second.array && first.word == second.word &&
            (first.isWrite || second.isWrite) && (said == 2 || first.array == int64_t(said)))
          possible.push_back(fmt::format(
              "error: iterations {} and {} of the loop touch {}, which one of them writes, but "
              "hls.independent says that they do not meet: take it off, or correct the program",
              first.iteration, second.iteration,
              first.array == 0 ? fmt::format("arg0[{}, {}]", first.word / 8, first.word % 8)
                               : fmt::format("arg0 of 'other'[{}]", first.word)));
    std::string found = runError(text, p, q);
    refused += !found.empty();
    ASSERT_EQ(found.empty(), possible.empty()) << found;
    if (found.empty())
      continue;
    EXPECT_THAT(found, StartsWith(isInner ? "f.mlir:8:3: " : "f.mlir:7:3: "));
    bool isKnown = llvm::any_of(
        possible, [&](const std::string &one) { return llvm::StringRef(found).ends_with(one); });
    EXPECT_TRUE(isKnown) << found;
  }
  EXPECT_GT(refused, 20u);
  EXPECT_LT(refused, 100u);
}

/// An array of its own in each iteration is none that two of them touch.
TEST(Independence, IsNotBrokenByArraysOfAnIteration) {
  EXPECT_EQ(
      runError(
          R"(func.func @f(%x: memref<5x8xi32>, %y: memref<40xi32>, %p: memref<3x5xindex>, %q: memref<3x5xindex>) {
  affine.for %i = 0 to 5 {
    %t = memref.alloc() : memref<2xi32>
    %v = affine.load %x[%i, 0] : memref<5x8xi32>
    affine.store %v, %t[0] : memref<2xi32>
    %w = affine.load %t[0] : memref<2xi32>
    affine.store %w, %y[%i] : memref<40xi32>
  } {hls.independent = #hls.independent}
  return
}
)",
          std::vector<int64_t>(15), std::vector<int64_t>(15)),
      "");
}

} // namespace
