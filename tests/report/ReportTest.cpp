#include "lib/report/Report.h"

#include "core/support/files/File.h"
#include "lib/report/Sections.h"
#include "tests/report/SampleRun.h"

#include "gmock/gmock.h"

#include <filesystem>
#include <functional>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class ReportFolder : public ::testing::Test {
protected:
  std::string folder = ::testing::TempDir() + "report-" +
                       ::testing::UnitTest::GetInstance()->current_test_info()->name();
  void SetUp() override { std::filesystem::remove_all(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string file(const char *name) const { return folder + "/" + name; }

  Json reportOf(const StageFiles &files) {
    std::filesystem::remove_all(folder);
    llvm::cantFail(writeStageFiles(folder, files));
    llvm::Expected<Json> report = buildReport(folder);
    EXPECT_TRUE(bool(report)) << toText(report.takeError());
    return report ? *report : Json();
  }
  std::string errorOf(const StageFiles &files) {
    std::filesystem::remove_all(folder);
    llvm::cantFail(writeStageFiles(folder, files));
    llvm::Expected<Json> report = buildReport(folder);
    return report ? "" : toText(report.takeError());
  }
};

// Small numbers whose report can be worked out by hand.
TEST_F(ReportFolder, NumbersFollowFromTheStageFiles) {
  StageFiles files;
  files.ann = AnnEvaluation{"m.onnx", "onnx", {"a"}, 6, 8, 7, {{4, 0}, {1, 3}}};
  EmulationSummary snn;
  snn.encoding = "poisson";
  snn.steps = 4;
  snn.samples = 8;
  snn.correctByStep = {2, 4, 7, 6};
  snn.confusion = {{4, 0}, {2, 2}};
  snn.populations = {{"input", PopulationKind::Input, {3}, 0, 3},
                     {"a", PopulationKind::Neuron, {5}, 3, 5}};
  snn.spikes = {48, 16};
  snn.synapticEvents = 400;
  snn.seconds = 0.5;
  files.emulation = snn;
  Json report = reportOf(files);
  EXPECT_EQ(report["ann"]["accuracy"], 0.875);
  EXPECT_EQ(report["snn"]["accuracy"], 0.75);
  EXPECT_EQ(report["snn"]["accuracy_by_step"], Json({0.25, 0.5, 0.875, 0.75}));
  EXPECT_EQ(report["snn"]["loss_points"], Json({{"value", 12.5},
                                                {"unit", "percentage points"},
                                                {"source", "10-ann.json, 30-emulation.json"}}));
  EXPECT_FALSE(report["snn"].contains("steps_within_one_point")); // reached, then lost again
  EXPECT_EQ(report["snn"]["neurons"], 5);                         // the host's are not on the chip
  EXPECT_EQ(report["snn"]["spikes_per_sample"], 2.0);
  EXPECT_EQ(report["snn"]["input_spikes_per_sample"], 6.0);
  EXPECT_EQ(report["snn"]["spike_rate"], 0.1); // 16 spikes / (5 neurons × 4 steps × 8 samples)
  EXPECT_EQ(report["snn"]["break_even"]["is_below"], false);
  EXPECT_EQ(report["snn"]["populations"][0]["spike_rate"], 0.5);
  EXPECT_EQ(report["snn"]["synaptic_events_per_sample"], 50.0);
  EXPECT_EQ(report["timing"]["emulation_seconds"]["value"], 0.5);
  EXPECT_EQ(report["timing"]["synaptic_events_per_second"]["value"], 800.0);
}

TEST_F(ReportFolder, LoadsAddUp) {
  StageFiles files;
  files.loads = MultiplexedRun{
      "small",
      1,
      2,
      50,
      {{10, "a paper"}, {}},
      {{{0}, {{0, 0}}, 3, {30, 70, 5, 8, 100}}, {{1}, {{0, 0}}, 2, {20, 80, 0, 2, 50}}},
      2,
      {0, 100, 4, 10, 140}};
  Json loads = reportOf(files)["loads"];
  EXPECT_EQ(loads["together"]["cycles_per_sample"]["value"], 200.0); // 30 + 70 + 20 + 80
  EXPECT_EQ(loads["together"]["write_cycles"]["value"], 50.0);
  EXPECT_EQ(loads["together"]["energy_per_sample"]["value"], 150.0);
  EXPECT_EQ(loads["together"]["synaptic_events_per_sample"], 10.0);
  EXPECT_EQ(loads["order"][1]["name"], "load 2");
  EXPECT_EQ(loads["order"][1]["cost"]["cycles_per_sample"]["value"], 100.0);
  EXPECT_EQ(loads["slowdown"], 2.0);
  EXPECT_EQ(loads["time_per_sample"]["value"], 4.0); // 200 cycles at 50 MHz
  EXPECT_EQ(loads["samples_per_second"]["value"], 250000.0);
  EXPECT_EQ(loads["row"], Json({{"value", 10.0}, {"unit", "cycles"}, {"source", "a paper"}}));
  EXPECT_FALSE(loads.contains("cell")); // without a price
}

TEST_F(ReportFolder, TheDiagnosisNamesWhatEachLayerCosts) {
  StageFiles files;
  files.diagnosis = Diagnosis{4,
                              200,
                              196,
                              190,
                              50,
                              2000,
                              {{"a", "rate", 30, 0.5, 0.25, 0.1, 0.2, 0.1, 0.2, "", 193},
                               {"b", "first_spike", 20, 0, 0, 0, 0, 0, 0.1, "no twin", 0}}};
  Json report = reportOf(files)["diagnosis"];
  EXPECT_EQ(report["ann_accuracy"], 0.98);
  EXPECT_EQ(report["snn_accuracy"], 0.95);
  EXPECT_EQ(report["loss_points"]["value"], 3.0);
  EXPECT_EQ(report["costliest_layers"], Json::array({"a"}));
  EXPECT_EQ(report["hidden_spike_rate"], 0.05); // 2000 / (50 · 4 · 200)
  EXPECT_EQ(report["break_even"]["is_below"], true);
  EXPECT_EQ(report["layers"][0]["contribution_points"],
            Json({{"value", 1.5}, {"unit", "percentage points"}, {"source", "35-diagnosis.json"}}));
  EXPECT_EQ(report["layers"][1]["without_twin"], "no twin");
  EXPECT_FALSE(report["layers"][1].contains("contribution_points"));
  files.diagnosis->layers[0].twinCorrect = 190;
  EXPECT_EQ(reportOf(files)["diagnosis"]["costliest_layers"], Json::array());
}

TEST_F(ReportFolder, TheAssessmentNamesTheKnee) {
  StageFiles files;
  files.assessment = Assessment{"mesh", 8, 200, 190, LateSpikes::Drop, {"a", "b"}, {}, {}};
  for (auto [stepUs, correct] : {std::pair(0.1, 20u), std::pair(0.2, 189u), std::pair(0.4, 187u),
                                 std::pair(0.8, 188u), std::pair(1.6, 190u)})
    files.assessment->delivered.push_back({stepUs, correct, {{40, 20, 10, 0, 0, 0}, {}}});
  Json report = reportOf(files)["assessment"];
  EXPECT_EQ(report["ideal_accuracy"], 0.95);
  EXPECT_EQ(report["late"], "drop");
  EXPECT_EQ(report["delivered"][0]["accuracy"], 0.1);
  EXPECT_EQ(report["delivered"][2]["loss_points"]["value"], 1.5);
  EXPECT_EQ(report["delivered"][0]["layers"][0]["lost_spikes"], 10);
  // 0.2 µs costs half a point, but a longer step costs more than one.
  EXPECT_EQ(report["knee"],
            Json({{"value", 0.8}, {"unit", "us"}, {"source", "85-assessment.json"}}));
  files.assessment->delivered.erase(files.assessment->delivered.begin(),
                                    files.assessment->delivered.begin() + 3);
  EXPECT_FALSE(reportOf(files)["assessment"].contains("knee")); // nothing is lost in this sweep
  files.assessment->delivered[0].correct = files.assessment->delivered[1].correct = 20;
  EXPECT_FALSE(reportOf(files)["assessment"].contains("knee")); // not reached
}

TEST_F(ReportFolder, DevicesStandBesideTheIdeal) {
  StageFiles files;
  files.assessment = Assessment{"mesh", 8, 200, 190, LateSpikes::Next, {"a"}, {}, {}};
  files.assessment->devices = {{0.05, 6, {180, 190, 170}, {20, 40, 0}}};
  Json report = reportOf(files)["assessment"];
  EXPECT_EQ(report["delivered"], Json::array());
  EXPECT_EQ(report["devices"][0]["variation"], 0.05);
  EXPECT_EQ(report["devices"][0]["adc_bits"], 6);
  EXPECT_EQ(report["devices"][0]["seeds"], 3);
  EXPECT_DOUBLE_EQ(report["devices"][0]["accuracy"], 0.9);
  EXPECT_DOUBLE_EQ(report["devices"][0]["deviation_points"]["value"], 5); // 90, 95 and 85 %
  EXPECT_DOUBLE_EQ(report["devices"][0]["same_spikes"], 0.1);
}

TEST_F(ReportFolder, AnAssessmentOfOtherStepsIsRefused) {
  StageFiles files = makeSampleRun();
  files.assessment->steps = 3;
  EXPECT_THAT(errorOf(files), HasSubstr("85-assessment.json: error: its steps differ from those of "
                                        "30-emulation.json; run the stages from there on again"));
}

TEST_F(ReportFolder, ADiagnosisOfOtherStepsIsRefused) {
  StageFiles files = makeSampleRun();
  files.diagnosis->steps = 32;
  EXPECT_THAT(errorOf(files), HasSubstr("35-diagnosis.json: error: its steps differ from those of "
                                        "30-emulation.json; run the stages from there on again"));
}

// 0.9845 - 0.984 is 0.00050000000000006 in doubles.
TEST_F(ReportFolder, TheLossIsRoundedOnce) {
  AnnEvaluation ann{"m", "onnx", {}, 0, 2000, 1969, {{1969, 31}}};
  EmulationSummary snn;
  snn.steps = 1;
  snn.samples = 2000;
  snn.correctByStep = {1968};
  EXPECT_EQ(snnSection(snn, ann)["loss_points"]["value"], 0.05);
}

TEST_F(ReportFolder, StepsWithinOnePointIsTheFirstStepFromWhichItHolds) {
  StageFiles files;
  files.ann = AnnEvaluation{"m", "onnx", {}, 0, 1000, 900, {{900, 100}}};
  EmulationSummary snn;
  snn.steps = 5;
  snn.samples = 1000;
  snn.correctByStep = {890, 889, 890, 910, 890};
  snn.confusion = {{890, 110}};
  files.emulation = snn;
  EXPECT_EQ(reportOf(files)["snn"]["steps_within_one_point"], 3);
  files.emulation->correctByStep[4] = 889;
  files.emulation->confusion = {{889, 111}};
  EXPECT_FALSE(reportOf(files)["snn"].contains("steps_within_one_point"));
}

// An SNN beats an equally quantised ANN only below 5.7 % (references, "Mapping").
TEST_F(ReportFolder, BreakEvenSide) {
  for (auto [spikes, isBelow] : {std::pair<uint64_t, bool>{5699, true}, {5700, false}}) {
    EmulationSummary snn;
    snn.steps = 10;
    snn.samples = 100;
    snn.correctByStep.assign(10, 100);
    snn.confusion = {{100}};
    snn.populations = {{"a", PopulationKind::Neuron, {100}, 0, 100}};
    snn.spikes = {spikes};
    Json section = snnSection(snn, std::nullopt);
    EXPECT_EQ(section["break_even"]["is_below"], isBelow) << spikes;
    EXPECT_THAT(section["break_even"]["source"].get<std::string>(), HasSubstr("2409.08290"));
  }
}

TEST_F(ReportFolder, SamplesWithoutLabelsHaveNoAccuracy) {
  EmulationSummary snn;
  snn.steps = 10;
  snn.samples = 1;
  snn.populations = {{"a", PopulationKind::Neuron, {100}, 0, 100}};
  snn.spikes = {5};
  Json section = snnSection(snn, std::nullopt);
  EXPECT_FALSE(section.contains("accuracy"));
  EXPECT_TRUE(section["accuracy_by_step"].empty());
}

TEST_F(ReportFolder, HardwareNumbersFollowFromTheirNouns) {
  StageFiles files = makeSampleRun();
  Json report = reportOf(files);
  const ChipStats &chip = *files.chip;
  EXPECT_EQ(report["chip"]["energy_pj"]["total"]["value"], chip.energyTotalPj);
  double parts = 0;
  for (const auto &[name, part] : report["chip"]["energy_pj"]["by_part"].items())
    parts += part["value"].get<double>();
  EXPECT_NEAR(parts, chip.energyTotalPj, 1e-9 * chip.energyTotalPj);
  EXPECT_EQ(report["chip"]["energy_pj"]["by_part"]["hop_x"]["source"], chip.energy[0].source);
  EXPECT_EQ(report["chip"]["energy_per_sample"]["value"], chip.energyTotalPj / 2);
  // 2,469,134 cycles at 100 MHz for two samples.
  EXPECT_DOUBLE_EQ(report["chip"]["time_per_sample"]["value"].get<double>(), 12345.67);
  EXPECT_DOUBLE_EQ(report["chip"]["samples_per_second"]["value"].get<double>(), 1e6 / 12345.67);
  EXPECT_EQ(report["chip"]["latency_cycles"]["max"]["value"], 212);
  const Json &energy = report["chip"]["energy_pj"];
  EXPECT_EQ(energy["by_kind"].size(), 1u);
  EXPECT_NEAR(energy["by_kind"]["dynamic"]["value"].get<double>(), chip.energyTotalPj,
              1e-9 * chip.energyTotalPj);
  EXPECT_EQ(energy["by_layer"][1]["name"], chip.layers[1].name);
  EXPECT_EQ(energy["by_layer"][1]["energy"]["value"], chip.layers[1].pj);
  EXPECT_EQ(energy["shared"]["value"], 0);
  // Power is energy by time: two samples of 12,345.67 us.
  double milliwatts = 0;
  for (const Json &tile : report["chip"]["tiles"]) {
    milliwatts += tile["power"]["value"].get<double>();
    EXPECT_EQ(tile["temperature"]["unit"], "°C");
  }
  EXPECT_NEAR(milliwatts, chip.energyTotalPj / (2 * 12345.67e3), 1e-9 * milliwatts);
  EXPECT_EQ(report["chip"]["most_read"]["reads"], 1234);
  EXPECT_EQ(report["chip"]["most_read"]["life"]["value"], 12.5);

  double period = report["sdf"]["period"]["value"].get<double>();
  EXPECT_DOUBLE_EQ(report["sdf"]["throughput"]["value"].get<double>() * period, 1);
  EXPECT_DOUBLE_EQ(report["sdf"]["samples_per_second"]["value"].get<double>(), 100e6 / period);
  ASSERT_EQ(report["sdf"]["critical_cycle"].size(), 1u);

  EXPECT_EQ(report["partition"]["clusters"], files.clusters->clusters.size());
  EXPECT_EQ(report["partition"]["units"], 4610);
  EXPECT_EQ(report["partition"]["cut_spikes"], files.clusters->cutSpikes);
  EXPECT_DOUBLE_EQ(report["partition"]["column_use"].get<double>(),
                   4610.0 / (128 * double(files.clusters->clusters.size())));
  double hops = report["mapping"]["spike_hops"].get<double>();
  double random = report["mapping"]["random_spike_hops"].get<double>();
  EXPECT_NEAR(report["mapping"]["saving"].get<double>(), (random - hops) / random, 1e-12);
  EXPECT_EQ(report["graph"]["synapses"], report["snn"]["synapses"]);
  EXPECT_EQ(report["graph"]["fan_in_max"], 200);
}

TEST_F(ReportFolder, RatesAreInHertzAndIntervalsInMilliseconds) {
  StageFiles files;
  files.statistics =
      SpikeStatistics{10,
                      0.5,
                      4,
                      2,
                      {{{"a", PopulationKind::Neuron, {4}, 0, 4},
                        {0.25, 0.125, 0, 0.5, 1},
                        {3, 2, 0.5, 2, 0.25, {0, 2, 0, 0, 1}}},
                       {{"b", PopulationKind::Neuron, {1}, 4, 1}, {0, 0, 0, 0, 1}, {}}}};
  Json section = reportOf(files)["statistics"];
  auto hertz = [](double value) {
    return Json{{"value", value}, {"unit", "Hz"}, {"source", "30-statistics.json"}};
  };
  const Json &a = section["populations"][0], &b = section["populations"][1];
  EXPECT_EQ(section["step"]["value"], 0.5);
  EXPECT_EQ(section["recorded_samples"], 2);
  EXPECT_EQ(a["rate"], hertz(500));
  EXPECT_EQ(a["rate_deviation"], hertz(250));
  EXPECT_EQ(a["rate_max"], hertz(1000));
  EXPECT_EQ(a["silent"], 0.25);
  EXPECT_EQ(a["interval"]["value"], 1.0);
  EXPECT_EQ(a["interval"]["unit"], "ms");
  EXPECT_EQ(a["interval_cv"], 0.5);
  EXPECT_EQ(a["neuron_cv"], 0.25);
  EXPECT_EQ(b["intervals"], 0);
  for (const char *absent : {"interval", "interval_cv", "neuron_cv"})
    EXPECT_FALSE(b.contains(absent)) << absent;
}

TEST_F(ReportFolder, EveryQuantityNamesUnitAndSource) {
  Json report = reportOf(makeSampleRun());
  size_t quantities = 0;
  std::function<void(const Json &, const std::string &)> walk = [&](const Json &value,
                                                                    const std::string &place) {
    if (value.is_object() && value.contains("value")) {
      ++quantities;
      EXPECT_TRUE(value["value"].is_number()) << place;
      EXPECT_NE(value.value("unit", ""), "") << place;
      EXPECT_NE(value.value("source", ""), "") << place;
    } else if (value.is_structured()) {
      for (const auto &[name, member] : value.items())
        walk(member, place + "/" + name);
    }
  };
  walk(report, "");
  EXPECT_GT(quantities, 15u);
  for (const auto &[name, section] : report.items()) {
    if (!section.is_object() || name == "timing")
      continue;
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + section.value("source", "?"))) << name;
  }
}

