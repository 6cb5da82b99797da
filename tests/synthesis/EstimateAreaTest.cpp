#include "hw/synthesis/EstimateArea.h"

#include "hw/program/ProgramFile.h"
#include "hw/synthesis/Synthesis.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

DeviceArea areaOf(const std::string &text) {
  std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
  auto design = llvm::cantFail(parseProgram(*context, text, "design.mlir"));
  return estimateArea(*design, llvm::cantFail(readTarget(kDefaultTarget)));
}

// Counted by hand: registers, a sum of a LUT for each bit, and a block for 600 words.
TEST(EstimateArea, OperationsOfAModule) {
  DeviceArea area = areaOf(R"mlir(
rtl.module @f(in %clk : i1, in %en : i1, in %x : i16, in %address : i10, out y : i16) {
  %sum = arith.addi %x, %last : i16
  %last = rtl.reg %sum, %clk : i16
  %short = rtl.delay %last by 2, %clk : i16
  %long = rtl.delay %short by 40, %clk : i16
  %false = arith.constant false
  %word, %other = rtl.memory "words" %clk depth 600 : i16
      ports (%en, %en, %address, %long), (%en, %false, %address, %x)
  rtl.output %other : i16
})mlir");
  EXPECT_EQ(area.ff, 16 + 2 * 16);
  EXPECT_EQ(area.lut, 16 + 2 * 16); // 40 stages are two shift registers of at most 32
  EXPECT_EQ(area.bram, 0.5);
  EXPECT_EQ(area.dsp, 0);
}

TEST(EstimateArea, LutRam) {
  DeviceArea area = areaOf(R"mlir(
rtl.module @f(in %clk : i1, in %en : i1, in %x : i16, in %address : i5, out y : i16) {
  %false = arith.constant false
  %word, %old = rtl.memory "words" %clk depth 32 : i16
      ports (%en, %false, %address, %x), (%en, %en, %address, %x) {distributed}
  rtl.output %word : i16
})mlir");
  EXPECT_EQ(area, DeviceArea{16}); // a LUT for 32 words of a bit
}

/// Two constants are chosen by a wire, so their bits are wires.
TEST(EstimateArea, TwoConstantsAreAWire) {
  EXPECT_EQ(areaOf(R"mlir(
rtl.module @f(in %clk : i1, in %en : i1, in %address : i1, out y : i16) {
  %false = arith.constant false
  %none = arith.constant 0 : i16
  %word = rtl.memory "words" %clk depth 2 : i16
      ports (%en, %false, %address, %none) {distributed, initial = dense<[5, 77]> : tensor<2xi16>}
  rtl.output %word : i16
})mlir")
                .lut,
            0);
}

// docs/rationale/memories.md: bits × ports × (n + floor((n - 1) / 2)) of n rows of 32 words, or 64
// of constants.
TEST(EstimateArea, LutRamOfAnySize) {
  EXPECT_EQ(lutRamLuts(8, 32, 1, false), 32);
  EXPECT_EQ(lutRamLuts(64, 32, 1, false), 64);
  EXPECT_EQ(lutRamLuts(64, 32, 2, false), 128);
  EXPECT_EQ(lutRamLuts(64, 32, 1, true), 32);
  EXPECT_EQ(lutRamLuts(65, 1, 1, false), 4); // three rows, and a choice among them
  EXPECT_EQ(lutRamLuts(65, 1, 1, true), 2);
  EXPECT_EQ(lutRamLuts(160, 8, 3, false), 8 * 3 * 7);
}

