#include "core/network/Evaluation.h"

#include "core/support/files/File.h"
#include "core/support/formats/Json.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

class EvaluationFile : public ::testing::Test {
protected:
  std::string path = ::testing::TempDir() + "evaluation-" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  void TearDown() override { std::remove(path.c_str()); }

  /// Changes one member of the file, as a wrong tool or a hand would.
  void edit(const std::string &pointer, const Json &value) {
    Json json = llvm::cantFail(readJson(path));
    json[Json::json_pointer(pointer)] = value;
    llvm::cantFail(writeJson(path, json));
  }
};

AnnEvaluation threeClasses() {
  return {"models/\"three\".onnx",          "onnx", {"/conv1/Conv", "dense2"}, 1234, 10, 8,
          {{3, 0, 1}, {0, 4, 0}, {1, 0, 1}}};
}

EmulationSummary fourSteps() {
  EmulationSummary summary;
  summary.engine = "compiled";
  summary.encoding = "direct";
  summary.steps = 4;
  summary.samples = 10;
  summary.correctByStep = {1, 5, 9, 8}; // accuracy may fall again
  summary.confusion = {{3, 0, 1}, {0, 4, 0}, {1, 0, 1}};
  summary.populations = {{"conv1", PopulationKind::Neuron, {2, 3, 3}, 0, 18},
                         {"dense2", PopulationKind::Neuron, {3}, 18, 3}};
  summary.spikes = {700, 25};
  summary.synapses = 54;
  summary.synapticEvents = UINT64_MAX; // no number passes through a double
  summary.seconds = 0.1;
  summary.threads = 2;
  return summary;
}

TEST_F(EvaluationFile, AnnRoundTrip) {
  ASSERT_FALSE(writeAnnEvaluation(path, threeClasses()));
  llvm::Expected<AnnEvaluation> back = readAnnEvaluation(path);
  ASSERT_TRUE(bool(back)) << toText(back.takeError());
  EXPECT_EQ(*back, threeClasses());
}

TEST_F(EvaluationFile, ConversionRoundTripKeepsEveryBitOfTheScales) {
  ConversionSummary summary{
      "percentile",
      99.9,
      1000,
      {{"conv1", "if", {0.1, 1.0 / 3, 6.485905}}, {"out", "integrator", {1.0}}}};
  for (std::optional<ConversionSummary::HeldOut> heldOut :
       {std::optional<ConversionSummary::HeldOut>(),
        {{500, -0.2, 0.1, true, 30}},
        {{500, 0.2, 0.1, false, 30, {{4, 0.1, 1.0 / 3}}}}}) {
    summary.heldOut = heldOut;
    ASSERT_FALSE(writeConversionSummary(path, summary));
    llvm::Expected<ConversionSummary> back = readConversionSummary(path);
    ASSERT_TRUE(bool(back)) << toText(back.takeError());
    EXPECT_EQ(*back, summary);
  }
}

TEST_F(EvaluationFile, EmulationRoundTrip) {
  ASSERT_FALSE(writeEmulationSummary(path, fourSteps()));
  llvm::Expected<EmulationSummary> back = readEmulationSummary(path);
  ASSERT_TRUE(bool(back)) << toText(back.takeError());
  EXPECT_EQ(*back, fourSteps());
}

TEST_F(EvaluationFile, SamplesWithoutLabelsHaveNoAnswers) {
  EmulationSummary trials = fourSteps();
  trials.correctByStep.clear();
  EXPECT_NE(toText(verify(trials)), "");
  trials.confusion.clear();
  ASSERT_FALSE(writeEmulationSummary(path, trials));
  EXPECT_EQ(llvm::cantFail(readEmulationSummary(path)), trials);
}

