// A published network with and without multicast, and the packets of a mapped network.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <sstream>

namespace spindle::test {
namespace {

class MulticastFlow : public ::testing::Test {
protected:
  /// A flow that begins with a graph, on the largest mesh with this kind of multicast.
  void writeFlow(const std::string &multicast) {
    std::string chip = readText("configs/chips/mesh-128-large.yaml");
    size_t router = chip.find("router:\n");
    ASSERT_NE(router, std::string::npos);
    chip.insert(router + 8, "  multicast: " + multicast + "\n");
    writeText(scratch / "chip.yaml", chip);
    writeText(scratch / "flow.yaml", "chip: chip.yaml\nsimulation: {trace: true}\n");
  }
  void run(const std::string &command) {
    ToolResult result =
        runTool(command + " '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "out") + "'");
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
  }
  nlohmann::json simulate(const std::string &multicast) {
    writeFlow(multicast);
    run("simulate");
    return readJsonFile(scratch / "out/80-chip.json");
  }
  /// Flits over links, those of partial sums left out: they are two for each link on the way.
  uint64_t spikeFlitHops(const nlohmann::json &stats) {
    uint64_t sum = 0;
    for (const nlohmann::json &link : stats["links"])
      sum += link["flits"].get<uint64_t>();
    std::istringstream packets(readText(scratch / "out/80-packets.csv"));
    std::vector<bool> isSum;
    std::string line;
    std::getline(packets, line);
    while (std::getline(packets, line))
      isSum.push_back(line.find("partial_sum") != std::string::npos);
    std::istringstream deliveries(readText(scratch / "out/80-delivered.csv"));
    std::getline(deliveries, line);
    while (std::getline(deliveries, line))
      if (isSum.at(std::stoul(line)))
        sum -= 2 * std::stoul(line.substr(line.rfind(',') + 1));
    return sum;
  }
  ScratchFolder scratch;
};

TEST_F(MulticastFlow, ALeNetNeedsAThirdOfTheInjections) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no folder of data sets: SPINDLE_DATA";
  std::string graphs = dataFolder() + "/workloads/graphs/lenet_mnist0_T32";
  ToolResult result = runTool("lists import '" + (scratch / "out") + "' --connections '" + graphs +
                              ".connection_info.txt' --spikes '" + graphs + ".spike_info.txt'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  writeFlow("unicast");
  run("partition");
  run("map");
  nlohmann::json unicast = simulate("unicast");
  EXPECT_EQ(unicast["spike_packets"], 23609);
  EXPECT_EQ(spikeFlitHops(unicast), 105844u);
  nlohmann::json path = simulate("path");
  EXPECT_LT(spikeFlitHops(path), 105844u);
  nlohmann::json tree = simulate("tree");
  EXPECT_EQ(tree["spike_packets"], 7066);
  EXPECT_EQ(spikeFlitHops(tree), 65728u);
  for (const nlohmann::json &multicast : {tree, path}) {
    EXPECT_EQ(multicast["deliveries"], unicast["deliveries"]);
    EXPECT_EQ(multicast["tile_synaptic_events"], unicast["tile_synaptic_events"]);
    EXPECT_LT(multicast["latency_mean_cycles"], unicast["latency_mean_cycles"]);
    EXPECT_LT(multicast["latency_p99_cycles"], unicast["latency_p99_cycles"]);
  }
}

} // namespace
} // namespace spindle::test
