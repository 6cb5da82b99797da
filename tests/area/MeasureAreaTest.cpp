// Area of a circuit whose cells are known: 24 flip-flops, a product of 16 × 16 bits in one DSP
// block, a block memory of 18 Kb.
#include "hw/area/MeasureArea.h"

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"
#include "core/support/files/File.h"
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

#include <cstdlib>
#include <regex>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

constexpr const char *kCircuit = R"(
module spindle_muli(input logic clk, input logic [15:0] a, b, output logic [31:0] y);
  assign y = a * b;
endmodule
module tiny(input logic clk, input logic [15:0] a, b, input logic [6:0] address, input logic we,
            output logic [31:0] y, output logic [7:0] z, output logic [15:0] word);
  (* ram_style="block" *) logic [15:0] memory [128];
  logic [15:0] data;
  logic [7:0] sum;
  logic [15:0] old;
  spindle_muli muli_i32_0(.clk, .a(data), .b, .y);
  always_ff @(posedge clk) begin
    if (we) memory[address] <= a;
    word <= memory[address];
    sum <= a[7:0] ^ b[7:0];
    old <= a;
  end
  assign data = old;
  assign z = sum;
endmodule
)";

constexpr const char *kPlainLibrary = "tests/area/plain.lib"; // every delay is a number

class MeasureArea : public ::testing::Test {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName("yosys"))
      GTEST_SKIP() << "needs the package yosys";
    writeText(scratch / "tiny.sv", kCircuit);
    kernel.top = kernel.function = "tiny";
    kernel.original = "original.mlir";
    kernel.sources = {"tiny.sv"};
    kernel.units = {{"muli_i32", 1}};
    write();
  }
  void write() { llvm::cantFail(hls::writeKernelInterface(scratch / "kernel.json", kernel)); }
  std::string errorOf(const std::string &liberty = "") {
    llvm::Expected<hls::KernelArea> area = hls::measureArea(scratch.path, {liberty});
    return area ? "" : toText(area.takeError());
  }
  ScratchFolder scratch;
  hls::KernelInterface kernel;
};

TEST_F(MeasureArea, CountsCellsAndUnits) {
  hls::KernelArea area = llvm::cantFail(hls::measureArea(scratch.path, {}));
  EXPECT_EQ(area.kernel, "tiny");
  EXPECT_THAT(area.tool, HasSubstr("Yosys 0."));
  // The DSP block has registers of its own, which may take the 16 before it.
  EXPECT_GE(area.ff, 8u);
  EXPECT_LE(area.ff, 24u);
  EXPECT_EQ(area.lut, 8u); // one for each bit of the exclusive or
  EXPECT_EQ(area.dsp, 1u);
  EXPECT_EQ(area.bram, 0.5);
  EXPECT_EQ(area.units, kernel.units);
  EXPECT_FALSE(area.library);
}

TEST_F(MeasureArea, AModuleThatIsThereTwiceHasItsUnitsTwice) {
  writeText(scratch / "tiny.sv", std::string(kCircuit) + R"(
module pair(input logic clk, input logic [15:0] a, b, c, input logic [6:0] address, input logic we,
            output logic [31:0] y, x, output logic [7:0] z, v, output logic [15:0] word, u);
  tiny circuit0(.clk, .a, .b, .address, .we, .y, .z, .word);
  tiny circuit1(.clk, .a(c), .b(a), .address, .we, .y(x), .z(v), .word(u));
endmodule
)");
  kernel.top = "pair";
  kernel.units = {{"muli_i32", 2}};
  write();
  hls::KernelArea area = llvm::cantFail(hls::measureArea(scratch.path, {}));
  EXPECT_EQ(area.units, kernel.units);
  EXPECT_EQ(area.dsp, 2u);
  EXPECT_EQ(area.bram, 1);
}