TEST_F(EvaluationFile, OnlyTimingDependsOnTheClock) {
  EmulationSummary slow = fourSteps(), fast = fourSteps();
  fast.seconds /= 3;
  fast.threads = 16;
  ASSERT_FALSE(writeEmulationSummary(path, slow));
  Json first = llvm::cantFail(readJson(path));
  ASSERT_FALSE(writeEmulationSummary(path, fast));
  Json second = llvm::cantFail(readJson(path));
  EXPECT_NE(first, second);
  first.erase("timing");
  second.erase("timing");
  EXPECT_EQ(first, second);
}

TEST_F(EvaluationFile, ResultsThatDoNotAddUpAreNotWritten) {
  AnnEvaluation ann = threeClasses();
  ann.correct = 9;
  llvm::Error error = writeAnnEvaluation(path, ann);
  EXPECT_EQ(kindOf(error), ErrorKind::Check);
  EXPECT_EQ(toText(std::move(error)),
            "evaluation of the ANN: error: the confusion table has 8 right answers, expected 9");
  ann = threeClasses();
  ann.confusion[1].pop_back();
  EXPECT_THAT(toText(verify(ann)), HasSubstr("has 2 answers for label 1, expected 3"));
  ann = threeClasses();
  ann.samples = 11;
  EXPECT_THAT(toText(verify(ann)), HasSubstr("counts 10 samples, expected 11"));

  EmulationSummary snn = fourSteps();
  snn.correctByStep.pop_back();
  EXPECT_EQ(toText(writeEmulationSummary(path, snn)),
            "summary of the emulation: error: 3 counts of right answers for 4 steps");
  snn = fourSteps();
  snn.spikes.pop_back();
  EXPECT_THAT(toText(verify(snn)), HasSubstr("1 spike counts for 2 populations"));
  snn = fourSteps();
  snn.correctByStep[1] = 11;
  EXPECT_THAT(toText(verify(snn)), HasSubstr("11 right answers to 10 samples"));
  snn = fourSteps();
  snn.populations[1].first = 17;
  EXPECT_THAT(toText(verify(snn)), HasSubstr("starts at neuron 17, expected 18"));
}

TEST_F(EvaluationFile, WrongFilesAreRefusedAtTheirPath) {
  auto text = [&] { return toText(readEmulationSummary(path).takeError()); };
  EXPECT_THAT(text(), HasSubstr(path + ": error: cannot open"));
  ASSERT_FALSE(writeAnnEvaluation(path, threeClasses()));
  EXPECT_EQ(text(), path + ": error: not a spindle-emulation file");
  ASSERT_FALSE(writeEmulationSummary(path, fourSteps()));
  edit("/version", 2);
  EXPECT_THAT(text(), HasSubstr("version 2 of spindle-emulation, expected version 1"));
  edit("/version", 1);
  edit("/steps", "four");
  EXPECT_THAT(text(), HasSubstr(path + ": error: not a valid file of this format"));
  edit("/steps", -4);
  EXPECT_THAT(text(), HasSubstr("steps is -4, expected a whole number from 0 to 4294967295"));
  edit("/steps", 4);
  edit("/spikes/1", 0.5);
  EXPECT_THAT(text(), HasSubstr("spikes[1] is 0.5, expected a whole number"));
  edit("/spikes/1", 25);
  edit("/steps", 3);
  EXPECT_EQ(text(), path + ": error: 4 counts of right answers for 3 steps");
  edit("/steps", 4);
  edit("/timing", Json::object());
  EXPECT_THAT(text(), HasSubstr("timing has no member 'seconds'"));
}

TEST_F(EvaluationFile, TruncatedFilesAreRefusedAtTheirEnd) {
  ASSERT_FALSE(writeAnnEvaluation(path, threeClasses()));
  std::string whole = llvm::cantFail(readFile(path));
  ASSERT_FALSE(writeFile(path, whole.substr(0, whole.size() / 2)));
  EXPECT_THAT(toText(readAnnEvaluation(path).takeError()), HasSubstr("not valid JSON"));
}

} // namespace
