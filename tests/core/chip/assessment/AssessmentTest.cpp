#include "core/chip/assessment/Assessment.h"

#include "core/support/files/File.h"

#include "gmock/gmock.h"

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
      {{0.125, 10, {{9, 8, 7, 6, 5, 4}, {}}}, {0.5, 90, {{9, 0, 0, 0, 0, 0}, {}}}}};
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
  assessment.delivered[0].populations[0].lateSpikes = 6; // of which 7 are lost
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("a has more lost spikes than late ones, or more late ones than spikes"));
  assessment.delivered[0].populations.pop_back();
  EXPECT_THAT(toText(writeAssessment(path, assessment)),
              HasSubstr("counts of 1 populations, expected 2"));
}

} // namespace