TEST_F(ReportFolder, SectionsAppearWithTheirStages) {
  StageFiles whole = makeSampleRun(), files;
  auto sections = [&] {
    std::vector<std::string> names;
    Json report = reportOf(files);
    for (const auto &[name, value] : report.items())
      names.push_back(name);
    return names;
  };
  files.ann = whole.ann;
  EXPECT_THAT(sections(), ElementsAre("format", "version", "stages", "ann"));
  files.conversion = whole.conversion;
  files.emulation = whole.emulation;
  files.spikes = whole.spikes;
  EXPECT_THAT(sections(),
              ElementsAre("format", "version", "stages", "ann", "conversion", "snn", "timing"));
  files = {};
  files.mapping = whole.mapping; // a folder may hold one later stage alone
  EXPECT_THAT(sections(), ElementsAre("format", "version", "stages", "mapping"));
}

TEST_F(ReportFolder, OnlyTimingDependsOnTheClock) {
  StageFiles files = makeSampleRun();
  Json first = reportOf(files);
  EXPECT_EQ(first.dump(), reportOf(files).dump());
  files.emulation->seconds *= 3;
  files.emulation->threads = 7;
  Json second = reportOf(files);
  EXPECT_NE(first, second);
  first.erase("timing");
  second.erase("timing");
  EXPECT_EQ(first.dump(), second.dump());
}