/// A part with a unit that has a module of its own: each counts with what is in it.
TEST_F(MeasureArea, PartsHaveWhatTheirUnitsHave) {
  writeText(scratch / "tiny.sv", R"(
module spindle_cut(input logic clk, input logic [31:0] d, output logic [31:0] q);
  always_ff @(posedge clk) q <= d;
endmodule
module spindle_muli(input logic clk, input logic [15:0] a, b, output logic [31:0] y);
  logic [31:0] product;
  assign product = a * b;
  spindle_cut cut(.clk, .d(product), .q(y));
endmodule
module top_nest(input logic clk, input logic [15:0] a, b, output logic [31:0] y);
  spindle_muli muli_i32_0(.clk, .a, .b, .y);
endmodule
module top(input logic clk, input logic [15:0] a, b, output logic [31:0] y, z);
  top_nest nest(.clk, .a, .b, .y);
  always_ff @(posedge clk) z <= a * 0 + 32'(b);
endmodule
)");
  kernel.top = "top";
  write();
  hls::AreaOptions options;
  options.hasParts = true;
  hls::KernelArea area = llvm::cantFail(hls::measureArea(scratch.path, options));
  ASSERT_EQ(area.parts.size(), 2u);
  EXPECT_EQ(area.parts[0].name, "memories and control");
  EXPECT_EQ(area.parts[0].ff, 16u);
  EXPECT_EQ(area.parts[1].name, "nest");
  EXPECT_EQ(area.parts[1].dsp, 1u);
  EXPECT_EQ(area.parts[1].ff, 32u);
}

/// A register beside the kernel, whose own do not count.
TEST_F(MeasureArea, TheBusIsMeasuredByItself) {
  writeText(scratch / "tiny.sv", R"(
module top(input logic clk, input logic [15:0] a, output logic [15:0] y);
  always_ff @(posedge clk) y <= a + y;
endmodule
)");
  writeText(scratch / "top_axi.sv", readText(scratch / "tiny.sv") + R"(
module top_axi(input logic clk, input logic [15:0] a, output logic [15:0] y);
  logic [15:0] sum;
  always_ff @(posedge clk) y <= sum;
  top kernel(.clk, .a, .y(sum));
endmodule
)");
  kernel.top = "top";
  kernel.units = {};
  write();
  llvm::cantFail(hls::writeBusInterface(scratch / "axi.json",
                                        {"top_axi", hls::AxiData::Stream, {"top_axi.sv"}, {}}));
  hls::AreaOptions options;
  options.hasBus = true;
  hls::KernelArea area = llvm::cantFail(hls::measureArea(scratch.path, options));
  EXPECT_EQ(area.ff, 16u);
  ASSERT_TRUE(area.bus);
  EXPECT_EQ(area.bus->name, "top_axi");
  EXPECT_EQ(area.bus->ff, 16u);
  EXPECT_EQ(area.bus->lut, 0u);
}

TEST_F(MeasureArea, UnitsOtherThanThoseOfTheKernelFile) {
  kernel.units = {{"addf_f64", 2}};
  write();
  EXPECT_THAT(errorOf(), HasSubstr("the netlist has the units 1 muli_i32, kernel.json 2 addf_f64"));
}

TEST_F(MeasureArea, WhatYosysRefuses) {
  kernel.top = "small";
  write();
  EXPECT_THAT(errorOf(), HasSubstr("yosys failed: "));
  writeText(scratch / "kernel.json", "{}");
  EXPECT_THAT(errorOf(), HasSubstr("kernel.json: error: "));
}

TEST_F(MeasureArea, LibraryThatIsNone) {
  EXPECT_THAT(errorOf(scratch / "none.lib"), HasSubstr("none.lib"));
}

TEST_F(MeasureArea, LibraryWithoutAreas) {
  std::string text = llvm::cantFail(readFile(kPlainLibrary));
  text = std::regex_replace(text, std::regex("area : [0-9.]+;"), "");
  writeText(scratch / "flat.lib", text);
  EXPECT_THAT(errorOf(scratch / "flat.lib"),
              HasSubstr("flat.lib: error: yosys reports no area for the cells of this library"));
}

