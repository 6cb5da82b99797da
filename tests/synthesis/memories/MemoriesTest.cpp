// Constant arrays, small ones and windows through the whole line: what the program computes, in the
// cycles that were predicted.
#include "tests/synthesis/memories/RandomMemories.h"

#include "tests/hls/lower/ScheduledKernel.h"
#include "tests/synthesis/SynthesizedKernel.h"

#include "core/support/files/File.h"
#include "hw/hls/lower/rtl/CarriedAddresses.h"
#include "hw/program/ProgramFile.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

using Made = SynthesizedKernel;

/// In the interpreter, and in the simulation of the circuit.
void expectRight(const std::string &text, uint64_t seed, std::vector<uint64_t> unroll,
                 bool runsCircuit, std::set<std::string> without = {}) {
  SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
  Made made(text, std::move(unroll), std::move(without));
  ASSERT_FALSE(testing::Test::HasFailure());
  EXPECT_TRUE(made.synthesis.interface.predictedCycles);
  const Golden &golden = made.golden();
  expectSynthesizedRight(made, randomArguments(golden, seed), randomArguments(golden, seed + 1),
                         runsCircuit);
}

TEST(Memories, ComputeWhatRandomProgramsDo) {
  constexpr uint64_t factors[] = {1, 2, 4, 8};
  for (uint64_t seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
    std::string program = randomMemories(seed);
    bool hasModels = program.find("f32") == std::string::npos; // of the units
    expectRight(program, seed, {factors[seed % 4]}, seed % 2 == 0 && hasModels);
  }
}

/// `rows` x `columns` weights times `batch` vectors; the weights constants or an argument.
std::string dense(unsigned batch, unsigned rows, unsigned columns, bool isConstant) {
  std::string weights = fmt::format("memref<{}x{}xi32>", rows, columns), values;
  for (unsigned n = 0; n < rows * columns; ++n)
    values += fmt::format("{:08X}", (n * 2654435761u) ^ (n << 7));
  std::string text =
      isConstant ? fmt::format("memref.global \"private\" constant @w : {} = dense<\"0x{}\">\n",
                               weights, values)
                 : "";
  text += fmt::format("func.func @kernel(%x: memref<{0}x{1}xi32>, %y: memref<{0}x{2}xi32>{3}) {{\n",
                      batch, rows, columns, isConstant ? "" : ", %w: " + weights);
  if (isConstant)
    text += fmt::format("  %w = memref.get_global @w : {}\n", weights);
  return text + fmt::format(R"(  affine.for %t = 0 to {0} {{
    affine.for %j = 0 to {2} {{
      affine.for %k = 0 to {1} {{
        %a = affine.load %x[%t, %k] : memref<{0}x{1}xi32>
        %b = affine.load %w[%k, %j] : {3}
        %c = affine.load %y[%t, %j] : memref<{0}x{2}xi32>
        %p = arith.muli %a, %b : i32
        %s = arith.addi %c, %p : i32
        affine.store %s, %y[%t, %j] : memref<{0}x{2}xi32>
      }}
    }}
  }}
  return
}}
)",
                            batch, rows, columns, weights);
}

/// No copies at run time, and no port that arguments would not have.
TEST(Memories, ConstantWeightsAreAsFastAsArguments) {
  for (uint64_t lanes : {1, 4, 16, 64}) {
    Made constant(dense(2, 32, 64, true), {lanes}), argument(dense(2, 32, 64, false), {lanes});
    EXPECT_LE(double(constant.cycles()), 1.02 * double(argument.cycles())) << lanes;
  }
  expectRight(dense(2, 8, 16, true), 1, {16}, true);
}

/// A table that several lanes look up is there several times.
TEST(Memories, ConstantTablesAreCopiedForMorePorts) {
  std::string program = "memref.global \"private\" constant @t : memref<256xi16> = dense<\"0x";
  for (unsigned n = 0; n < 256; ++n)
    program += fmt::format("{:04X}", (n * 40503u) & 0xffff);
  program += R"(">
func.func @kernel(%x: memref<64xi8>, %y: memref<64xi16>) {
  %t = memref.get_global @t : memref<256xi16>
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xi8>
    %k = arith.index_castui %a : i8 to index
    %v = memref.load %t[%k] : memref<256xi16>
    affine.store %v, %y[%i] : memref<64xi16>
  }
  return
}
)";
  Made eight(program, {8});
  EXPECT_LT(eight.cycles(), 20u);
  EXPECT_EQ(llvm::count_if(eight.synthesis.kernel.getOps<MemoryOp>(),
                           [](MemoryOp memory) { return bool(memory.getInitial()); }),
            4);
  expectRight(program, 1, {8}, true);
}

