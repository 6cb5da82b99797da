// Elements that kernels surely store, against going through the loops of random ones.
#include "core/support/CounterRandom.h"
#include "dialects/system/ArrayUse.h"
#include "hw/program/ProgramFile.h"
#include "tests/system/SystemFolder.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <set>

using namespace spindle;
using namespace spindle::system;

namespace {

constexpr int64_t kRows = 5, kColumns = 8;

struct RandomKernel {
  std::string text;
  std::set<int64_t> stored; // that it stores
  bool isSure = true;       // each loop decides on one dimension, and nothing is conditional
};

/// A subscript as its factors of two loop variables and what is added.
struct Subscript {
  int64_t ofFirst, ofSecond, added;
  std::string text() const {
    return fmt::format("%i * {} + %j * {} + {}", ofFirst, ofSecond, added);
  }
  int64_t at(int64_t i, int64_t j) const { return i * ofFirst + j * ofSecond + added; }
};

void addStore(RandomKernel &kernel, CounterRandom &random) {
  int64_t first = random.below(2), firstEnd = first + 1 + random.below(3),
          step = 1 + random.below(2), second = random.below(2),
          secondEnd = second + 1 + random.below(3);
  Subscript row{1, 0, random.below(2)}, column{0, 1 + random.below(2), random.below(2)};
  switch (random.below(6)) {
  case 0: // the other way round
    std::swap(row.ofFirst, row.ofSecond);
    std::swap(column.ofFirst, column.ofSecond);
    break;
  case 1: // one loop for both
    column = {1, 0, 1};
    kernel.isSure = false;
    break;
  case 2: // two loops for one
    row = {0, 0, random.below(5)};
    column = {1, 1, 0};
    kernel.isSure = false;
    break;
  case 3: // one element of each row
    column = {0, 0, random.below(8)};
  }
  bool isConditional = random.below(4) == 0;
  kernel.isSure &= !isConditional;
  kernel.text += fmt::format("affine.for %i = {} to {} step {} {{\naffine.for %j = {} to {} {{\n",
                             first, firstEnd, step, second, secondEnd);
  if (isConditional)
    kernel.text += "affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {\n";
  kernel.text += fmt::format("affine.store %x, %a[{}, {}] : memref<5x8xi32>\n}}\n}}\n{}",
                             row.text(), column.text(), isConditional ? "}\n" : "");
  for (int64_t i = first; i < firstEnd; i += step)
    for (int64_t j = second; j < secondEnd; ++j)
      if (int64_t r = row.at(i, j), c = column.at(i, j); !isConditional || i >= 1) {
        ASSERT_TRUE(r < kRows && c < kColumns) << kernel.text;
        kernel.stored.insert(r * kColumns + c);
      }
}

TEST(StoredElements, AreThoseOfGoingThroughTheLoops) {
  std::unique_ptr<mlir::MLIRContext> context = hls::makeSystemContext();
  CounterRandom random(5);
  unsigned sure = 0;
  for (unsigned n = 0; n < 300; ++n) {
    RandomKernel kernel{"system.module @m {\nsystem.func @k(%a: memref<5x8xi32>, %x: i32) {\n", {}};
    for (unsigned stores = 1 + random.below(3); stores > 0; --stores)
      addStore(kernel, random);
    kernel.text += "system.return\n}\n}\n";
    auto module = llvm::cantFail(hls::parseProgram(*context, kernel.text, "kernel.mlir"));
    llvm::BitVector marked(kRows * kColumns, false);
    module->walk([&](system::FuncOp of) { markStored(of, 0, /*byInput=*/false, marked); });
    for (int64_t element = 0; element < kRows * kColumns; ++element) {
      bool isMarked = marked.test(unsigned(element)), isStored = kernel.stored.count(element);
      EXPECT_TRUE(isMarked == isStored || (!kernel.isSure && isStored)) << kernel.text << element;
    }
    sure += kernel.isSure;
  }
  EXPECT_GT(sure, 50u);
}

} // namespace
