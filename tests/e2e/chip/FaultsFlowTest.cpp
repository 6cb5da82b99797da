// A flow on a chip with faults: partition, mapping and simulation agree on what does not work.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class FaultsFlow : public ::testing::Test {
protected:
  ToolResult run(const std::string &routing, const std::string &faults) {
    std::string chip = readText("configs/chips/mesh-128.yaml");
    auto replace = [&](const std::string &before, const std::string &after) {
      chip.replace(chip.find(before), before.size(), after);
    };
    replace("{columns: 8, rows: 8}", "{columns: 3, rows: 3}");
    replace("router:\n", "router:\n  routing: " + routing + "\n");
    writeText(scratch / "chip.yaml", chip + "faults:\n" + faults);
    return runTool("run configs/flows/digits-mlp.yaml --out '" + (scratch / "out") +
                   "' --set dataset.limit=20 --set 'chip=" + (scratch / "chip.yaml") + "'");
  }
  ScratchFolder scratch;
};

/// Tiles 1 and 3 are the neighbours of the host's; only crossbars 0, 2 and 8 are whole.
TEST_F(FaultsFlow, GoesRoundThemOrIsRefused) {
  std::string faults = "  tiles: [{at: [1, 1]}, {at: [0, 1]}]\n"
                       "  links: [{from: [1, 0], to: [1, 1]}]\n"
                       "  crossbars:\n    - {tile: [0, 0]}\n";
  for (const char *at : {"[1, 0]", "[1, 2]", "[0, 2]", "[2, 1]"})
    faults += std::string("    - {tile: ") + at + ", columns: [0, 1, 2], rows: [7]}\n";
  ToolResult result = run("up_down", faults);
  ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
  nlohmann::json mapping = readJsonFile(scratch / "out/70-mapping.json");
  nlohmann::json clusters = readJsonFile(scratch / "out/50-clusters.json")["clusters"];
  for (size_t c = 0; c < clusters.size(); ++c) {
    int tile = mapping["placements"][c]["tile"];
    EXPECT_TRUE(tile != 0 && tile != 3 && tile != 4) << tile;
    bool isLarge = clusters[c]["units"] > 125 || clusters[c]["axons"].size() > 127;
    EXPECT_TRUE(!isLarge || tile == 2 || tile == 8) << tile;
  }
  nlohmann::json stats = readJsonFile(scratch / "out/80-chip.json");
  EXPECT_GT(stats["packets"], 0);
  uint64_t spikeHops = 0;
  for (const nlohmann::json &link : stats["links"]) {
    for (int end : {int(link["from"]), int(link["to"])})
      EXPECT_TRUE(end != 3 && end != 4) << end;
    spikeHops += uint64_t(link["flits"]);
  }
  EXPECT_EQ(stats["traffic"]["flit_hops"], spikeHops);

  result = run("xy", faults);
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors,
              HasSubstr("routing xy does not go round the faults; use routing up_down"));
  result = run("up_down", "  tiles: [{at: [1, 0]}, {at: [0, 1]}]\n");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("has no way on from tile"));
  EXPECT_THAT(result.errors, HasSubstr("the faults cut the mesh in two"));
}

} // namespace
} // namespace spindle::test
