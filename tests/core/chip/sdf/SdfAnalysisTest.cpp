#include "core/chip/sdf/SdfAnalysis.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::HasSubstr;

/// Two firings of a for one of b; b is slower than both.
SdfGraph graph() {
  return {"g", {{"a", 3}, {"b", 10}}, {{0, 1, 1, 2, 0, 0}, {0, 0, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}}};
}
SdfAnalysis analysis() { return {{2, 1}, 10, 0.1, {1}, 16, true}; }

std::string faultOf(const SdfAnalysis &wrong) { return toText(verify(graph(), wrong)); }

TEST(SdfAnalysis, SurvivesAFile) {
  std::string path = testing::TempDir() + "analysis.json";
  ASSERT_FALSE(bool(writeSdfAnalysis(path, graph(), analysis())));
  auto read = readSdfAnalysis(path);
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, analysis());
}

TEST(SdfAnalysis, VerifyFindsEveryKindOfFault) {
  EXPECT_FALSE(bool(verify(graph(), analysis())));
  SdfAnalysis wrong = analysis();
  wrong.repetitions = {2};
  EXPECT_THAT(faultOf(wrong), HasSubstr("1 repetitions for 2 actors"));
  wrong.repetitions = {1, 1};
  EXPECT_EQ(faultOf(wrong), "analysis of data-flow graph 'g': error: channel 0 (a -> b) is not "
                            "balanced by repetitions 1 and 1");
  wrong.repetitions = {4, 2};
  EXPECT_THAT(faultOf(wrong), HasSubstr("repetitions around actor 'a' have the common divisor 2"));
  wrong = analysis();
  wrong.throughput = 0.2;
  EXPECT_THAT(faultOf(wrong), HasSubstr("period 10 and throughput 0.2 are not reciprocal"));
  wrong = analysis();
  for (const std::vector<ActorId> &cycle : {std::vector<ActorId>{}, {0, 1}, {7}, {1, 1}}) {
    wrong.criticalCycle = cycle;
    EXPECT_THAT(faultOf(wrong), HasSubstr("the critical actors do not lie on a cycle of channels"));
  }
  wrong = analysis();
  wrong.latency = 9;
  EXPECT_THAT(faultOf(wrong), HasSubstr("latency 9 is below the execution time 10 of actor 'b'"));
}

TEST(SdfAnalysis, ComponentsAreSmallestByThemselves) {
  SdfGraph two = graph();
  two.actors.push_back({"c", 1});
  two.channels.push_back({2, 2, 1, 1, 1, 0});
  SdfAnalysis wrong = analysis();
  wrong.repetitions = {2, 1, 3};
  EXPECT_THAT(toText(verify(two, wrong)), HasSubstr("around actor 'c' have the common divisor 3"));
}

TEST(SdfAnalysis, IsNotWrittenWhenWrong) {
  SdfAnalysis wrong = analysis();
  wrong.latency = 0;
  EXPECT_TRUE(bool(writeSdfAnalysis(testing::TempDir() + "wrong.json", graph(), wrong)));
}

} // namespace
} // namespace spindle
