#include "hw/hls/schedule/problem/ProblemFile.h"

#include "core/support/files/File.h"
#include "hw/hls/schedule/Schedulers.h"
#include "tests/hls/schedule/RandomLoop.h"
#include "tests/support/TemporaryFolder.h"
#include "gmock/gmock.h"

namespace spindle::hls {
namespace {

using ::testing::HasSubstr;

TEST(ProblemFile, RoundTrip) {
  TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Problem problem = randomLoop(seed, {20, 2, 2, true, true});
    problem.dependences.push_back({0, 1, 1, 3});
    problem.clockPeriodNs = 7.5 + 0.1 * double(seed);
    llvm::cantFail(writeProblem(folder / "problem.json", problem));
    EXPECT_EQ(llvm::cantFail(readProblem(folder / "problem.json")), problem);
  }
}

TEST(ProblemFile, NamesThatRepeatAreWrittenByIndex) {
  TemporaryFolder folder;
  Problem problem = randomLoop(1, {12, 2});
  for (ProblemOperation &operation : problem.operations)
    operation.name = "load";
  llvm::cantFail(writeProblem(folder / "problem.json", problem));
  EXPECT_EQ(llvm::cantFail(readProblem(folder / "problem.json")), problem);
}

constexpr const char *good =
    R"({"format": "spindle-schedule-problem", "version": 1, "name": "p", "clock_period_ns": 10,
 "operator_types": [{"name": "load", "latency": 1}, {"name": "add", "latency": 0, "delay_in_ns": 3}],
 "resources": [{"name": "port", "count": 1}],
 "operations": [{"name": "a", "type": "load", "uses": ["port"]}, {"name": "s", "type": "add"}],
 "dependences": [{"from": "a", "to": "s"}, {"from": "s", "to": "s", "distance": 1}]})";

TEST(ProblemFile, DefaultsAreLeftOut) {
  TemporaryFolder folder;
  Problem problem = llvm::cantFail(readProblem(folder.write("p.json", good)));
  EXPECT_EQ(problem.operatorTypes[1].delayOutNs, 3);
  EXPECT_EQ(problem.operations[0].busy, 1u);
  EXPECT_EQ(problem.dependences[0].latency, std::nullopt);
  EXPECT_EQ(problem.dependences[1].distance, 1u);
}

TEST(ProblemFile, FaultsAreNamed) {
  TemporaryFolder folder;
  struct Edit {
    const char *from, *to, *text;
  };
  const Edit edits[] = {
      {"\"version\": 1", "\"version\": 2", "version"},
      {"\"type\": \"load\"", "\"type\": \"lode\"",
       "operation 'a' refers to operator type \"lode\", which is none of the 2"},
      {"[\"port\"]", "[\"prt\"]",
       "operation 'a' refers to resource \"prt\", which is none of the 1"},
      {"\"from\": \"a\"", "\"from\": 7",
       "dependence 0 refers to operation 7, which is none of the 2"},
      {"\"name\": \"s\"", "\"name\": \"a\"",
       "dependence 0 names operation 'a', of which there are 2: use its index"},
      {"\"distance\"", "\"dist\"",
       "dependence 1 has unknown key 'dist', expected from, to, distance, latency"},
      {"\"uses\"", "\"use\"",
       "operation 'a' has unknown key 'use', expected name, type, uses, busy"},
      {"\"delay_in_ns\"", "\"delay\"", "operator type 'add' has unknown key 'delay'"},
      {"\"count\": 1", "\"count\": -1", "count is -1, expected a whole number"},
      {"\"clock_period_ns\": 10", "\"clock_period_ns\": 2",
       "operator type 'add' needs 3 ns within a cycle (delay in), but the clock period is 2 ns"},
      {", \"distance\": 1", "", "operations wait for each other in one iteration: 's' -> 's'"},
      {"\"name\": \"p\",", "", "has no member 'name'"}};
  for (const Edit &edit : edits) {
    std::string text = good;
    if (size_t at = text.find(edit.from); at != std::string::npos)
      text.replace(at, std::string(edit.from).size(), edit.to);
    llvm::Expected<Problem> problem = readProblem(folder.write("p.json", text));
    std::string error = problem ? "" : toText(problem.takeError());
    EXPECT_THAT(error, HasSubstr("p.json: error: "));
    EXPECT_THAT(error, HasSubstr(edit.text));
  }
}

TEST(ScheduleFile, RoundTripAndSameBytes) {
  TemporaryFolder folder;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Problem problem = randomLoop(seed, {25, 2});
    Schedule schedule = llvm::cantFail(scheduleModulo(problem));
    llvm::cantFail(writeSchedule(folder / "a.json", problem, schedule));
    Schedule read = llvm::cantFail(readSchedule(folder / "a.json", problem));
    EXPECT_EQ(read, schedule);
    llvm::cantFail(writeSchedule(folder / "b.json", problem, read));
    EXPECT_EQ(folder.read("a.json"), folder.read("b.json"));
  }
}

TEST(ScheduleFile, FaultsAreNamed) {
  TemporaryFolder folder;
  Problem problem = llvm::cantFail(readProblem(folder.write("p.json", good)));
  auto errorOf = [&](const std::string &operations) {
    std::string text =
        R"({"format": "spindle-schedule", "version": 1, "interval": 1, "operations": [)";
    return toText(
        readSchedule(folder.write("s.json", text + operations + "]}"), problem).takeError());
  };
  std::string a = R"({"operation": "a", "start": 0, "offset_ns": 0, "instances": [0]})";
  std::string s = R"({"operation": "s", "start": 1, "offset_ns": 0, "instances": []})";
  EXPECT_THAT(errorOf(a), HasSubstr("operation 's' is missing"));
  EXPECT_THAT(errorOf(a + "," + a), HasSubstr("operation 'a' is there twice"));
  EXPECT_THAT(errorOf(a + R"(, {"operation": "t"})"),
              HasSubstr("the schedule refers to operation \"t\", which is none of the 2"));
  EXPECT_THAT(errorOf(a + R"(, {"name": "s"})"), HasSubstr("an operation has unknown key 'name'"));
  EXPECT_THAT(errorOf(a + R"(, {"operation": "s", "start": 0, "offset_ns": 0, "instances": []})"),
              HasSubstr("operation 's' starts in cycle 0, 1 cycles too early for 'a'"));
}

} // namespace
} // namespace spindle::hls