/// Eight spikes become a word by shifts: no gate has two wires, so there is no LUT.
TEST(EstimateArea, WordsPutTogetherAreWires) {
  std::string text = "rtl.module @f(in %clk : i1, in %x0 : i1, in %x1 : i1, in %x2 : i1, out y : "
                     "i8) {\n  %none = arith.constant 0 : i8\n";
  std::string word = "%none";
  for (int bit = 0; bit < 3; ++bit) {
    text += fmt::format("  %w{0} = arith.extui %x{0} : i1 to i8\n"
                        "  %by{0} = arith.constant {0} : i8\n"
                        "  %s{0} = arith.shli %w{0}, %by{0} : i8\n"
                        "  %o{0} = arith.ori {1}, %s{0} : i8\n",
                        bit, word);
    word = fmt::format("%o{}", bit);
  }
  text += "  rtl.output " + word + " : i8\n}";
  EXPECT_EQ(areaOf(text).lut, 0);
}

/// Between two constants a choice is its condition; whether a number fits is looked up in the bits
/// above.
TEST(EstimateArea, ChoicesOfConstantsAndFittingNumbers) {
  EXPECT_EQ(areaOf(R"mlir(
rtl.module @f(in %clk : i1, in %c : i1, out y : i12) {
  %a = arith.constant 100 : i12
  %b = arith.constant -7 : i12
  %y = arith.select %c, %a, %b : i12
  rtl.output %y : i12
})mlir")
                .lut,
            0);
  EXPECT_EQ(areaOf(R"mlir(
rtl.module @f(in %clk : i1, in %x : i13, out y : i1) {
  %short = arith.trunci %x : i13 to i12
  %again = arith.extsi %short : i12 to i13
  %y = arith.cmpi eq, %again, %x : i13
  rtl.output %y : i1
})mlir")
                .lut,
            1);
}

TEST(EstimateArea, ModulesAreCountedWhereTheyAreUsed) {
  const std::string part = R"mlir(
rtl.module @part(in %clk : i1, in %x : i8, out y : i8, out zero : i8) {
  %y = rtl.reg %x, %clk : i8
  %zero = arith.constant 0 : i8
  rtl.output %y, %zero : i8, i8
}
)mlir";
  EXPECT_EQ(areaOf(part).ff, 8);
  DeviceArea twice = areaOf(part + R"mlir(
rtl.module @top(in %clk : i1, in %a : i1, in %b : i1, in %x : i8, out y : i8, out z : i8) {
  %y, %none = rtl.instance "first" @part (clk: %clk : i1, x: %x : i8) -> (y: i8, zero: i8)
  %v, %nought = rtl.instance "second" @part (clk: %clk : i1, x: %y : i8) -> (y: i8, zero: i8)
  %w = rtl.one_hot (%a, %none), (%b, %nought) : i8
  rtl.output %v, %w : i8, i8
})mlir");
  EXPECT_EQ(twice.ff, 16);
  EXPECT_EQ(twice.lut, 0) << "a choice of constants of other modules is none";
}

TEST(EstimateArea, UnitsTakeWhatTheTargetSays) {
  Target target = llvm::cantFail(readTarget(kDefaultTarget));
  const FunctionalUnit &adder = *target.unitFor("addf", "f32");
  DeviceArea area = areaOf(R"mlir(
rtl.extern @addf_f32(in clk : i1, in ce : i1, in a : i32, in b : i32, out y : i32)
    parameters ["EXPONENT", "FRACTION", "LATENCY"] {module_name = "spindle_addf", source = "spindle_addf.sv"}
rtl.module @f(in %clk : i1, in %ce : i1, in %a : i32, in %b : i32, out y : i32) {
  %y = rtl.instance "addf_f32_0" @addf_f32
      parameters {EXPONENT = 8 : i64, FRACTION = 23 : i64, LATENCY = 4 : i64}
      (clk: %clk : i1, ce: %ce : i1, a: %a : i32, b: %b : i32) -> (y: i32)
  rtl.output %y : i32
})mlir");
  EXPECT_EQ(area.lut, double(adder.area.lut));
  EXPECT_EQ(area.ff, double(adder.area.ff));
}