TEST_F(ReportFolder, WritesBothFilesTheSameEachTime) {
  llvm::cantFail(writeStageFiles(folder, makeSampleRun()));
  ASSERT_FALSE(writeReport(folder));
  std::string json = llvm::cantFail(readFile(file("report.json")));
  std::string page = llvm::cantFail(readFile(file("report.html")));
  EXPECT_EQ(Json::parse(json), llvm::cantFail(buildReport(folder)));
  ASSERT_FALSE(writeReport(folder));
  EXPECT_EQ(json, llvm::cantFail(readFile(file("report.json"))));
  EXPECT_EQ(page, llvm::cantFail(readFile(file("report.html"))));
}

TEST_F(ReportFolder, AnEmptyFolderIsAnError) {
  std::filesystem::create_directories(folder);
  EXPECT_EQ(toText(buildReport(folder).takeError()),
            folder + ": error: no stage file of a run here, expected 10-ann.json or a later one");
  EXPECT_EQ(toText(writeReport(folder + "/absent")),
            folder + "/absent: error: no stage file of a run here, expected 10-ann.json or a later "
                     "one");
}

TEST_F(ReportFolder, ADamagedStageFileIsNamed) {
  llvm::cantFail(writeStageFiles(folder, makeSampleRun()));
  llvm::cantFail(writeFile(file("80-chip.json"), "{\"format\": "));
  EXPECT_THAT(toText(buildReport(folder).takeError()),
              HasSubstr("80-chip.json:1:12: error: not valid JSON"));
}

