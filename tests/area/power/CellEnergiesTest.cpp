// What OpenSTA says of cells whose energies are known: charges of loads, and a register's clock.
#include "hw/area/power/CellEnergies.h"

#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

namespace spindle::test {
namespace {

/// At 1 V an inverter loads 4 fF, and leaks 2 nW.
constexpr const char *kLibrary = R"(library (known) {
  delay_model : table_lookup;
  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA"; leakage_power_unit : "1nW";
  pulling_resistance_unit : "1kohm";
  capacitive_load_unit (1, pf);
  input_threshold_pct_rise : 50; output_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;
  operating_conditions (typical) { process : 1; temperature : 25; voltage : 1; }
  default_operating_conditions : typical;
  nom_voltage : 1; nom_temperature : 25; nom_process : 1;
  cell (INV) {
    area : 1; cell_leakage_power : 2;
    pin (A) { direction : input; capacitance : 0.004; }
    pin (Y) {
      direction : output; function : "!A"; max_capacitance : 1;
      timing () {
        related_pin : "A"; timing_sense : negative_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); }
      }
    }
  }
}
)";

TEST(CellEnergies, AreThoseOfTheLoads) {
  if (!llvm::sys::findProgramByName("sta"))
    GTEST_SKIP() << "needs the package opensta";
  ScratchFolder scratch;
  writeText(scratch / "library.lib", kLibrary);
  writeText(scratch / "chain.v", R"(
module pair(input a, output y);
  wire n;
  INV first (.A(a), .Y(n));
  INV second (.A(n), .Y(y));
endmodule
module top(input clk, input a, output y);
  wire n;
  pair left (.a(a), .y(n));
  pair right (.a(n), .y(y));
endmodule
)");
  for (double period : {10.0, 4.0}) {
    auto found = llvm::cantFail(
        hls::cellEnergies(scratch.path, "chain.v", "top", period, {"left/first", "right/second"}));
    EXPECT_THAT(found.tool, ::testing::HasSubstr("OpenSTA "));
    ASSERT_EQ(found.cells.size(), 2u);
    EXPECT_NEAR(found.cells[0].leakagePj, 2e-9 * period * 1e-9 * 1e12, 1e-9);
    EXPECT_NEAR(found.cells[0].changePj, 0.5 * 0.004, 1e-7); // half of C · V² for each change
    EXPECT_NEAR(found.cells[1].changePj, 0, 1e-9);           // no load
    EXPECT_EQ(found.cells[0].clockPj, 0);
  }
  auto unknown =
      hls::cellEnergies(scratch.path, "chain.v", "top", 10, {"left/first", "left/third"});
  ASSERT_FALSE(bool(unknown));
  EXPECT_THAT(toText(unknown.takeError()), ::testing::HasSubstr("power.log: error: OpenSTA "));
}

} // namespace
} // namespace spindle::test
