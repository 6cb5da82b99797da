// A network on a chip with half the crossbars that it needs: `spindle multiplex FLOW`, and flows
// with partition.multiplex.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A row of tiles with a crossbar each.
std::string loadChipOf(int crossbars, int tileRows, const std::string &crossbar,
                       const std::string &more) {
  return "format: spindle-chip\nversion: 2\nname: small\nmesh: {columns: " +
         std::to_string(crossbars) + ", rows: " + std::to_string(tileRows) +
         "}\ncrossbar: " + crossbar +
         "\nclock_mhz: {value: 100, source: test}\nlatency: {row_read_cycles: {value: 10, source: "
         "test}, neuron_update_cycles: {value: 1, source: test}, step_barrier_cycles: {value: 1, "
         "source: test}}\n" +
         more;
}

std::vector<std::vector<double>> loadRowsOf(const std::string &csv) {
  std::istringstream text(readText(csv));
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

const std::string kLoadPrices =
    "load: {row_cycles: {value: 7, source: test}, cell_pj: {value: 2, source: test}}\n";

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
    writeText(scratch / "small.yaml", loadChipOf(crossbars, 1, "{rows: 12, columns: 4}", load));
    return runTool("multiplex '" + scratch / "flow.yaml" + "' --out '" + scratch / "out" +
                   "' --csv '" + scratch / "loads.csv" + "'");
  }
  ScratchFolder scratch;
};

TEST_F(Multiplex, RunsInLoads) {
  ToolResult result = multiplex(2, kLoadPrices);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 loads on 2 crossbars"));
  std::vector<std::vector<double>> rows = loadRowsOf(scratch / "loads.csv");
  ASSERT_EQ(rows.size(), 4u); // two loads, together, at once
  for (size_t column = 0; column < rows[0].size(); ++column)
    EXPECT_NEAR(rows[0][column] + rows[1][column], rows[2][column], 2) << column;
  EXPECT_EQ(rows[2][0], 4);              // clusters
  EXPECT_EQ(rows[2][2], 7 * rows[2][1]); // write cycles, of rows
  EXPECT_EQ(rows[3][2], 0);              // nothing is written where all are at once
  EXPECT_GT(rows[2][3], rows[3][3]);     // run cycles
}

TEST_F(Multiplex, WithRoomForAllNothingIsWritten) {
  ToolResult result = multiplex(4, kLoadPrices);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("1 load on 4 crossbars"));
  std::vector<std::vector<double>> rows = loadRowsOf(scratch / "loads.csv");
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
  result = multiplex(2, kLoadPrices);
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("40-graph.h5: error: loads are made from this file and it "
                                       "is not there; spindle run FLOW --until graph makes it"));
}

/// The digits on crossbars of 16 columns: nine for their 138 neurons.
class MultiplexFlow : public ::testing::Test {
protected:
  ToolResult run(const std::string &folder, const std::string &more = "",
                 const std::string &command = "run") {
    return runTool(command +
                   " configs/flows/digits-mlp.yaml --set dataset.limit=60 --set "
                   "emulation.record_samples=6 --set simulation.samples=4 --set chip='" +
                   (scratch / "chip.yaml") + "' --out '" + (scratch / folder) + "' " + more);
  }
  ToolResult mustRun(const std::string &folder, const std::string &more = "",
                     const std::string &command = "run") {
    ToolResult result = run(folder, more, command);
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    return result;
  }
  void useChip(int tileRows, const std::string &load = kLoadPrices,
               const std::string &energy = "") {
    writeText(scratch / "chip.yaml",
              loadChipOf(5, tileRows, "{rows: 128, columns: 16}",
                         "energy: {synapse_pj: {value: 0.1, source: test}, hop_x_pj: {value: 3, "
                         "source: test}, hop_y_pj: {value: 3, source: test}" +
                             energy + "}\n" + load));
  }
  bool has(const std::string &file) const { return std::filesystem::exists(scratch / file); }
  static double value(const nlohmann::json &quantity) { return quantity.at("value"); }

  const std::string multiplex = "--set partition.multiplex=true ";
  ScratchFolder scratch;
};

