#include "hw/hls/software-pipelining/GraphFiles.h"
#include "core/support/files/File.h"
#include "hw/hls/schedule/Schedulers.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;

namespace {

/// load -> multiply -> add (with itself an iteration before) -> store.
Problem sumProblem() {
  Problem problem;
  problem.name = "sum";
  problem.operatorTypes = {{"load", 1, 0, 0},
                           {"mulf_f64", 6, 0, 0},
                           {"addf_f64", 6, 0, 0},
                           {"store", 1, 0, 0},
                           {"select_64", 0, 0.7, 0.7}};
  problem.resources = {{"ports_arg0", 2}, {"mulf_f64", 1}, {"addf_f64", 1}};
  problem.operations = {{"load_arg0_0", 0, {0}, 1},
                        {"mulf_0", 1, {1}, 1},
                        {"addf_0", 2, {2}, 1},
                        {"select_0", 4, {}, 1},
                        {"store_arg0_0", 3, {0}, 1}};
  problem.dependences = {{0, 1, 0, {}}, {1, 2, 0, {}}, {2, 2, 1, {}},
                         {2, 3, 0, {}}, {3, 4, 0, {}}, {4, 0, 3, 1}};
  return problem;
}

std::string graphError(const std::string &text, unsigned interval = 0) {
  std::string path = testing::TempDir() + "/schedule.csv";
  llvm::cantFail(writeFile(path, text));
  auto schedule = readExternalSchedule(path, sumProblem(), interval);
  return schedule ? "" : toText(schedule.takeError());
}

const std::string good =
    "vertex;cycle;functional_unit\n# by hand\nload_arg0_0;0;ports_arg0_0\n"
    "1;1;mulf_f64_0\naddf_0;7;0\nselect_0;13;-\nstore_arg0_0;13;ports_arg0_1\n";

std::string without(const std::string &text, const std::string &part, const std::string &instead) {
  std::string changed = text;
  return changed.replace(changed.find(part), part.size(), instead);
}

TEST(GraphFiles, GraphAndResourcesAreThoseOfHatScheT) {
  std::string path = testing::TempDir() + "/sum";
  llvm::cantFail(writeGraphMl(path + ".graphml", sumProblem()));
  llvm::cantFail(writeResourceXml(path + ".xml", sumProblem()));
  std::string graph = llvm::cantFail(readFile(path + ".graphml"));
  EXPECT_THAT(graph, HasSubstr("<node id=\"2\">\n      <data key=\"name\">addf_0</data>\n"
                               "      <data key=\"uses_resource\">addf_f64</data>"));
  EXPECT_THAT(graph, HasSubstr("<edge id=\"2\" source=\"2\" target=\"2\">\n"
                               "      <data key=\"delay\">0</data>\n"
                               "      <data key=\"distance\">1</data>\n"
                               "      <data key=\"deptype\">Data</data>"));
  EXPECT_THAT(graph, HasSubstr("<data key=\"deptype\">Precedence</data>"));
  std::string resources = llvm::cantFail(readFile(path + ".xml"));
  EXPECT_THAT(resources, HasSubstr("<resource blockingTime=\"1\" latency=\"1\" limit=\"2\" "
                                   "name=\"ports_arg0\"/>"));
  EXPECT_THAT(resources, HasSubstr("<resource blockingTime=\"0\" latency=\"0\" limit=\"-1\" "
                                   "name=\"select_64\"/>"));
}

TEST(GraphFiles, AScheduleByHandIsReadWithTheSmallestIntervalThatHolds) {
  EXPECT_EQ(graphError(good), "");
  std::string path = testing::TempDir() + "/good.csv";
  llvm::cantFail(writeFile(path, good));
  Schedule schedule = llvm::cantFail(readExternalSchedule(path, sumProblem()));
  EXPECT_EQ(schedule.interval, 6u); // the sum waits for itself
  EXPECT_EQ(schedule.start, (std::vector<unsigned>{0, 1, 7, 13, 13}));
  EXPECT_EQ(schedule.instance[4], std::vector<unsigned>{1});
}

TEST(GraphFiles, OurScheduleSurvivesTheFile) {
  Problem problem = sumProblem();
  Schedule schedule = llvm::cantFail(scheduleModulo(problem));
  std::string path = testing::TempDir() + "/ours.csv";
  llvm::cantFail(writeExternalSchedule(path, problem, schedule));
  EXPECT_EQ(llvm::cantFail(readExternalSchedule(path, problem, schedule.interval)), schedule);
}

TEST(GraphFiles, BrokenSchedulesAreRefused) {
  EXPECT_THAT(graphError(good, 5), HasSubstr("does not hold with an interval of 5"));
  EXPECT_THAT(graphError(without(good, "addf_0;7", "addf_0;6")), HasSubstr("does not hold"));
  EXPECT_THAT(graphError(without(good, "ports_arg0_1", "ports_arg0_7")),
              HasSubstr("does not hold"));
  EXPECT_THAT(graphError(without(good, "addf_0;7;0", "addf_0;7")),
              HasSubstr("schedule.csv:5: error: 'addf_0;7' has 2 fields, expected "
                        "vertex;cycle;functional_unit"));
  EXPECT_THAT(graphError(without(good, "addf_0;7", "addg_0;7")),
              HasSubstr(":5: error: no vertex 'addg_0', expected a name such as load_arg0_0 or a "
                        "number below 5"));
  EXPECT_THAT(graphError(good + "1;1;0\n"),
              HasSubstr(":8: error: vertex 'mulf_0' was given in line 4 already"));
  EXPECT_THAT(graphError(without(good, "addf_0;7", "addf_0;-7")),
              HasSubstr(":5: error: cycle '-7' is no number from 0 on"));
  EXPECT_THAT(
      graphError(without(good, "mulf_f64_0", "mulf_f64_")),
      HasSubstr(":4: error: 'mulf_f64_' does not end in the number of an instance, expected "
                "a functional unit such as mulf_f64_0"));
  EXPECT_THAT(graphError(without(good, "mulf_f64_0", "-")),
              HasSubstr(":4: error: 0 functional units, expected 1"));
  EXPECT_THAT(graphError(without(good, "select_0;13;-\n", "")),
              HasSubstr("schedule.csv: error: vertex 'select_0' has no line"));
}

} // namespace
