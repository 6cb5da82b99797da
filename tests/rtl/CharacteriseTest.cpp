// The script that measures units: its delays against Yosys' own timing analysis, its rewriting of
// targets.
#include "tests/rtl/Command.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <regex>

namespace spindle::rtl {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string sources(const std::string &modules) {
  return std::regex_replace(modules, std::regex("\\w+"), "hw/rtl/spindle_$&.sv");
}

class Characterise : public testing::Test {
protected:
  void SetUp() override {
    if (run("yosys -V").status != 0)
      GTEST_SKIP() << "yosys cannot be run: install the package yosys";
    if (run("python3 --version").status != 0)
      GTEST_SKIP() << "python3 cannot be run: install the package python3";
  }
};

TEST_F(Characterise, PathsWithoutNetsAreThoseOfYosys) {
  const std::string yosys =
      "yosys -p 'read_verilog -sv " +
      sources("cut float_round float_unpack leading_zeros mulf multiply shift_right_sticky") +
      "; chparam -set LATENCY 3 spindle_mulf; synth_xilinx -family xc7 -flatten -noiopad "
      "-noclkbuf -top spindle_mulf; read_verilog -lib -specify +/xilinx/cells_sim.v; sta'";
  const std::string report = run(yosys).output;
  std::smatch latest;
  ASSERT_TRUE(std::regex_search(report, latest, std::regex("Latest arrival time in .* is (\\d+)")))
      << report;

  const Outcome table = run("hw/rtl/characterise --table spindle_mulf LATENCY=3 --net-ns 0");
  std::smatch row;
  ASSERT_TRUE(std::regex_search(
      table.output, row,
      std::regex("\\| 3 \\| \\d+ \\| \\d+ \\| 2 \\| ([\\d.]+) \\| ([\\d.]+) \\| ([\\d.]+) \\|")))
      << table.output;
  const double longest = std::max({std::stod(row[1]), std::stod(row[2]), std::stod(row[3])});
  EXPECT_NEAR(longest, std::stod(latest[1]) / 1000, 0.0051);
}

TEST_F(Characterise, ReplacesOnlyTheFiguresOfUnits) {
  TemporaryFolder folder;
  const std::string head = "# A remark.\nname: t\nunits:\n";
  const std::string path = folder.write(
      "target.yaml", head + "  - {operations: [cmpf], type: f32, module: spindle_cmpf, parameters: "
                            "{EXPONENT: 8, FRACTION: 23, LATENCY: 2},\n     latency: 2, interval: "
                            "1, delay_in_ns: 9, delay_out_ns: 9.5, lut: 0, ff: 7, dsp: 5, source: "
                            "\"a guess\"}\n");
  const Outcome outcome = run("hw/rtl/characterise " + path);
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const std::string text = run("cat " + path).output;
  EXPECT_THAT(text, StartsWith(head + "  - {operations: [cmpf], type: f32, module: spindle_cmpf, "
                                      "parameters: {EXPONENT: 8, FRACTION: 23, LATENCY: 2},\n"
                                      "     latency: 2, interval: 1, delay_in_ns: 0.4, "
                                      "delay_out_ns: 0.3, lut: "));
  // Operands, predicate and the result have registers.
  EXPECT_THAT(text, HasSubstr("ff: 69, dsp: 0, source: \"Yosys "));
  EXPECT_THAT(text, HasSubstr("model xc7-unrouted, stages of "));
}

TEST_F(Characterise, SaysWhatIsWrong) {
  EXPECT_THAT(run("hw/rtl/characterise").output, HasSubstr("expected either a target or --table"));
  TemporaryFolder folder;
  const std::string path =
      folder.write("target.yaml", "units:\n  - {operations: [addf], type: f32, latency: 2}\n");
  EXPECT_EQ(run("hw/rtl/characterise " + path).output,
            "error: a unit without module or parameters: - {operations: [addf], type: f32, "
            "latency: 2}\n");
  const std::string other = folder.write("other.yaml", "part: lfe5u-25\nunits: []\n");
  EXPECT_EQ(run("hw/rtl/characterise " + other).output,
            "error: " + other + ": found the part lfe5u-25, expected one of xc7…, xczu…, ice40…\n");
}

} // namespace
} // namespace spindle::rtl
