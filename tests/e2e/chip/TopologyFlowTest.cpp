// A flow to the end on chips whose tiles are joined by a tree of routers, or share a bus.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class TopologyFlow : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::string chip = readText("configs/chips/mesh-128.yaml");
    chip.replace(chip.find("columns: 128"), 12, "columns: 16"); // many crossbars
    size_t router = chip.find("router:\n"), end = chip.find("clock_mhz");
    chip.replace(router, end - router,
                 std::string("router:\n  end_cycles: 2\n  ") + GetParam() + "\n");
    writeText(scratch / "chip.yaml", chip);
  }
  std::string out() const { return scratch / "out"; }
  void run(const std::string &arguments) {
    ToolResult result = runTool(arguments);
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
  }
  ScratchFolder scratch;
};

TEST_P(TopologyFlow, RunsToTheReport) {
  std::string flow = "configs/flows/digits-mlp.yaml --out '" + out() + "' --set chip='" +
                     (scratch / "chip.yaml") +
                     "' --set dataset.limit=40 --set emulation.steps=16 --set "
                     "emulation.record_samples=10 --set simulation.trace=true";
  run("run " + flow);
  nlohmann::json stats = readJsonFile(out() + "/80-chip.json");
  std::string topology = stats["mesh"]["topology"];
  EXPECT_THAT(GetParam(), HasSubstr("topology: " + topology));
  EXPECT_GT(stats["spike_packets"], 0);

  nlohmann::json report = readJsonFile(out() + "/report.json");
  double predicted = report["mapping"]["prediction"]["cycles_per_sample"]["value"];
  double cycles = double(stats["cycles"]) / double(stats["samples"]);
  EXPECT_NEAR(predicted / cycles, 1, 0.02);

  // Links carry what the figures of all traffic say.
  uint64_t flits = 0;
  for (const nlohmann::json &link : stats["links"])
    flits += link["flits"].get<uint64_t>();
  EXPECT_EQ(flits, stats["traffic"]["flit_hops"]);
  // SystemC carries the same packets.
  std::string model = readText(out() + "/80-delivered.csv");
  run("simulate " + flow + " --set simulation.engine=tlm");
  EXPECT_EQ(readText(out() + "/80-delivered.csv"), model);

  // The packets alone travel as they did in the simulation, but without its steps.
  run("simulate --packets '" + out() + "/80-packets.csv' --chip '" + (scratch / "chip.yaml") +
      "' --out '" + (scratch / "replayed") + "'");
  EXPECT_THAT(readText(scratch / "replayed/delivered.csv"), HasSubstr("hops"));
}

INSTANTIATE_TEST_SUITE_P(
    All, TopologyFlow,
    ::testing::Values("topology: tree", "topology: tree\n  multicast: tree\n  virtual_channels: 2",
                      "topology: segmented_bus",
                      "topology: segmented_bus\n  multicast: tree\n  bus: {lanes: 2, "
                      "segments_per_cycle: 4}"));

} // namespace
} // namespace spindle::test