int64_t multipliersOf(const Made &made) {
  KernelOp kernel = made.synthesis.kernel;
  return llvm::count_if(kernel.getOps<UnitOp>(),
                        [](UnitOp unit) { return unit.getSymName().starts_with("muli"); });
}

/// A program of tests/kernels/programs, its function called as those of all tests here.
std::string programOf(const std::string &file, const std::string &function) {
  std::string text = llvm::cantFail(readFile("tests/kernels/programs/" + file + ".mlir"));
  return text.replace(text.find("@" + function), function.size() + 1, "@kernel");
}

/// With `marks` the loops of the window are to be unrolled.
std::string convolution(bool marks) {
  std::string program = programOf("conv3x3_i16", "convolution");
  for (unsigned indent : {8, 6})
    if (marks) {
      std::string end = "\n" + std::string(indent, ' ') + "}";
      program.insert(program.find(end + "\n") + end.size(), " {hls.unroll = 0 : i64}");
    }
  return program;
}

/// The filter reads a sample per iteration, and the taps wait in registers: no array inside.
TEST(Memories, AFilterHasAShiftRegister) {
  std::string program = programOf("fir_i16", "filter");
  Made made(program, {16});
  EXPECT_LE(made.cycles(), 280u);
  EXPECT_EQ(multipliersOf(made), 16);
  for (MemoryOp memory : made.synthesis.kernel.getOps<MemoryOp>())
    EXPECT_TRUE(memory.getArgument() || memory.getRegisters());
  expectRight(program, 1, {16}, true);
}

/// Two lines of the image wait in LUT RAM.
TEST(Memories, AConvolutionHasLineBuffers) {
  std::string program = convolution(true);
  Made made(program, {1});
  EXPECT_LE(made.cycles(), 800u);
  EXPECT_EQ(multipliersOf(made), 9);
  unsigned lines = 0;
  for (MemoryOp memory : made.synthesis.kernel.getOps<MemoryOp>())
    lines += memory.getDistributed();
  EXPECT_EQ(lines, 2u);
  expectRight(program, 1, {1}, true);
}

/// Nobody says which loops, in which order: the search comes to the same circuits.
TEST(Memories, TheSearchFindsWindows) {
  Made filter(programOf("fir_i16", "filter"), {});
  EXPECT_LE(filter.cycles(), 280u);
  EXPECT_EQ(multipliersOf(filter), 16);
  ASSERT_TRUE(filter.synthesis.interface.estimate);
  EXPECT_LE(filter.synthesis.interface.estimate->lut, 1000); // 16 x 16 lanes took 9,640
  EXPECT_EQ(filter.synthesis.interface.estimate->bram, 0);

  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  auto program = llvm::cantFail(parseProgram(*context, convolution(false), "kernel.mlir"));
  SynthesisOptions options; // any factors
  options.budget = DeviceArea{2000, 2000, 9, 0};
  Synthesis window = llvm::cantFail(synthesize(*program, zynqTarget(), options));
  EXPECT_LE(window.interface.predictedCycles.value_or(UINT64_MAX), 800u);
}

/// The lanes of an unrolled loop write and read neighbouring bytes at once: words of 32 bits, in
/// half of the blocks of four banks.
TEST(Memories, NeighboursArePackedIntoWords) {
  std::string program = programOf("reverse_i8", "reverse");
  Made made(program, {8});
  EXPECT_EQ(made.synthesis.interface.estimate->bram, 1); // four banks took 2
  expectRight(program, 1, {8}, true);

  // Weights in the program, again four banks of 1,024 bytes.
  std::string weights;
  for (unsigned n = 0; n < 64 * 64; ++n)
    weights += fmt::format("{:02X}", (n * 2654435761u) >> 24);
  std::string layer = fmt::format(R"(
memref.global "private" constant @w : memref<64x64xi8> = dense<"0x{}">
func.func @kernel(%x: memref<64xi8>, %y: memref<64xi32>) {{
  %w = memref.get_global @w : memref<64x64xi8>
  affine.for %k = 0 to 64 {{
    affine.for %j = 0 to 64 {{
      %a = affine.load %x[%k] : memref<64xi8>
      %b = affine.load %w[%k, %j] : memref<64x64xi8>
      %c = affine.load %y[%j] : memref<64xi32>
      %u = arith.extsi %a : i8 to i32
      %v = arith.extsi %b : i8 to i32
      %p = arith.muli %u, %v : i32
      %s = arith.addi %c, %p : i32
      affine.store %s, %y[%j] : memref<64xi32>
    }}
  }}
  return
}}
)",
                                  weights);
  Made dense(layer, {8});
  EXPECT_EQ(dense.synthesis.interface.estimate->bram, 1);
  expectRight(layer, 1, {8}, true);
}