TEST_F(MeasureArea, CellsOfALibrary) {
  std::string data = dataFolder();
  if (data.empty())
    GTEST_SKIP() << "needs the data sets: liberty";
  hls::KernelArea area = llvm::cantFail(
      hls::measureArea(scratch.path, {data + "/liberty/sg13g2_stdcell_typ_1p20V_25C.lib.gz"}));
  ASSERT_TRUE(area.library);
  EXPECT_EQ(area.library->library, "sg13g2_stdcell_typ_1p20V_25C.lib.gz");
  // The memory alone is 2,048 flip-flops of about 48 µm² each.
  EXPECT_GT(area.library->cells, 2048u);
  EXPECT_GT(area.library->squareMicrometres, 2048 * 40.0);
}

/// One gate between two registers: 0.75 + 1.5 + 0.5 ns, whatever the clock.
TEST_F(MeasureArea, TimingOfAPath) {
  if (!llvm::sys::findProgramByName("sta"))
    GTEST_SKIP() << "needs the package opensta";
  writeText(scratch / "tiny.sv", R"(
module tiny(input logic clk, input logic a, b, output logic y);
  logic first, second, last;
  always_ff @(posedge clk) begin
    first <= a;
    second <= b;
    last <= ~(first & second);
  end
  assign y = last;
endmodule
)");
  kernel.units.clear();
  for (double period : {10.0, 2.5}) {
    kernel.clockPeriodNs = period;
    write();
    hls::KernelArea area = llvm::cantFail(hls::measureArea(scratch.path, {kPlainLibrary, true}));
    ASSERT_TRUE(area.library && area.library->timing);
    const hls::LibraryTiming &timing = *area.library->timing;
    EXPECT_NEAR(timing.leastPeriodNs(), 2.75, 1e-4);
    EXPECT_NEAR(timing.worstSlackNs, period - 2.75, 1e-4);
    EXPECT_THAT(timing.from, ::testing::AnyOf("first", "second"));
    EXPECT_THAT(timing.to, ::testing::AnyOf("last", "y"));
    EXPECT_THAT(timing.tool, HasSubstr("OpenSTA 2."));
  }
  ToolResult result = runTool("area '" + scratch.path + "' --timing --liberty " + kPlainLibrary);
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output,
              HasSubstr("timing    tiny: least period 2.75 ns, slack -0.25 ns at 2.5 ns, from "));
  EXPECT_THAT(runTool("area . --timing").errors, HasSubstr("--timing requires --liberty"));
}

/// No clock of the name that kernels have: no path.
TEST_F(MeasureArea, TimingWithoutAPath) {
  if (!llvm::sys::findProgramByName("sta"))
    GTEST_SKIP() << "needs the package opensta";
  writeText(scratch / "tiny.sv", "module tiny(input logic clock, input logic a, output logic y);\n"
                                 "  always_ff @(posedge clock) y <= ~a;\nendmodule\n");
  kernel.units.clear();
  write();
  llvm::Expected<hls::KernelArea> area = hls::measureArea(scratch.path, {kPlainLibrary, true});
  ASSERT_FALSE(area);
  EXPECT_THAT(toText(area.takeError()),
              HasSubstr("OpenSTA finds no path, or has not understood the netlist"));
}

class RouteForIce40 : public MeasureArea {
protected:
  void SetUp() override {
    MeasureArea::SetUp();
    if (!llvm::sys::findProgramByName("nextpnr-ice40"))
      GTEST_SKIP() << "needs the package nextpnr-ice40";
    kernel.units.clear();
    kernel.clockPeriodNs = 20;
  }
  llvm::Expected<hls::KernelArea> route(const std::string &circuit) {
    writeText(scratch / "tiny.sv", circuit);
    write();
    hls::AreaOptions options;
    options.isRouted = true;
    return hls::measureArea(scratch.path, options);
  }
};

