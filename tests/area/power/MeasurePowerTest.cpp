// Energies of a small kernel in cells whose only energies are leakage and the charge of their
// loads.
#include "hw/area/power/MeasurePower.h"

#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

#include <regex>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

/// tests/area/plain.lib at 1 V, each cell leaking 2 nW.
std::string library(const std::string &capacitance) {
  std::string text = readText("tests/area/plain.lib");
  text =
      std::regex_replace(text, std::regex("capacitance : 0.001"), "capacitance : " + capacitance);
  text = std::regex_replace(text, std::regex("(  area : [0-9]+;)"), "$1 cell_leakage_power : 2;");
  return std::regex_replace(
      text, std::regex("  time_unit : \"1ns\";"),
      "  time_unit : \"1ns\"; voltage_unit : \"1V\"; leakage_power_unit : \"1nW\"; nom_voltage : "
      "1;\n"
      "  operating_conditions (typical) { process : 1; temperature : 25; voltage : 1; }\n"
      "  default_operating_conditions : typical;");
}

class MeasurePower : public ::testing::Test {
protected:
  void SetUp() override {
    for (const char *program : {"yosys", "sta", "verilator", "make"})
      if (!llvm::sys::findProgramByName(program))
        GTEST_SKIP() << program << " is absent: needs the packages yosys, opensta, verilator, make";
    hls::writeKernel(folder, hls::bankedSumKernel());
  }
  llvm::Expected<hls::LibraryArea> measure(const std::string &capacitance) {
    folder.write("cells.lib", library(capacitance));
    return hls::measurePower(folder.path(), {folder / "cells.lib", "", 1});
  }
  TemporaryFolder folder;
};

TEST_F(MeasurePower, IsThatOfLeaksAndLoads) {
  hls::LibraryArea area = llvm::cantFail(measure("0.001"));
  ASSERT_TRUE(area.power);
  const hls::LibraryPower &power = *area.power;
  EXPECT_EQ(power.cycles, 6u);
  EXPECT_GT(power.nets, 100u);
  EXPECT_EQ(power.annotated, power.nets);
  ASSERT_EQ(power.parts.size(), 1u); // one module
  const hls::LibraryPower::Part &part = power.parts[0];
  EXPECT_EQ(part.cells, area.cells);
  double leakage = 2e-9 * 10e-9 * 1e12 * 6 * double(area.cells);
  EXPECT_NEAR(part.leakagePj, leakage, 1e-6 * leakage);
  EXPECT_EQ(part.clockPj, 0); // registers have no energy of their own here
  EXPECT_GT(part.dataPj, 0);
  // Half of C · V² for each change of an input.
  double twice = llvm::cantFail(measure("0.002")).power->parts[0].dataPj;
  EXPECT_NEAR(twice, 2 * part.dataPj, 1e-4 * twice);
}

TEST_F(MeasurePower, ANetlistThatComputesSomethingElseIsNamed) {
  std::string program = readText(folder / "banked_sum.mlir");
  size_t at = program.find("constant 1 ");
  ASSERT_NE(at, std::string::npos) << program;
  folder.write("banked_sum.mlir", program.replace(at, 11, "constant 2 "));
  auto area = measure("0.001");
  ASSERT_FALSE(bool(area));
  EXPECT_THAT(toText(area.takeError()), HasSubstr("error: the netlist: run 0"));
}

} // namespace
} // namespace spindle::test
