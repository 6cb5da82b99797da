// Rows that iterations fill and read: expanded where that is right, and the results stay.
#include "hw/hls/Passes.h"
#include "tests/hls/loops/RandomKernels.h"

#include "core/support/CounterRandom.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;
using namespace mlir;

namespace {

template <typename... Parts> std::string text(const char *format, Parts &&...parts) {
  return llvm::formatv(format, std::forward<Parts>(parts)...).str();
}

/// A row of 12 words, of the caller or local, that each iteration of one or two loops fills, may
/// change again and reads, all over ranges that do not always fit together.
class RowKernel {
public:
  explicit RowKernel(uint64_t seed) : random(seed) {}

  std::string write() {
    bool isLocal = random.below(2) == 0;
    std::string kernel = "func.func @kernel(%A: memref<5x5x12xf32>, %R: memref<12xf32>) {\n"
                         "  %zero = arith.constant 0.0 : f32\n";
    if (isLocal)
      kernel += "  %row = memref.alloc() : memref<12xf32>\n" + loop("f", 0, 12) +
                "    affine.store %zero, %row[%f] : memref<12xf32>\n  }\n";
    row = isLocal ? "%row" : "%R";
    kernel += header("i") + (random.below(2) ? header("j") : "  affine.for %j = 0 to 1 {\n");
    int64_t from = random.below(3), to = 7 + random.below(4);
    kernel += fill(from, to);
    if (random.below(2))
      kernel += change(from, to);
    kernel += read(from, to);
    return kernel + "  }\n  }\n  return\n}\n";
  }

private:
  static std::string loop(const char *iv, int64_t from, int64_t to) {
    return text("  affine.for %{0} = {1} to {2} {{\n", iv, from, to);
  }
  std::string header(const char *iv) {
    static const int64_t trips[] = {0, 1, 2, 3, 4};
    int64_t from = random.below(2);
    return loop(iv, from, from + trips[random.below(5)]);
  }
  std::string fill(int64_t from, int64_t to) {
    int64_t shift = random.below(2);
    std::string guard =
        random.below(6) ? "" : "    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%p) {\n";
    return loop("p", from, to) + guard +
           text("    %x = affine.load %A[%i, %j, %p] : memref<5x5x12xf32>\n"
                "    affine.store %x, {0}[%p + {1}] : memref<12xf32>\n",
                row, shift) +
           (guard.empty() ? "  }\n" : "    }\n  }\n");
  }
  /// A sum over a triangle or a rectangle, or shifted words.
  std::string change(int64_t from, int64_t to) {
    std::string inner = random.below(2) ? "  affine.for %t = 0 to 4 {\n"
                                        : "  affine.for %t = 0 to affine_map<(d0) -> (d0)>(%q) {\n";
    return loop("q", from + random.below(2), to - random.below(2)) + inner +
           text("    %o = affine.load {0}[%q] : memref<12xf32>\n"
                "    %y = affine.load %A[%j, %i, %t] : memref<5x5x12xf32>\n"
                "    %n = arith.addf %o, %y : f32\n"
                "    affine.store %n, {0}[%q + {1}] : memref<12xf32>\n  }\n  }\n",
                row, int64_t(random.below(5) == 0));
  }
  std::string read(int64_t from, int64_t to) {
    bool isWider = random.below(5) == 0;
    int64_t first = isWider ? std::max<int64_t>(from - 1, 0) : from, behind = to + isWider;
    std::string subscript = random.below(3) ? "%u" : text("{0} - %u", first + behind - 1);
    return loop("u", first, behind) +
           text("    %z = affine.load {0}[{1}] : memref<12xf32>\n"
                "    affine.store %z, %A[%i, %j, %u] : memref<5x5x12xf32>\n  }\n",
                row, subscript);
  }

  CounterRandom random;
  std::string row;
};

TEST(ExpandArrays, RandomRowsKeepTheirResults) {
  registerHlsPasses();
  unsigned expanded = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    std::string kernel = RowKernel(seed).write();
    SCOPED_TRACE(kernel);
    OwningOpRef<ModuleOp> after =
        expectPipelineKeepsResults(kernel, "hls-expand-arrays,hls-fission-loops", seed);
    if (HasFatalFailure())
      return;
    ASSERT_TRUE(after);
    after->walk([&](memref::AllocOp alloc) { expanded += alloc.getType().getRank() > 1; });
  }
  EXPECT_GT(expanded, 20u);
  EXPECT_LT(expanded, 100u);
}

TEST(ExpandArrays, RandomKernelsKeepTheirResults) {
  registerHlsPasses();
  for (uint64_t seed = 500; seed < 540; ++seed)
    expectPipelineKeepsResults(randomKernel(seed), "hls-expand-arrays", seed);
}

} // namespace
