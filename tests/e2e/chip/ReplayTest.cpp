// `spindle simulate --packets`: traces of packets as a user gives them.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

#include <sstream>

namespace spindle::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::vector<uint64_t>> rowsOf(const std::string &text) {
  std::vector<std::vector<uint64_t>> rows;
  std::istringstream lines(text);
  std::string line, cell;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ','))
      rows.back().push_back(std::stoull(cell));
  }
  return rows;
}

class ReplayCommand : public ::testing::Test {
protected:
  std::string chip(const std::string &router = "{}") {
    writeText(scratch / "chip.yaml",
              "format: spindle-chip\nversion: 1\nname: small\nmesh: {columns: 8, rows: 8}\n"
              "crossbar: {rows: 4, columns: 4}\nrouter: " +
                  router +
                  "\nclock_mhz: {value: 1000, source: \"assumption: round\"}\n"
                  "latency:\n  row_read_cycles: {value: 1, source: \"assumption: one\"}\n"
                  "  neuron_update_cycles: {value: 1, source: \"assumption: one\"}\n"
                  "  step_barrier_cycles: {value: 1, source: \"assumption: one\"}\n");
    return scratch / "chip.yaml";
  }
  ToolResult replay(const std::string &trace, const std::string &chipFile) {
    return runTool("simulate --packets '" + trace + "' --chip '" + chipFile + "' --out '" +
                   (scratch / "out") + "'");
  }
  ScratchFolder scratch;
};

/// The trace that BookSim was given, and its times.
TEST_F(ReplayCommand, ATraceOfBookSimArrivesAsThere) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no folder of data sets: SPINDLE_DATA";
  std::string noc = dataFolder() + "/noc/";
  ToolResult result =
      replay(noc + "traces/uni_8x8_s4_r0.05.trace.csv", chip("{pipeline_cycles: 5}"));
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("3946 deliveries by cycle"));
  std::vector<std::vector<uint64_t>> ours = rowsOf(readText(scratch / "out/delivered.csv"));
  std::vector<std::vector<uint64_t>> theirs =
      rowsOf(readText(noc + "booksim_bs4_uni_8x8_s4_r0.05.delivered.csv"));
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::vector<uint64_t> row : theirs) {
    --row[8]; // it counts routers, we count links
    EXPECT_EQ(ours.at(row[0]), row);
  }
}

/// Both neighbours of a tile send it three flits every four cycles: none is lost, and it is said.
TEST_F(ReplayCommand, SaturationIsReported) {
  auto summaryOf = [&](int flits) {
    std::string trace = "pkt_id,inject_cycle,src,dst,size_flits\n";
    for (int packet = 0; packet < 1200; ++packet)
      trace += std::to_string(packet) + "," + std::to_string(packet / 2 * 4) + "," +
               std::to_string(packet % 2 * 2) + ",1," + std::to_string(flits) + "\n";
    writeText(scratch / "trace.csv", trace);
    ToolResult result = replay(scratch / "trace.csv", chip());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    return result.output;
  };
  EXPECT_THAT(summaryOf(3), AllOf(HasSubstr("1200 deliveries by cycle"),
                                  HasSubstr("; the mesh is saturated: 0.023 flits per cycle and "
                                            "tile are made in the second half of the trace, 0.010 "
                                            "received")));
  EXPECT_THAT(summaryOf(1), Not(HasSubstr("saturated")));
}

/// SystemC carries them in the same cycles, and says nothing of its own.
TEST_F(ReplayCommand, EnginesWriteTheSameFiles) {
  std::string trace = "pkt_id,inject_cycle,src,dst,size_flits\n";
  for (int packet = 0; packet < 60; ++packet)
    trace += std::to_string(packet) + "," + std::to_string(packet / 4) + "," +
             std::to_string(packet * 7 % 16) + "," + std::to_string(packet * 5 % 16) + ",3\n";
  writeText(scratch / "trace.csv", trace);
  std::string file = chip("{virtual_channels: 2}");
  std::string text = readText(file);
  text.replace(text.find("columns: 8, rows: 8"), 19, "columns: 4, rows: 4");
  writeText(file, text);
  auto run = [&](const std::string &engine) {
    return runTool("simulate --packets '" + (scratch / "trace.csv") + "' --chip '" + file +
                   "' --vcd 0-1,5-9 --engine " + engine + " --out '" + (scratch / engine) + "'");
  };
  ToolResult model = run("model");
  ASSERT_EQ(model.exitCode, 0) << model.errors;
  for (const std::string engine : {"tlm", "pins"}) {
    ToolResult other = run(engine);
    EXPECT_EQ(other.exitCode, 0);
    EXPECT_EQ(other.errors, model.errors);
    for (const std::string name : {"/delivered.csv", "/links.vcd"})
      EXPECT_EQ(readText(scratch / engine + name), readText(scratch / "model" + name)) << engine;
  }
  EXPECT_THAT(run("rtl").errors, HasSubstr("rtl not in {model,tlm,pins}"));
  file = chip();
  ToolResult large = runTool("simulate --packets '" + (scratch / "trace.csv") + "' --chip '" +
                             file + "' --engine pins --out '" + (scratch / "large") + "'");
  EXPECT_EQ(large.exitCode, 1);
  EXPECT_THAT(large.errors,
              HasSubstr("chip.yaml: error: engine pins simulates up to 4x4 tiles, and "
                        "the mesh is 8x8; use engine tlm or model"));
}

TEST_F(ReplayCommand, WavesAreOfLinksWithAFlitPerCycle) {
  writeText(scratch / "trace.csv", "pkt_id,inject_cycle,src,dst,size_flits\n0,0,1,2,1\n");
  auto errorsOf = [&](const std::string &router, const std::string &links) {
    return runTool("simulate --packets '" + (scratch / "trace.csv") + "' --chip '" + chip(router) +
                   "' --out '" + (scratch / "out") + "' --vcd " + links)
        .errors;
  };
  EXPECT_EQ(errorsOf("{}", "''"), "--vcd: error: '' is no link, expected two tiles such as 0-1\n");
  EXPECT_THAT(errorsOf("{topology: segmented_bus, bus: {lanes: 2}}", "1-2"),
              HasSubstr("chip.yaml: error: --vcd shows a flit per link and cycle, and a bus of 2 "
                        "lanes has more; set bus.lanes to 1, or leave --vcd out"));
  EXPECT_THAT(errorsOf("{topology: segmented_bus}", "1-2"), Not(HasSubstr("error")));
  EXPECT_THAT(readText(scratch / "out/links.vcd"), HasSubstr("link_1_2"));
}

TEST_F(ReplayCommand, ErrorsNameTheRowAndTheRemedy) {
  writeText(scratch / "bad.csv", "pkt_id,inject_cycle,src,dst,size_flits\n0,0,1,64,1\n");
  ToolResult result = replay(scratch / "bad.csv", chip());
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("bad.csv:2: error: dst is tile 64, but the mesh of 8x8 "
                                       "ends with tile 63"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out/delivered.csv"));
  result = replay(scratch / "bad.csv", "mesh-127");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("--chip: error: there is no chip 'mesh-127', expected"));
  for (const std::string given : {"", "--packets bad.csv"}) {
    result = runTool("simulate " + given);
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("simulate needs a flow file, or packets and their chip: "
                                         "--packets TRACE.csv --chip CHIP.yaml"));
  }
}

} // namespace
} // namespace spindle::test