/// By the memory's words: the cycles until a word is read.
std::map<int64_t, int64_t> tableLatencies(Made &made) {
  std::map<int64_t, int64_t> latencies;
  for (MemoryOp memory : made.synthesis.kernel.getOps<MemoryOp>())
    if (memory.getInitial())
      latencies[memory.getBankWords()] = memory.getReadLatency();
  return latencies;
}

/// A table that says where an argument is read leads to no port that leads back to it; two that say
/// where the other is read do.
TEST(Memories, TablesThatDecideAreReadAtOnceWhereNoCircleIs) {
  auto program = [](const std::string &second) {
    return R"(
memref.global "private" constant @t : memref<8xi8> = dense<[3, 1, 4, 1, 5, 2, 6, 0]>
memref.global "private" constant @u : memref<7xi8> = dense<[2, 6, 1, 3, 0, 5, 4]>
func.func @kernel(%x: memref<8xi32>, %y: memref<8xi32>) {
  %t = memref.get_global @t : memref<8xi8>
  %u = memref.get_global @u : memref<7xi8>
  affine.for %i = 0 to 7 {
    %a = affine.load %t[%i] : memref<8xi8>
    %k = arith.index_castui %a : i8 to index
    %b = memref.load %u[%k] : memref<7xi8>
    %l = arith.index_castui %b : i8 to index
)" + second +
           R"(
    memref.store %v, %y[%k] : memref<8xi32>
  }
  return
}
)";
  };
  std::string line = program("    %v = memref.load %x[%l] : memref<8xi32>");
  std::string circle = program("    %c = memref.load %t[%l] : memref<8xi8>\n"
                               "    %m = arith.index_castui %c : i8 to index\n"
                               "    %v = memref.load %x[%m] : memref<8xi32>");
  Made alone(line, {1}), both(circle, {1});
  EXPECT_EQ(tableLatencies(alone), (std::map<int64_t, int64_t>{{7, 0}, {8, 0}}));
  EXPECT_EQ(tableLatencies(both), (std::map<int64_t, int64_t>{{7, 1}, {8, 1}}));
  expectRight(line, 1, {1}, true);
  expectRight(circle, 1, {1}, true);
}

/// A sum is read and written again at one place: its address waits, and is the same there.
TEST(Memories, AddressesWaitWhereThatTakesLess) {
  Made made(programOf("conv3x3_i16", "convolution"), {1});
  IndexRanges ranges(made.synthesis.kernel);
  unsigned waiting = 0;
  made.synthesis.kernel.walk([&](PipelineOp pipeline) {
    for (auto [later, first] : carriedAddresses(pipeline, ranges)) {
      EXPECT_LT(startOf(first), startOf(later));
      EXPECT_EQ(first->getAttrs().size(), later->getAttrs().size());
      EXPECT_EQ(first->getAttr("map"), later->getAttr("map"));
      EXPECT_EQ(llvm::to_vector(first->getOperands()), llvm::to_vector(later->getOperands()));
      ++waiting;
    }
  });
  EXPECT_EQ(waiting, 1u);
}

/// Eight words are; 512 words of 32 bits are a block RAM.
TEST(Memories, SmallArraysAreLutRam) {
  std::string program = R"(
func.func @kernel(%x: memref<64xi32>, %y: memref<8xi32>) {
  %h = memref.alloc() : memref<8xi32>
  %big = memref.alloc() : memref<512xi32>
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 8 { affine.store %zero, %h[%i] : memref<8xi32> }
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    affine.store %v, %big[%i * 8] : memref<512xi32>
    %k = arith.andi %v, %seven : i32
    %at = arith.index_cast %k : i32 to index
    %c = memref.load %h[%at] : memref<8xi32>
    %d = arith.addi %c, %v : i32
    memref.store %d, %h[%at] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %c = affine.load %h[%i] : memref<8xi32>
    %b = affine.load %big[%i * 56] : memref<512xi32>
    %d = arith.addi %c, %b : i32
    affine.store %d, %y[%i] : memref<8xi32>
  }
  return
}
)";
  Made made(program, {1});
  std::map<int64_t, bool> isLutRam; // by words
  for (MemoryOp memory : made.synthesis.kernel.getOps<MemoryOp>())
    if (!memory.getArgument())
      isLutRam[memory.getBankWords()] = memory.getDistributed();
  EXPECT_EQ(isLutRam, (std::map<int64_t, bool>{{8, true}, {512, false}}));
  expectRight(program, 1, {1}, true);
}

} // namespace
