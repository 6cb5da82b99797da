#include "core/network/Diagnosis.h"

#include "core/support/formats/Json.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

class DiagnosisFile : public ::testing::Test {
protected:
  std::string path = ::testing::TempDir() + "diagnosis-" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  void TearDown() override { std::remove(path.c_str()); }

  /// What the reader says after one member was changed.
  std::string errorAfter(const std::string &pointer, const Json &value) {
    llvm::cantFail(writeDiagnosis(path, diagnosis));
    Json json = llvm::cantFail(readJson(path));
    json[Json::json_pointer(pointer)] = value;
    llvm::cantFail(writeJson(path, json));
    llvm::Expected<Diagnosis> back = readDiagnosis(path);
    return back ? "" : toText(back.takeError());
  }

  Diagnosis diagnosis{8,
                      200,
                      196,
                      190,
                      30,
                      4800,
                      {{"conv1", "rate", 20, 0.1, 1.0 / 3, 0.25, 0.5, 0.5, 3.5, "", 191},
                       {"dense2", "rate", 10, 0.2, -0.05, 0, 0.1, 0, 1, "", 194},
                       {"dense3", "first_spike", 5, 0.2, 0, 0, 0, 0, 0.75, "it cannot be", 0}}};
};

TEST_F(DiagnosisFile, RoundTrip) {
  llvm::cantFail(writeDiagnosis(path, diagnosis));
  llvm::Expected<Diagnosis> back = readDiagnosis(path);
  ASSERT_TRUE(bool(back)) << toText(back.takeError());
  EXPECT_EQ(*back, diagnosis);
}

TEST_F(DiagnosisFile, WhatFollowsFromTheCountsIsWrittenBesideThem) {
  EXPECT_EQ(lossPoints(diagnosis), 3);
  EXPECT_EQ(contributionPoints(diagnosis, diagnosis.layers[1]), 2.0);
  EXPECT_EQ(contributionPoints(diagnosis, diagnosis.layers[2]), std::nullopt);
  EXPECT_EQ(hiddenSpikeRate(diagnosis), 0.1); // 4800 / (30 · 8 · 200)
  EXPECT_THAT(costliestLayers(diagnosis), ElementsAre(&diagnosis.layers[1]));
  llvm::cantFail(writeDiagnosis(path, diagnosis));
  Json json = llvm::cantFail(readJson(path));
  EXPECT_EQ(json["loss_points"], 3.0);
  EXPECT_EQ(json["layers"][0]["contribution_points"], 0.5);
  EXPECT_EQ(json["layers"][2]["without_twin"], "it cannot be");
  EXPECT_EQ(json["hidden"]["is_below"], false);
}

TEST_F(DiagnosisFile, NoLayerIsCostliestWhereNoTwinGains) {
  for (DiagnosedLayer &layer : diagnosis.layers)
    layer.twinCorrect = diagnosis.snnCorrect;
  EXPECT_THAT(costliestLayers(diagnosis), IsEmpty());
}

TEST_F(DiagnosisFile, LayersThatCostTheSameAreAllCostliest) {
  diagnosis.layers[0].twinCorrect = diagnosis.layers[1].twinCorrect;
  EXPECT_THAT(costliestLayers(diagnosis), ElementsAre(&diagnosis.layers[0], &diagnosis.layers[1]));
}

TEST_F(DiagnosisFile, DamagedFilesAreRefused) {
  EXPECT_THAT(errorAfter("/snn_correct", 201), HasSubstr("201 right answers to 200 samples"));
  EXPECT_THAT(errorAfter("/layers/1/twin_correct", 202),
              HasSubstr("layer dense2 has 202 right answers to 200 samples"));
  EXPECT_THAT(errorAfter("/layers/0/code", "phase"),
              HasSubstr("layer conv1 has the code 'phase', expected rate or first_spike"));
  EXPECT_THAT(errorAfter("/layers/0/dead", 1.5),
              HasSubstr("dead of layer conv1 is 1.5, expected a share of 0 to 1"));
  EXPECT_THAT(errorAfter("/layers/0/dead_in_ann", 0.75),
              HasSubstr("dead_in_ann of layer conv1 is 0.75, expected at most dead: 0.5"));
  EXPECT_THAT(errorAfter("/layers/0/rate_error", -1),
              HasSubstr("layer conv1 has an error or a number of spikes that is none"));
  EXPECT_THAT(errorAfter("/version", 2), HasSubstr("version"));
  diagnosis.annCorrect = 300;
  EXPECT_THAT(toText(writeDiagnosis(path, diagnosis)),
              HasSubstr("diagnosis: error: 300 right answers to 200 samples"));
}

} // namespace
