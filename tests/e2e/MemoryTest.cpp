// The memory of the tool on a network with many synapses.
#include "tests/e2e/Tool.h"

#include <gtest/gtest.h>

namespace spindle::test {
namespace {

/// What the emulation of a network with random connections says of itself.
nlohmann::json emulationOf(const std::string &network) {
  ScratchFolder scratch;
  writeText(scratch / "net.yaml", network);
  writeText(scratch / "flow.yaml", "model: {path: net.yaml}\nemulation: {steps: 100}\n");
  for (const char *stage : {"import", "convert", "emulate"}) {
    ToolResult result = runTool(std::string(stage) + " '" + scratch / "flow.yaml" + "' --out '" +
                                scratch / "out" + "'");
    EXPECT_EQ(result.exitCode, 0) << result.errors;
  }
  return readJsonFile(scratch / "out/30-emulation.json");
}

/// 40,000 neurons, 1.6 billion pairs, against 4,000, whose synapses are a hundredth. The most that
/// a run takes is the program and, before there are synapses, what makes its code: with a byte for
/// each synapse both take nearly the same, with lists of four the large one three times as much.
TEST(Memory, SynapsesOfARuleTakeAByteEach) {
#ifndef SPINDLE_TOOL_IS_SMALL
  GTEST_SKIP() << "the tool is instrumented or shares the libraries of LLVM, which take more";
#endif
  std::string network = readText("configs/networks/vogels-abbott-cuba.yaml");
  nlohmann::json small = emulationOf(network);
  for (const auto &[from, to] : {std::pair("size: 4000", "size: 40000"),
                                 {":3200]", ":32000]"},
                                 {"[3200:", "[32000:"},
                                 {"weight: 1.62", "weight: 0.162"},
                                 {"weight: -9", "weight: -0.9"}}) {
    size_t at = network.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    network.replace(at, std::string(from).size(), to);
  }
  nlohmann::json large = emulationOf(network);
  EXPECT_NEAR(double(large["synapses"]), 32e6, 5 * std::sqrt(32e6));
  auto peakOf = [](const nlohmann::json &run) {
    return double(run["timing"]["peak_memory_bytes"]);
  };
  EXPECT_LT(peakOf(large) - peakOf(small), 0.5 * double(large["synapses"]));
}

} // namespace
} // namespace spindle::test