TEST_F(MultiplexFlow, DigitsRunOnHalfTheCrossbars) {
  useChip(1);
  ToolResult result = mustRun("half", multiplex + "--set 'assessment={samples: 5, step_us: 1}'");
  for (const char *stage : {"analyze   ", "map       ", "simulate  ", "assess    "})
    EXPECT_THAT(result.output,
                HasSubstr(stage + std::string("left out: it takes all 9 clusters at once, and the "
                                              "chip has 5 crossbars; the stage load runs them")));
  EXPECT_THAT(result.output, HasSubstr("load      2 loads on 5 crossbars: "));
  EXPECT_FALSE(has("half/70-mapping.json") || has("half/80-chip.json"));
  nlohmann::json loads = readJsonFile(scratch / "half/75-loads.json");
  nlohmann::json report = readJsonFile(scratch / "half/report.json")["loads"];
  ASSERT_EQ(loads["loads"].size(), 2u);
  EXPECT_EQ(report["order"].size(), 2u);

  // What is driven is loaded with or after what drives it, and every row of it is written.
  nlohmann::json clusters = readJsonFile(scratch / "half/50-clusters.json");
  std::vector<size_t> loadOf(9, 9);
  for (size_t l = 0; l < 2; ++l)
    for (size_t cluster : loads["loads"][l]["clusters"])
      loadOf.at(cluster) = l;
  for (const nlohmann::json &link : clusters["links"]) {
    size_t to = link["to"];
    EXPECT_LE(loadOf[link["from"].is_null() ? to : link["from"].get<size_t>()], loadOf[to]);
  }
  double rows = 0;
  for (const nlohmann::json &cluster : clusters["clusters"])
    rows += double(cluster["axons"].size());
  EXPECT_GT(rows, 0);
  EXPECT_EQ(value(report["together"]["write_cycles"]), 7 * rows);

  // The same on a chip with room: as many spikes and synaptic events, in fewer cycles.
  useChip(2);
  mustRun("whole");
  EXPECT_EQ(readText(scratch / "half/30-spikes.h5"), readText(scratch / "whole/30-spikes.h5"));
  EXPECT_EQ(clusters, readJsonFile(scratch / "whole/50-clusters.json"));
  nlohmann::json chip = readJsonFile(scratch / "whole/report.json")["chip"];
  EXPECT_EQ(4 * report["together"]["synaptic_events_per_sample"].get<double>(),
            chip["synaptic_events"]);
  EXPECT_EQ(value(report["at_once"]["cost"]["cycles_per_sample"]),
            value(chip["cycles_per_sample"]));
  EXPECT_NEAR(value(report["at_once"]["cost"]["energy_per_sample"]),
              value(chip["energy_per_sample"]), 1e-6);
  EXPECT_GT(value(report["together"]["run_cycles"]), value(chip["cycles_per_sample"]));
}

TEST_F(MultiplexFlow, TilesLeakWhileWeightsAreWritten) {
  auto loadsAt = [&](const std::string &rowCycles) {
    useChip(1, "load: {row_cycles: {value: " + rowCycles + ", source: test}}\n",
            ", leakage_tile_mw: {value: 2, source: test}");
    mustRun("half", multiplex);
    return readJsonFile(scratch / "half/75-loads.json");
  };
  nlohmann::json quick = loadsAt("1"), slow = loadsAt("1000");
  double leaked = 0;
  for (size_t l = 0; l < slow["loads"].size(); ++l) {
    std::set<size_t> tiles; // that are in use
    for (const nlohmann::json &placement : slow["loads"][l]["placements"])
      tiles.insert(placement["tile"].get<size_t>());
    double cycles = double(slow["loads"][l]["cost"]["write_cycles"]) -
                    double(quick["loads"][l]["cost"]["write_cycles"]);
    leaked += cycles * double(tiles.size()) * 2 * 10; // mW times ns of a cycle at 100 MHz
  }
  EXPECT_GT(leaked, 0);
  EXPECT_NEAR(double(slow["together"]["energy_pj"]) - double(quick["together"]["energy_pj"]),
              leaked, 1e-6 * leaked);
}

TEST_F(MultiplexFlow, TheCommandSaysTheSame) {
  useChip(1);
  mustRun("half", multiplex);
  nlohmann::json report = readJsonFile(scratch / "half/report.json")["loads"];
  std::string csv = scratch / "loads.csv"; // without the key
  ToolResult result = mustRun("half", "--csv '" + csv + "'", "multiplex");
  std::vector<std::vector<double>> rows = loadRowsOf(csv);
  ASSERT_EQ(rows.size(), 4u); // two loads, together, at once
  std::vector<nlohmann::json> costs = {report["order"][0]["cost"], report["order"][1]["cost"],
                                       report["together"], report["at_once"]["cost"]};
  for (size_t row = 0; row < 4; ++row) {
    EXPECT_NEAR(rows[row][2], value(costs[row]["write_cycles"]), 0.5) << row;
    EXPECT_NEAR(rows[row][3], value(costs[row]["run_cycles"]), 0.5) << row;
    EXPECT_NEAR(rows[row][5], value(costs[row]["energy_per_sample"]) / 1e6, 0.0005) << row;
  }
  EXPECT_THAT(mustRun("half", multiplex, "load").output,
              HasSubstr(result.output.substr(result.output.rfind("2 loads on"), 40)));
}

