// `spindle multiplex FLOW`: a network on a chip with half the crossbars that it needs.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <sstream>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class Multiplex : public ::testing::Test {
protected:
  /// Ten inputs and two layers of six neurons, four columns to a crossbar: two for each layer.
  void SetUp() override {
    std::string connections, spikes;
    for (int source = 0; source < 16; ++source) {
      connections += std::to_string(source);
      spikes += std::to_string(source);
      for (int target = source < 10 ? 10 : 16; target < (source < 10 ? 16 : 22); ++target)
        connections += " " + std::to_string(target);
      for (int time = 1; time <= 20; time += 1 + source % 5)
        spikes += " " + std::to_string(time);
      connections += "\n";
      spikes += "\n";
    }
    writeText(scratch / "connections", connections);
    writeText(scratch / "spikes", spikes);
    writeText(scratch / "flow.yaml", "chip: small.yaml\npartition: {algorithm: first_fit}\n");
    ToolResult result =
        runTool("lists import '" + scratch / "out" + "' --connections '" + scratch / "connections" +
                "' --spikes '" + scratch / "spikes" + "'");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
  }
  ToolResult multiplex(int crossbars, const std::string &load) {
    writeText(scratch / "small.yaml",
              "format: spindle-chip\nversion: 2\nname: small\nmesh: {columns: " +
                  std::to_string(crossbars) +
                  ", rows: 1}\ncrossbar: {rows: 12, columns: 4}\nclock_mhz: {value: 100, source: "
                  "test}\nlatency: {row_read_cycles: {value: 10, source: test}, "
                  "neuron_update_cycles: {value: 1, source: test}, step_barrier_cycles: {value: 1, "
                  "source: test}}\n" +
                  load);
    return runTool("multiplex '" + scratch / "flow.yaml" + "' --out '" + scratch / "out" +
                   "' --csv '" + scratch / "loads.csv" + "'");
  }
  std::vector<std::vector<double>> rowsOfCsv() {
    std::istringstream text(readText(scratch / "loads.csv"));
    std::vector<std::vector<double>> rows;
    std::string line, cell;
    for (std::getline(text, line); std::getline(text, line);) {
      std::istringstream cells(line);
      std::vector<double> &row = rows.emplace_back();
      std::getline(cells, cell, ',');
      while (std::getline(cells, cell, ','))
        row.push_back(std::stod(cell));
    }
    return rows;
  }
  const std::string kLoad = "load: {row_cycles: {value: 7, source: test}}\n";
  ScratchFolder scratch;
};

TEST_F(Multiplex, RunsInLoads) {
  ToolResult result = multiplex(2, kLoad);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 loads on 2 crossbars"));
  std::vector<std::vector<double>> rows = rowsOfCsv();
  ASSERT_EQ(rows.size(), 4u); // two loads, together, at once
  for (size_t column = 0; column < rows[0].size(); ++column)
    EXPECT_NEAR(rows[0][column] + rows[1][column], rows[2][column], 2) << column;
  EXPECT_EQ(rows[2][0], 4);              // clusters
  EXPECT_EQ(rows[2][2], 7 * rows[2][1]); // write cycles, of rows
  EXPECT_EQ(rows[3][2], 0);              // nothing is written where all are at once
  EXPECT_GT(rows[2][3], rows[3][3]);     // run cycles
}

TEST_F(Multiplex, WithRoomForAllNothingIsWritten) {
  ToolResult result = multiplex(4, kLoad);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("1 load on 4 crossbars"));
  std::vector<std::vector<double>> rows = rowsOfCsv();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1], rows[2]);
}

TEST_F(Multiplex, ErrorsSayWhatIsMissing) {
  ToolResult result = multiplex(2, "");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors,
              HasSubstr("small.yaml: error: the chip has no price of writing a row of a crossbar, "
                        "which loads need; add load: {row_cycles: {value: 10, source: "
                        "\"assumption: ...\"}} (version 2)"));
  std::filesystem::remove(scratch / "out/40-graph.h5");
  result = multiplex(2, kLoad);
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("40-graph.h5: error: loads are made from this file and it "
                                       "is not there; spindle run FLOW --until graph makes it"));
}

} // namespace
} // namespace spindle::test