// Xilinx UG473, table 1-2: a half of a block is 16K × 1 to 1K × 18, or 512 × 36 with simple ports.
TEST(EstimateArea, BlocksOfMemories) {
  EXPECT_EQ(blocksFor(1, 1, false), 0.5);
  EXPECT_EQ(blocksFor(512, 32, false), 0.5);
  EXPECT_EQ(blocksFor(512, 32, true), 1);
  EXPECT_EQ(blocksFor(1024, 18, true), 0.5);
  EXPECT_EQ(blocksFor(1025, 18, true), 1);
  EXPECT_EQ(blocksFor(16384, 1, true), 0.5);
  EXPECT_EQ(blocksFor(65536, 8, true), 16);
}

TEST(DeviceArea, BudgetsAreReadAndKept) {
  auto errorOf = [](const std::string &text) {
    llvm::Expected<DeviceArea> budget = parseBudget(text, "--budget");
    return budget ? "" : toText(budget.takeError());
  };
  const std::string expected =
      "', expected numbers from 0 such as lut=20000,ff=40000,dsp=100,bram=50";
  for (const char *wrong : {"", "lut", "lut=", "lut=-1", "lut=nan", "luts=3", "lut=1,,dsp=2"})
    EXPECT_THAT(errorOf(wrong), ::testing::EndsWith(expected)) << wrong;
  EXPECT_EQ(errorOf("dsp=x"), "--budget: error: 'dsp=x" + expected);

  DeviceArea budget = llvm::cantFail(parseBudget("lut=1000,bram=0.5", "--budget"));
  DeviceArea area{1000, 1e9, 1e9, 0.5};
  EXPECT_EQ(toText(checkBudget(area, budget, "a.mlir")), "");
  area.lut = 12345;
  area.bram = 2;
  EXPECT_EQ(
      toText(checkBudget(area, budget, "a.mlir")),
      "a.mlir: error: the circuit takes about 12400 LUT of 1000, 2 BRAM of 0.5 in the budget; "
      "fewer iterations side by side (--unroll) or fewer units (--resources) make it smaller");
  EXPECT_EQ(areaText(area), "12400 LUT, 1000000000 FF, 1000000000 DSP, 2 BRAM");
}

/// What a choice of variants knows before there is a circuit: never more than the circuit takes.
TEST(EstimateArea, UnitsAreABoundFromBelow) {
  for (const char *type : {"f32", "f64", "i32"})
    for (uint64_t lanes : {1, 4}) {
      bool isFloat = type[0] == 'f';
      std::string text = fmt::format(R"mlir(
func.func @f(%a: memref<8x8x{0}>, %b: memref<8x8x{0}>, %c: memref<8x8x{0}>) {{
  affine.for %i = 0 to 8 {{ affine.for %k = 0 to 8 {{ affine.for %j = 0 to 8 {{
    %x = affine.load %a[%i, %k] : memref<8x8x{0}>
    %y = affine.load %b[%k, %j] : memref<8x8x{0}>
    %z = affine.load %c[%i, %j] : memref<8x8x{0}>
    %p = arith.mul{1} %x, %y : {0}
    %s = arith.add{1} %z, %p : {0}
    affine.store %s, %c[%i, %j] : memref<8x8x{0}>
  }} }} }}
  return
}})mlir",
                                     type, isFloat ? "f" : "i");
      std::unique_ptr<mlir::MLIRContext> context = makeSynthesisContext();
      auto program = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
      Target target = llvm::cantFail(readTarget(kDefaultTarget));
      SynthesisOptions options;
      options.loops.unroll = {lanes};
      Synthesis made = llvm::cantFail(synthesize(*program, target, options));
      DeviceArea units = areaOfUnits(made.kernel, target);
      const DeviceArea &all = *made.interface.estimate;
      EXPECT_GE(units.dsp, lanes) << text;
      EXPECT_GT(units.lut, 0) << text;
      EXPECT_LT(units.lut, all.lut) << text;
      EXPECT_LT(units.ff, all.ff) << text;
      EXPECT_EQ(units.dsp, all.dsp) << text;
    }
}

} // namespace