/// Three flip-flops, one of them with a gate before it in the same cell. nextpnr adds a cell for
/// each of the constants.
TEST_F(RouteForIce40, CountsCellsAndPins) {
  hls::KernelArea area = llvm::cantFail(route(R"(
module tiny(input logic clk, input logic a, b, output logic y);
  logic first, second;
  always_ff @(posedge clk) begin
    first <= a;
    second <= b;
    y <= ~(first & second);
  end
endmodule
)"));
  ASSERT_TRUE(area.routed);
  EXPECT_THAT(area.routed->tool, HasSubstr("nextpnr-ice40 0."));
  EXPECT_EQ(area.routed->device, "iCE40 HX8K ct256");
  EXPECT_GE(area.routed->logicCells, 3u);
  EXPECT_LE(area.routed->logicCells, 5u);
  EXPECT_EQ(area.routed->memories, 0u);
  EXPECT_EQ(area.routed->pins, 4u);
  EXPECT_FALSE(area.routed->hasShiftRegisters);
  EXPECT_GT(area.routed->megahertz, 100);
  EXPECT_EQ(area.routed->targetMegahertz, 50);

  ToolResult result = runTool("area '" + scratch.path + "' --ice40");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr(" logic cells, 0 memory blocks, "));
  EXPECT_THAT(result.output, HasSubstr(" MHz (target 50) on iCE40 HX8K ct256 by nextpnr-ice40 0."));
  EXPECT_EQ(llvm::cantFail(hls::readKernelArea(scratch / "area.json")).routed, area.routed);
}

/// Nothing of the circuit may be lost behind the registers: 128 gates, 256 bits in, 128 out.
TEST_F(RouteForIce40, MorePortsThanPins) {
  hls::KernelArea area = llvm::cantFail(route(R"(
module tiny(input logic clk, input logic [127:0] a, b, output logic [127:0] y);
  always_ff @(posedge clk) y <= a ^ b;
endmodule
)"));
  ASSERT_TRUE(area.routed);
  EXPECT_TRUE(area.routed->hasShiftRegisters);
  EXPECT_EQ(area.routed->pins, 385u);
  EXPECT_GE(area.routed->logicCells, 256u + 128 + 128);
  EXPECT_LE(area.routed->logicCells, 256u + 128 + 128 + 8);
}

/// 64 blocks of 256 words.
TEST_F(RouteForIce40, WhatDoesNotFit) {
  llvm::Expected<hls::KernelArea> area = route(R"(
module tiny(input logic clk, input logic [13:0] address, input logic [15:0] a, input logic we,
            output logic [15:0] y);
  (* ram_style="block" *) logic [15:0] memory [16384];
  always_ff @(posedge clk) begin
    if (we) memory[address] <= a;
    y <= memory[address];
  end
endmodule
)");
  ASSERT_FALSE(area);
  EXPECT_THAT(toText(area.takeError()),
              ::testing::ContainsRegex("the circuit needs [0-9]+ LUTs, [0-9]+ flip-flops and 64 "
                                       "memory blocks, an iCE40 HX8K has 7680, 7680 and 32"));
}

TEST_F(RouteForIce40, WithoutAClock) {
  llvm::Expected<hls::KernelArea> area =
      route("module tiny(input logic a, b, output logic y);\n  assign y = a ^ b;\nendmodule\n");
  ASSERT_FALSE(area);
  EXPECT_THAT(toText(area.takeError()), HasSubstr("nextpnr reports no clock"));
}

TEST_F(MeasureArea, Command) {
  ToolResult result = runTool("area '" + scratch.path + "'");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  hls::KernelArea area = llvm::cantFail(hls::readKernelArea(scratch / "area.json"));
  EXPECT_THAT(result.output, HasSubstr("area      tiny: 8 LUT, " + std::to_string(area.ff) +
                                       " FF, 1 DSP, 0.5 BRAM by Yosys 0."));
}

TEST(AreaWithoutYosys, NamesThePackage) {
  std::string path = getenv("PATH");
  setenv("PATH", "/none", 1);
  llvm::Expected<hls::KernelArea> area = hls::measureArea(".", {});
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(area);
  EXPECT_EQ(toText(area.takeError()),
            "yosys: error: not found, expected it in PATH; install the package yosys");
}

} // namespace
} // namespace spindle::test
