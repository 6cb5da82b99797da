#include "hw/cosim/Ports.h"

#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

TEST(Ports, AreReadFromTheHeaderOfVerilator) {
  ModulePorts ports = parsePorts("    VL_IN8(&clk,0,0);\n    VL_OUT16(&arg0_b0_p0_addr,8,0);\n"
                                 "    VL_IN(&arg1,31,0);\n    VL_OUT64(&result0,63,0);\n"
                                 "    VL_INW(&wide,99,0,4);\n");
  EXPECT_EQ(ports, (ModulePorts{{"clk", {true, 1}},
                                {"arg0_b0_p0_addr", {false, 9}},
                                {"arg1", {true, 32}},
                                {"result0", {false, 64}},
                                {"wide", {true, 100}}}));
}

TEST(Ports, MissingTurnedAndUnfitOnesAreRefused) {
  KernelInterface kernel = bankedSumKernel();
  kernel.arguments.push_back(scalarArgument(1, "index"));
  ModulePorts expected = portsOf(kernel), found = expected;
  EXPECT_EQ(expected.size(), 6u + 2 * 2 * 5 + 1 + 1);
  auto errorOf = [&](const char *name, ModulePort port) {
    ModulePorts wrong = found;
    wrong[name] = port;
    return toText(checkPorts(expected, wrong, "kernel.json"));
  };
  found["arg1"].bits = 17; // indices have the width they need
  found["arg0_b0_p0_addr"].bits = 2;
  EXPECT_EQ(toText(checkPorts(expected, found, "kernel.json")), "");
  EXPECT_EQ(errorOf("arg0_b1_p1_rdata", {true, 8}),
            "kernel.json: error: port 'arg0_b1_p1_rdata' has 8 bits, expected 16");
  EXPECT_EQ(errorOf("arg1", {true, 65}),
            "kernel.json: error: port 'arg1' has 65 bits, expected at most 64");
  EXPECT_EQ(errorOf("result0", {true, 16}), "kernel.json: error: port 'result0' is not an output");
  found.erase("ce");
  EXPECT_EQ(toText(checkPorts(expected, found, "kernel.json")),
            "kernel.json: error: the module has no port 'ce', expected this input");
}

} // namespace
