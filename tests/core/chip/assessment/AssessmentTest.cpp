#include "core/chip/assessment/Assessment.h"

#include "core/support/files/File.h"

#include "gmock/gmock.h"

#include <cmath>
#include <filesystem>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

struct AssessmentFile : ::testing::Test {
  std::string path = ::testing::TempDir() + "assessment.json";
  Assessment assessment{
      "chip",
      16,
      100,
      90,
      LateSpikes::Drop,
      {"a", "b"},
      {{0.125, 10, {{9, 8, 7, 6, 5, 4}, {}}}, {0.5, 90, {{9, 0, 0, 0, 0, 0}, {}}}},
      {{0.1, 6, {80, 70}, {0, 1}}, {0, 0, {90}, {100}}}};
  ~AssessmentFile() override { std::filesystem::remove(path); }

  /// What the reader says once a text in the file is another one.
  std::string errorWith(const std::string &from, const std::string &to) {
    llvm::cantFail(writeAssessment(path, assessment));
    std::string text = llvm::cantFail(readFile(path));
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    llvm::cantFail(writeFile(path, text.replace(at, from.size(), to)));
    llvm::Expected<Assessment> back = readAssessment(path);
    return back ? "" : toText(back.takeError());
  }
};

TEST_F(AssessmentFile, RoundTrip) {
  llvm::cantFail(writeAssessment(path, assessment));
  EXPECT_EQ(llvm::cantFail(readAssessment(path)), assessment);
}

TEST_F(AssessmentFile, RefusesWhatCannotBe) {
  EXPECT_THAT(errorWith("\"ideal_correct\": 90", "\"ideal_correct\": 101"),
              HasSubstr("101 right answers to 100 samples"));
  EXPECT_THAT(errorWith("\"step_us\": 0.5", "\"step_us\": 0.125"),
              HasSubstr("a step of 0.125 µs after one of 0.125 µs, expected longer ones"));
  EXPECT_THAT(errorWith("\"step_us\": 0.125", "\"step_us\": -1"), HasSubstr("a step of -1 µs"));
  EXPECT_THAT(errorWith("\"drop\"", "\"never\""), HasSubstr("expected next or drop"));
  EXPECT_THAT(errorWith("\"variation\": 0.1", "\"variation\": -1"),
              HasSubstr("a variation of -1, expected at least 0"));
  assessment.devices[1].correct = {101};
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("101 right answers to 100 samples"));
  assessment.devices[1] = {0, 0, {90}, {101}};
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("101 of 100 samples spike as they do ideally"));
  assessment.devices[1] = {0, 0, {}, {}};
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("a device with 0 seeds and spikes of 0, expected as many, at least one"));
  assessment.delivered[0].populations[0].lateSpikes = 6; // of which 7 are lost
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("a has more lost spikes than late ones, or more late ones than spikes"));
  assessment.delivered[0].populations.pop_back();
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("counts of 1 populations, expected 2"));
}

TEST_F(AssessmentFile, SpreadsAreThoseOfTheSeeds) {
  AccuracySpread spread = spreadOf(assessment, assessment.devices[0]);
  EXPECT_DOUBLE_EQ(spread.mean, 75);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(50)); // of two values, 5 from the mean each
  EXPECT_EQ(spreadOf(assessment, assessment.devices[1]).deviation, 0);
  EXPECT_DOUBLE_EQ(sameShare(assessment, assessment.devices[0]), 0.005);
}

} // namespace
