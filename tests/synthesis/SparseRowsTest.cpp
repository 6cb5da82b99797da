// A sparse matrix in compressed rows times a vector, as written: rows of any length, empty ones
// too, in one pipeline.
#include "hw/synthesis/Synthesis.h"

#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <random>

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr int64_t kRows = 32, kColumns = 24;

/// y = A x; with `inMemory` the sums are kept in y, as C has them.
std::string productText(const std::string &type, int64_t nonZeros, bool inMemory) {
  bool isFloat = type[0] == 'f';
  if (inMemory)
    return fmt::format(R"(
func.func @csr(%ends: memref<{0}xi32>, %columns: memref<{1}xi32>, %values: memref<{1}x{3}>, %x: memref<{2}x{3}>, %y: memref<{4}x{3}>) {{
  %c1 = arith.constant 1 : index
  %zero = arith.constant {5} : {3}
  affine.for %i = 0 to {4} {{
    affine.store %zero, %y[%i] : memref<{4}x{3}>
    %begin = affine.load %ends[%i] : memref<{0}xi32>
    %end = affine.load %ends[%i + 1] : memref<{0}xi32>
    %from = arith.index_cast %begin : i32 to index
    %to = arith.index_cast %end : i32 to index
    scf.for %k = %from to %to step %c1 {{
      %v = memref.load %values[%k] : memref<{1}x{3}>
      %c = memref.load %columns[%k] : memref<{1}xi32>
      %column = arith.index_cast %c : i32 to index
      %xv = memref.load %x[%column] : memref<{2}x{3}>
      %p = arith.{6} %v, %xv : {3}
      %s = memref.load %y[%i] : memref<{4}x{3}>
      %n = arith.{7} %s, %p : {3}
      memref.store %n, %y[%i] : memref<{4}x{3}>
    }}
  }}
  return
}})",
                       kRows + 1, std::max<int64_t>(nonZeros, 1), kColumns, type, kRows,
                       isFloat ? "0.0" : "0", isFloat ? "mulf" : "muli", isFloat ? "addf" : "addi");
  return fmt::format(R"(
func.func @csr(%ends: memref<{0}xi32>, %columns: memref<{1}xi32>, %values: memref<{1}x{3}>, %x: memref<{2}x{3}>, %y: memref<{4}x{3}>) {{
  %c1 = arith.constant 1 : index
  %zero = arith.constant {5} : {3}
  affine.for %i = 0 to {4} {{
    %begin = affine.load %ends[%i] : memref<{0}xi32>
    %end = affine.load %ends[%i + 1] : memref<{0}xi32>
    %from = arith.index_cast %begin : i32 to index
    %to = arith.index_cast %end : i32 to index
    %sum = scf.for %k = %from to %to step %c1 iter_args(%s = %zero) -> ({3}) {{
      %c = memref.load %columns[%k] : memref<{1}xi32>
      %column = arith.index_cast %c : i32 to index
      %v = memref.load %values[%k] : memref<{1}x{3}>
      %xv = memref.load %x[%column] : memref<{2}x{3}>
      %p = arith.{6} %v, %xv : {3}
      %n = arith.{7} %s, %p : {3}
      scf.yield %n : {3}
    }}
    affine.store %sum, %y[%i] : memref<{4}x{3}>
  }}
  return
}})",
                     kRows + 1, std::max<int64_t>(nonZeros, 1), kColumns, type, kRows,
                     isFloat ? "0.0" : "0", isFloat ? "mulf" : "muli", isFloat ? "addf" : "addi");
}

/// Ends of rows, columns, values and x of a random matrix.
std::vector<KernelArray> matrix(const Golden &golden, int64_t nonZeros, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int64_t> ends(kRows + 1, 0);
  for (int64_t n = 0; n < nonZeros; ++n)
    ++ends[1 + random() % kRows];
  for (int64_t row = 0; row < kRows; ++row)
    ends[row + 1] += ends[row];
  std::vector<KernelArray> arguments;
  for (const GoldenType &type : golden.arguments()) {
    size_t index = arguments.size();
    std::vector<double> floats;
    std::vector<int64_t> integers;
    for (size_t element = 0; element < makeArray(type.type, type.shape).count(); ++element) {
      floats.push_back(double(random() % 2048) / 64 - 16);
      integers.push_back(index == 0   ? ends[element]
                         : index == 1 ? int64_t(random() % kColumns)
                                      : int64_t(random() % 2001) - 1000);
    }
    arguments.push_back(type.type.isFloat() ? makeFloats(type.type, type.shape, floats)
                                            : makeIntegers(type.type, type.shape, integers));
  }
  return arguments;
}

struct Measured {
  uint64_t cycles;
  bool isRight;
};

Measured runProduct(const std::string &type, int64_t nonZeros, uint64_t seed, bool flattens,
                    bool inMemory) {
  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  auto program =
      llvm::cantFail(parseProgram(*context, productText(type, nonZeros, inMemory), "csr.mlir"));
  SynthesisOptions options;
  options.loops.unroll = {1};
  if (!flattens)
    options.loops.without.insert("rows");
  Target target = llvm::cantFail(readTarget(kDefaultTarget));
  Synthesis made = llvm::cantFail(synthesize(*program, target, options));
  EXPECT_FALSE(made.interface.predictedCycles);
  Golden golden = llvm::cantFail(Golden::compile(*program, "csr"));
  std::vector<KernelArray> inputs = matrix(golden, nonZeros, seed);
  Values expected = llvm::cantFail(golden.run(inputs));
  Interpretation found = llvm::cantFail(interpret(made.kernel, inputs, {}));
  return {found.cycles, found.values.arguments == expected.arguments};
}

TEST(SparseRows, TakeACycleForEachElement) {
  for (bool inMemory : {false, true})
    for (uint64_t seed : {1, 2}) {
      Measured integers = runProduct("i32", 160, seed, true, inMemory);
      EXPECT_TRUE(integers.isRight);
      EXPECT_LE(integers.cycles, 260u);
      // A sum waits four cycles for the one before.
      Measured floats = runProduct("f32", 160, seed, true, inMemory);
      EXPECT_TRUE(floats.isRight);
      EXPECT_LE(floats.cycles, 750u);
    }
}

TEST(SparseRows, AreRightWhateverTheirLengths) {
  for (bool flattens : {true, false})
    for (int64_t nonZeros : {0, 1, 7, 40, 300})
      EXPECT_TRUE(
          runProduct(nonZeros % 2 ? "f32" : "i32", nonZeros, 11, flattens, nonZeros > 5).isRight)
          << nonZeros;
}

} // namespace