TEST_F(ReportFolder, FilesOfDifferentRunsAreRefused) {
  auto changed = [&](auto change) {
    StageFiles files = makeSampleRun();
    change(files);
    return errorOf(files).substr(folder.size() + 1);
  };
  EXPECT_EQ(changed([](StageFiles &f) { f.mapping->placements.push_back({0, 0}); }),
            "70-mapping.json: error: its clusters differ from those of 50-clusters.json; run the "
            "stages from there on again");
  EXPECT_THAT(changed([](StageFiles &f) { f.mapping->routes.pop_back(); }),
              HasSubstr("70-mapping.json: error: its links differ"));
  EXPECT_THAT(changed([](StageFiles &f) { f.emulation->populations[0].name = "other"; }),
              HasSubstr("30-spikes.h5: error: its populations differ from those of 30-emulation"));
  EXPECT_THAT(changed([](StageFiles &f) { f.statistics->populations[1].population.name = "x"; }),
              HasSubstr("30-statistics.json: error: its populations differ from those of 30-emul"));
  EXPECT_THAT(changed([](StageFiles &f) {
                f.spikes.reset();
                f.emulation.reset();
                f.clusters->neurons += 1;
              }),
              HasSubstr("50-clusters.json: error: its neurons differ from those of 40-graph.h5"));
  EXPECT_THAT(changed([](StageFiles &f) { f.mapping->mesh.rows += 1; }),
              HasSubstr("80-chip.json: error: its mesh differ"));
  EXPECT_THAT(
      changed([](StageFiles &f) { f.lapse->clockMhz += 1; }),
      HasSubstr("80-lapse.json: error: its mesh, clock or name of chip differ from those of "
                "80-chip.json; run the stages from there on again"));
  EXPECT_THAT(changed([](StageFiles &f) { f.lapse->chip = "other"; }),
              HasSubstr("80-lapse.json: error: its mesh, clock"));
  EXPECT_THAT(changed([](StageFiles &f) { f.lapse->synchronisation = "free"; }),
              HasSubstr("80-lapse.json: error: its mesh, clock"));
}

TEST_F(ReportFolder, TilesOutsideTheMeshAreRefused) {
  StageFiles files = makeSampleRun();
  files.mapping->placements[3].tile = 120;
  EXPECT_THAT(
      errorOf(files),
      HasSubstr("70-mapping.json: error: not a valid mapping: cluster 3 lies on tile 120 of "
                "a mesh of 120"));
  files = makeSampleRun();
  files.mapping->routes[0].tiles = {};
  EXPECT_THAT(errorOf(files), HasSubstr("does not lead from tile"));
}

} // namespace
