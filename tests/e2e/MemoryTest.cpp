// The memory of the tool on a network with many synapses.
#include "tests/e2e/Tool.h"

#include <gtest/gtest.h>

namespace spindle::test {
namespace {

/// 40,000 neurons, 1.6 billion pairs: with lists, a synapse would take four bytes and more.
TEST(Memory, SynapsesOfARuleTakeAByteEach) {
#ifndef SPINDLE_TOOL_IS_SMALL
  GTEST_SKIP() << "the tool is instrumented or shares the libraries of LLVM, which take more";
#endif
  ScratchFolder scratch;
  std::string network = readText("configs/networks/vogels-abbott-cuba.yaml");
  for (const auto &[from, to] : {std::pair("size: 4000", "size: 40000"),
                                 {":3200]", ":32000]"},
                                 {"[3200:", "[32000:"},
                                 {"weight: 1.62", "weight: 0.162"},
                                 {"weight: -9", "weight: -0.9"}}) {
    size_t at = network.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    network.replace(at, std::string(from).size(), to);
  }
  writeText(scratch / "net.yaml", network);
  writeText(scratch / "flow.yaml", "model: {path: net.yaml}\nemulation: {steps: 100}\n");
  for (const char *stage : {"import", "convert", "emulate"}) {
    ToolResult result = runTool(std::string(stage) + " '" + scratch / "flow.yaml" + "' --out '" +
                                scratch / "out" + "'");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
  }
  nlohmann::json summary = readJsonFile(scratch / "out/30-emulation.json");
  EXPECT_NEAR(double(summary["synapses"]), 32e6, 5 * std::sqrt(32e6));
  EXPECT_LT(summary["timing"]["peak_memory_bytes"], 80 << 20);
}

} // namespace
} // namespace spindle::test
