// `spindle partition FLOW --compare`: what it says is what the stage makes, and never below a
// bound.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <sstream>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

/// Cells by algorithm and title.
using Cells = std::map<std::string, std::map<std::string, std::string>>;

std::vector<std::string> cellsOf(const std::string &line) {
  std::vector<std::string> cells;
  std::istringstream text(line + ",");
  for (std::string cell; std::getline(text, cell, ',');)
    cells.push_back(cell);
  return cells;
}

Cells tableOf(const std::string &csv) {
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  std::vector<std::string> titles = cellsOf(line);
  Cells table;
  while (std::getline(text, line)) {
    std::vector<std::string> cells = cellsOf(line);
    EXPECT_EQ(cells.size(), titles.size()) << line;
    for (size_t i = 0; i < cells.size() && i < titles.size(); ++i)
      table[cells[0]][titles[i]] = cells[i];
  }
  return table;
}

class Compare : public ::testing::Test {
protected:
  /// Ten inputs and six neurons in two layers.
  void importSmallNetwork() {
    std::string connections, spikes;
    for (int source = 0; source < 13; ++source) {
      connections += std::to_string(source);
      spikes += std::to_string(source);
      for (int target = source < 10 ? 10 : 13; target < (source < 10 ? 13 : 16); ++target)
        if ((source * 7 + target) % 3 != 0)
          connections += " " + std::to_string(target);
      for (int time = 1; time <= 20; time += 1 + source % 5)
        spikes += " " + std::to_string(time);
      connections += "\n";
      spikes += "\n";
    }
    writeText(scratch / "connections", connections);
    writeText(scratch / "spikes", spikes);
    writeText(scratch / "small.yaml", chip("2"));
    writeText(scratch / "flow.yaml", "chip: small.yaml\npartition: {algorithm: greedy}\n");
    ToolResult result =
        runTool("lists import '" + out + "' --connections '" + scratch / "connections" +
                "' --spikes '" + scratch / "spikes" + "'");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
  }
  std::string chip(const std::string &meshRows) {
    return "format: spindle-chip\nversion: 1\nname: small\nmesh: {columns: 2, rows: " + meshRows +
           "}\ncrossbar: {rows: 8, columns: 3, weight_bits: 8}\nclock_mhz: {value: 100, source: "
           "test}\nlatency: {row_read_cycles: {value: 10, source: test}, neuron_update_cycles: "
           "{value: 1, source: test}, step_barrier_cycles: {value: 1, source: test}}\n";
  }
  ToolResult compare(const std::string &more = "") {
    return runTool("partition '" + scratch / "flow.yaml" + "' --compare --csv '" +
                   scratch / "table.csv" + "' --out '" + out + "' " + more);
  }

  ScratchFolder scratch;
  std::string out = scratch / "out";
};

TEST_F(Compare, EveryAlgorithmIsAsTheStageMakesIt) {
  importSmallNetwork();
  ToolResult result = compare();
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(out + "/50-clusters.json"));
  Cells table = tableOf(readText(scratch / "table.csv"));
  ASSERT_EQ(table.size(), 8u);
  auto number = [&](const std::string &algorithm, const char *title) {
    return std::stod(table[algorithm][title]);
  };
  for (const auto &[algorithm, cells] : table) {
    for (const char *title : {"clusters", "deliveries", "partial_sums", "slowest_cycles"})
      EXPECT_GE(number(algorithm, title), number("bound", title)) << algorithm << " " << title;
    if (algorithm == "bound")
      continue;
    EXPECT_THAT(result.output, HasSubstr(algorithm));
    ToolResult stage = runTool("partition '" + scratch / "flow.yaml" + "' --out '" + out +
                               "' --set partition.algorithm=" + algorithm);
    ASSERT_EQ(stage.exitCode, 0) << stage.errors;
    nlohmann::json made = readJsonFile(out + "/50-clusters.json");
    EXPECT_EQ(number(algorithm, "clusters"), made["clusters"].size()) << algorithm;
    uint64_t spikes = 0, sums = 0;
    for (const auto &link : made["links"]) {
      spikes += link["spikes"].get<uint64_t>();
      sums += link["partial_sums"].get<uint64_t>();
    }
    EXPECT_EQ(number(algorithm, "deliveries"), spikes) << algorithm;
    EXPECT_EQ(number(algorithm, "partial_sums"), sums) << algorithm;
    std::filesystem::remove(out + "/50-clusters.json");
  }
}

TEST_F(Compare, SaysWhatDoesNotFit) {
  importSmallNetwork();
  ToolResult result = compare("--set partition.crossbars=1");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("kernighan_lin needs "));
  EXPECT_THAT(result.output, HasSubstr(" crossbars, 1 may be used"));
}

TEST_F(Compare, ErrorsHaveAPlace) {
  importSmallNetwork();
  auto errorOf = [&](const std::string &arguments) {
    ToolResult result = runTool("partition '" + scratch / "flow.yaml" + "' " + arguments);
    EXPECT_EQ(result.exitCode, 1) << result.output;
    return result.errors;
  };
  EXPECT_EQ(errorOf("--csv x.csv --out '" + out + "'"),
            "error: --csv requires --compare; see spindle partition --help\n");
  EXPECT_EQ(errorOf("--compare --out '" + scratch / "none" + "'"),
            scratch / "none/40-graph.h5" +
                ": error: the comparison reads this file and it is not there; spindle run FLOW "
                "--until graph makes it\n");
  EXPECT_THAT(errorOf("--compare --out '" + out + "' --csv '" + scratch / "no/folder/x.csv" + "'"),
              HasSubstr("no/folder/x.csv"));
  writeText(scratch / "flow.yaml", "partition: {algorithm: greedy}\n");
  EXPECT_EQ(errorOf("--compare --out '" + out + "'"),
            scratch / "flow.yaml" + ": error: key 'chip' is missing; a comparison needs a chip\n");
}

} // namespace
} // namespace spindle::test