TEST_F(MultiplexFlow, WithRoomTheNetworkIsMappedAsEver) {
  useChip(1);
  mustRun("out", multiplex);
  useChip(2);
  ToolResult result = mustRun("out", multiplex);
  EXPECT_THAT(result.output, HasSubstr("load      left out: the chip has 10 crossbars for 9"));
  EXPECT_THAT(result.output, HasSubstr("spike-hops"));
  EXPECT_FALSE(has("out/75-loads.json"));
  nlohmann::json report = readJsonFile(scratch / "out/report.json");
  EXPECT_TRUE(report.contains("chip") && report.contains("sdf") && !report.contains("loads"));
  EXPECT_THAT(mustRun("out", multiplex).output, HasSubstr("simulate  up to date"));

  useChip(1);
  EXPECT_THAT(mustRun("out", multiplex).output, HasSubstr("simulate  left out: "));
  report = readJsonFile(scratch / "out/report.json");
  EXPECT_TRUE(report.contains("loads"));
  for (const char *section : {"chip", "sdf", "mapping"})
    EXPECT_FALSE(report.contains(section)) << section;
  EXPECT_THAT(mustRun("out", multiplex).output, HasSubstr("load      up to date"));
  EXPECT_THAT(mustRun("out", multiplex, "simulate").output, HasSubstr("simulate  left out: "));

  useChip(2);
  result = mustRun("out");
  EXPECT_THAT(result.output, HasSubstr("load      left out: the flow has no partition.multiplex"));
  EXPECT_FALSE(has("out/75-loads.json"));
  EXPECT_THAT(mustRun("out").output, Not(HasSubstr("load  ")));
}

TEST_F(MultiplexFlow, ChipsThatLeaveNeuronsAtRestAreSimulatedToo) {
  useChip(1, kLoadPrices, ", neuron_access_pj: {value: 1, source: test}");
  mustRun("half", multiplex);
  nlohmann::json atOnce = readJsonFile(scratch / "half/report.json")["loads"]["at_once"]["cost"];
  useChip(2, kLoadPrices, ", neuron_access_pj: {value: 1, source: test}");
  mustRun("whole");
  nlohmann::json chip = readJsonFile(scratch / "whole/report.json")["chip"];
  EXPECT_NEAR(value(atOnce["energy_per_sample"]), value(chip["energy_per_sample"]), 1e-6);
}

TEST_F(MultiplexFlow, ErrorsNamePlaceAndRemedy) {
  auto errorOf = [&](const std::string &more, const std::string &command = "run") {
    ToolResult result = run("out", more, command);
    EXPECT_EQ(result.exitCode, 1) << result.output;
    return result.errors;
  };
  useChip(1, "");
  EXPECT_THAT(errorOf(multiplex),
              HasSubstr("chip.yaml: error: the chip has no price of writing a row of a crossbar, "
                        "which loads need; add load: {row_cycles: {value: 10, source: "
                        "\"assumption: ...\"}} (version 2)\n"));
  EXPECT_FALSE(has("out/10-ann.json")) << "said before the first stage";
  useChip(1);
  EXPECT_THAT(
      errorOf(""),
      HasSubstr("chip.yaml: error: the network needs at least 9 crossbars of 128x16, the chip has "
                "5; use a larger mesh, more crossbars_per_tile or larger crossbars, or run "
                "it in loads with partition.multiplex: true\n"));
  EXPECT_THAT(errorOf(multiplex + "--set partition.crossbars=4"),
              HasSubstr("error: loads take all crossbars of the chip, found crossbars: 4 beside "
                        "multiplex; leave one of them out\n"));
  EXPECT_THAT(
      errorOf("", "load"),
      HasSubstr("digits-mlp.yaml: error: section 'chip and partition.multiplex' is missing; "
                "the stage load needs it\n"));
}

} // namespace
} // namespace spindle::test
