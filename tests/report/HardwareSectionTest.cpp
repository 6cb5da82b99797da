// The circuit in the report, by numbers that are worked out by hand (SampleCircuit.cpp).
#include "lib/report/Report.h"
#include "tests/report/JsonSchema.h"
#include "tests/report/SampleCircuit.h"
#include "tests/report/SampleRun.h"

#include "core/support/files/File.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

class HardwareReport : public ::testing::Test {
protected:
  std::string folder = ::testing::TempDir() + "hardware-report-" +
                       ::testing::UnitTest::GetInstance()->current_test_info()->name();
  void SetUp() override { std::filesystem::remove_all(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// An ANN, an emulation and the circuit alone.
  static StageFiles sample() {
    StageFiles whole = makeSampleRun(), files;
    files.ann = whole.ann;
    files.emulation = whole.emulation;
    files.hardware = whole.hardware;
    files.circuit = whole.circuit;
    files.int8Ann = whole.int8Ann;
    return files;
  }
  Json sectionOf(const StageFiles &files) {
    std::filesystem::remove_all(folder);
    llvm::cantFail(writeStageFiles(folder, files));
    Json report = llvm::cantFail(buildReport(folder));
    EXPECT_THAT(schemaProblems(llvm::cantFail(readJson("docs/report.schema.json")), report),
                IsEmpty());
    return report["hardware"];
  }
};

/// A layer does what its busiest process does; its area is that of all of them.
TEST_F(HardwareReport, LayersAreAsBusyAsTheirBusiestProcess) {
  Json section = sectionOf(sample());
  const Json &conv = section["layers"][0], &dense = section["layers"][1];
  EXPECT_EQ(conv["style"], "event");
  EXPECT_EQ(conv["use"]["task"], "while1");
  EXPECT_EQ(conv["use"]["busy"], 1600.0 / 2000);
  EXPECT_EQ(conv["use"]["without_token"], 300.0 / 2000);
  EXPECT_EQ(conv["use"]["without_room"], 100.0 / 2000);
  EXPECT_EQ(dense["use"]["busy"], 250.0 / 2000);
  EXPECT_EQ(conv["area"]["lut"], 500);
  EXPECT_EQ(conv["area"]["lut_ram"], 40);
  EXPECT_EQ(conv["area"]["bram"], 2);
  EXPECT_EQ(conv["estimate"]["lut"], 900);
  EXPECT_FALSE(dense.contains("estimate"));
}

TEST_F(HardwareReport, StreamsAndSamplesComeFromTheCoSimulation) {
  Json section = sectionOf(sample());
  const Json &simulation = section["simulation"];
  EXPECT_EQ(simulation["source"], "90-hardware/cosim.json");
  EXPECT_EQ(simulation["samples"], 3);
  EXPECT_EQ(simulation["agrees"], true);
  EXPECT_EQ(simulation["latency_cycles"]["mean"]["value"], 1000);
  EXPECT_EQ(simulation["latency_cycles"]["max"]["value"], 1100);
  EXPECT_EQ(simulation["cycles_per_sample"]["value"], 750);
  EXPECT_EQ(simulation["samples_per_second"]["value"], 1e9 / 7500); // a cycle takes 10 ns
  std::vector<std::string> ends;
  for (const Json &fifo : simulation["fifos"])
    ends.push_back(fifo["from"].get<std::string>() + ">" + fifo["to"].get<std::string>());
  EXPECT_THAT(ends, ElementsAre(">conv2", "conv2>dense1", "dense1>nest9"));
  EXPECT_EQ(simulation["fifos"][1]["most"], 12);
  EXPECT_EQ(section["energy"]["per_sample"]["value"], 519);
  EXPECT_EQ(section["energy"]["parts"][0]["value"], 331);
  EXPECT_EQ(section["energy"]["parts"][2]["name"], "streams and control");
  EXPECT_EQ(section["energy"]["parts"][2]["value"], 77);
}

/// 18 % of accuracy and what else differs, each to the one that is better.
TEST_F(HardwareReport, SaysWhichOfBothWins) {
  StageFiles files = sample();
  Json comparison = sectionOf(files)["comparison"];
  std::map<std::string, std::string> better;
  for (const Json &row : comparison["rows"])
    better[row["name"]] = row["better"];
  std::map<std::string, std::string> expected = {{"accuracy", "int8_ann"},
                                                 {"latency", "snn"},
                                                 {"cycles per sample in a stream", "snn"},
                                                 {"samples per second", "snn"},
                                                 {"energy per sample", "equal"},
                                                 {"LUT", "int8_ann"},
                                                 {"FF", "equal"},
                                                 {"DSP", "snn"},
                                                 {"BRAM", "equal"}};
  EXPECT_EQ(better, expected);
  EXPECT_EQ(comparison["snn"], 4);
  EXPECT_EQ(comparison["int8_ann"], 2);
  EXPECT_EQ(comparison["equal"], 3);
  EXPECT_EQ(comparison["rows"][5]["snn"], 850); // with what cells of LUT RAM take

  files.int8Ann->circuit.area.reset(); // estimates then, of both
  files.int8Ann->circuit.cosim.reset();
  comparison = sectionOf(files)["comparison"];
  std::vector<std::string> names;
  for (const Json &row : comparison["rows"])
    names.push_back(row["name"]);
  EXPECT_THAT(names, ElementsAre("accuracy", "LUT, by estimate", "FF, by estimate",
                                 "DSP, by estimate", "BRAM, by estimate"));
}

TEST_F(HardwareReport, NamesTheCommandsOfWhatWasNotRun) {
  StageFiles files = sample();
  files.int8Ann.reset();
  Json section = sectionOf(files);
  EXPECT_FALSE(section.contains("int8_ann"));
  EXPECT_FALSE(section.contains("comparison"));
  EXPECT_EQ(section["int8_commands"],
            Json({"spindle run FLOW --out DIR/int8-ann --set 'conversion.tensor=[conv2]' --set "
                  "emulation.steps=1",
                  "spindle cosim DIR/int8-ann/90-hardware --images 3",
                  "spindle area DIR/int8-ann/90-hardware --liberty cells.lib --power 3",
                  "spindle report DIR"}));
  files.circuit = {};
  EXPECT_EQ(sectionOf(files)["int8_commands"].size(), 2u);
  files.hardware->int8Ann.clear(); // no chain of layers
  EXPECT_FALSE(sectionOf(files).contains("int8_commands"));
}

TEST_F(HardwareReport, AnotherNetworkIsNoRival) {
  StageFiles files = sample();
  llvm::cantFail(writeStageFiles(folder, files));
  ++files.ann->parameters;
  llvm::cantFail(writeAnnEvaluation(folder + "/10-ann.json", *files.ann));
  llvm::Expected<Json> report = buildReport(folder);
  ASSERT_FALSE(bool(report));
  EXPECT_THAT(
      toText(report.takeError()),
      HasSubstr("int8-ann/10-ann.json: error: found another network or other samples than"));
}

TEST_F(HardwareReport, PublishedAcceleratorsNamePartAndClock) {
  Json published = sectionOf(sample())["published"];
  ASSERT_GE(published.size(), 5u);
  EXPECT_EQ(published[0]["name"], "Spiker+");
  EXPECT_EQ(published[0]["part"], "XC7Z020");
  EXPECT_EQ(published[0]["clock_mhz"], 100);
  EXPECT_EQ(published[0]["tool"], "Vivado");
  EXPECT_FALSE(published[2].contains("tool")); // not stated
}

} // namespace
