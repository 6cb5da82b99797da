#include "hw/cosim/bench/SharedUnits.h"

#include "gmock/gmock.h"

using namespace spindle::hls;

namespace {

std::string instance(const std::string &module, const std::string &parameters,
                     const std::string &reset = "") {
  return "  " + module + " #(" + parameters + ") u (\n    .clk(clk),\n" + reset +
         "    .ce(1'b1),\n    .y(y)\n  );\n";
}

/// Those with other parameters somewhere, with a reset, or too few are translated as they are.
TEST(SharedUnits, AreManyAndAlike) {
  std::string text = "module kernel (\n  input logic clk\n);\n";
  for (int n = 0; n < 3; ++n) {
    text += instance("spindle_mulf", ".EXPONENT(8), .FRACTION(23)");
    text += instance("spindle_addf", n ? ".EXPONENT(8)" : ".EXPONENT(11)");
    text += instance("spindle_divf", ".EXPONENT(8)", "    .rst(rst),\n");
  }
  text += instance("spindle_extf", ".EXPONENT(8)");
  SharedUnit multiplier{"spindle_mulf", {{"EXPONENT", "8"}, {"FRACTION", "23"}}};
  EXPECT_THAT(sharedUnits(text, 3), testing::ElementsAre(multiplier));
  EXPECT_THAT(sharedUnits(text, 4), testing::IsEmpty());
}

} // namespace
