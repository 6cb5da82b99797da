#include "core/kernel/KernelSchedule.h"

#include "core/support/files/File.h"
#include "core/support/formats/Json.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;

namespace {

/// y[i] += a * x[i], then a loop of one operation run four times.
KernelSchedule sample() {
  KernelSchedule schedule;
  schedule.kernel = "axpy";
  schedule.target = "board";
  schedule.predictedCycles = 45;
  schedule.tasks = {{"nest0", true, std::nullopt, {}, 0, 25, 1, "axpy.mlir:2:3"},
                    {"loop0", false, std::nullopt, {"nest0"}, 25, 20, 1, "axpy.mlir:9:3"},
                    {"nest1", true, 1, {}, 25, 4, 4, "axpy.mlir:10:5"}};
  ScheduledPipeline axpy;
  axpy.interval = 2;
  axpy.depth = 11;
  axpy.iterations = 8;
  axpy.loops = {"axpy.mlir:2:3"};
  axpy.bounds.resource = 2;
  axpy.bounds.scarcest = "y bank 0";
  axpy.operations = {{"load_0", "axpy.mlir:3:10", 0, 1, "x bank 0 port 0", 1, "x"},
                     {"mulf_1", "axpy.mlir:4:10", 1, 4, "mulf_f64_0", 1, ""},
                     {"load_2", "axpy.mlir:5:10", 4, 1, "y bank 0 port 0", 1, "y"},
                     {"addf_3", "axpy.mlir:6:10", 5, 4, "addf_f64_0", 1, ""},
                     {"store_4", "axpy.mlir:7:5", 9, 1, "y bank 0 port 0", 1, "y"}};
  ScheduledPipeline once;
  once.task = 2;
  once.depth = 4;
  once.repeats = false;
  once.iterations = 4;
  schedule.pipelines = {axpy, once};
  return schedule;
}

std::string errorOf(const KernelSchedule &schedule) {
  llvm::Error error = verify(schedule, "s.json");
  return error ? toText(std::move(error)) : "";
}

class KernelScheduleFile : public ::testing::Test {
protected:
  void TearDown() override { std::filesystem::remove(path); }
  std::string path = ::testing::TempDir() + "schedule.json";
};

TEST_F(KernelScheduleFile, ReadsWhatItWrites) {
  llvm::cantFail(writeKernelSchedule(path, sample()));
  EXPECT_EQ(llvm::cantFail(readKernelSchedule(path)), sample());
  Json json = llvm::cantFail(readJson(path));
  EXPECT_EQ(json["pipelines"][0]["cycles"], 7 * 2 + 11);
  EXPECT_EQ(json["pipelines"][0]["limit"], "resource y bank 0");
}

/// As they were written before there were places of loops and names of arrays.
TEST_F(KernelScheduleFile, ReadsFilesWithoutPlacesOfLoops) {
  llvm::cantFail(writeKernelSchedule(path, sample()));
  Json json = llvm::cantFail(readJson(path));
  for (Json &task : json["tasks"])
    task.erase("source");
  for (Json &pipeline : json["pipelines"]) {
    pipeline.erase("loops");
    for (Json &operation : pipeline["operations"])
      operation.erase("array");
  }
  llvm::cantFail(writeJson(path, json));
  KernelSchedule schedule = llvm::cantFail(readKernelSchedule(path));
  EXPECT_EQ(schedule.tasks[0].source, "");
  EXPECT_TRUE(schedule.pipelines[0].loops.empty());
  EXPECT_EQ(schedule.pipelines[0].operations[0].array, "");
  EXPECT_EQ(schedule.pipelines[0].operations[0].source, "axpy.mlir:3:10");
}

TEST_F(KernelScheduleFile, WhatDependsOnArgumentsIsNull) {
  KernelSchedule schedule = sample();
  schedule.predictedCycles.reset();
  schedule.pipelines[0].iterations.reset();
  schedule.tasks[0].runs.reset();
  llvm::cantFail(writeKernelSchedule(path, schedule));
  EXPECT_TRUE(llvm::cantFail(readJson(path))["pipelines"][0]["cycles"].is_null());
  EXPECT_EQ(llvm::cantFail(readKernelSchedule(path)), schedule);
}

TEST_F(KernelScheduleFile, RefusesOtherFiles) {
  llvm::cantFail(writeKernelSchedule(path, sample()));
  std::string text = llvm::cantFail(readFile(path));
  size_t at = text.find("\"repeat\"");
  llvm::cantFail(writeFile(path, std::string(text).replace(at, 8, "\"circle\"")));
  llvm::Expected<KernelSchedule> schedule = readKernelSchedule(path);
  ASSERT_FALSE(schedule);
  EXPECT_THAT(toText(schedule.takeError()),
              HasSubstr("kind is 'circle', expected pipeline or repeat"));
}

TEST(KernelSchedule, CyclesAreThoseOfAllRuns) {
  KernelSchedule schedule = sample();
  EXPECT_EQ(cyclesOf(schedule, schedule.pipelines[0]), 7u * 2 + 11);
  EXPECT_EQ(cyclesOf(schedule, schedule.pipelines[1]), 4u * 4);
  EXPECT_EQ(longestPipeline(schedule), &schedule.pipelines[0]);
}

TEST(KernelSchedule, LimitOfTheInterval) {
  ScheduledPipeline pipeline = sample().pipelines[0];
  EXPECT_EQ(limitText(pipeline), "resource y bank 0");
  pipeline.interval = 3;
  EXPECT_EQ(limitText(pipeline), "search, bound 2");
  pipeline.proof = OptimalityProof{3, true};
  EXPECT_EQ(limitText(pipeline), "recurrences and resources together");
  pipeline.proof = OptimalityProof{2, true};
  EXPECT_EQ(limitText(pipeline), "search, bound 2");
  pipeline.bounds.recurrence = 3;
  pipeline.bounds.circle = {"load_2", "addf_3", "store_4"};
  pipeline.bounds.circleLatency = 6;
  pipeline.bounds.circleDistance = 2;
  EXPECT_EQ(limitText(pipeline), "recurrence of load_2, addf_3, store_4 (latency 6, distance 2)");
  pipeline.interval = 1;
  EXPECT_EQ(limitText(pipeline), "an iteration per cycle");
  pipeline.repeats = false;
  EXPECT_EQ(limitText(pipeline), "no loop");
}

TEST(KernelSchedule, SaysWhatWasProven) {
  ScheduledPipeline pipeline = sample().pipelines[0];
  EXPECT_EQ(proofText(pipeline), "");
  pipeline.proof = OptimalityProof{2, true};
  EXPECT_EQ(proofText(pipeline), "interval: optimal; depth: optimal");
  pipeline.proof = OptimalityProof{1, false};
  EXPECT_EQ(proofText(pipeline), "interval: time limit, at least 1; depth: time limit");
  pipeline.repeats = false;
  EXPECT_EQ(proofText(pipeline), "depth: time limit");
}

TEST_F(KernelScheduleFile, KeepsProofs) {
  KernelSchedule schedule = sample();
  schedule.pipelines[0].proof = OptimalityProof{2, true};
  llvm::cantFail(writeKernelSchedule(path, schedule));
  EXPECT_EQ(llvm::cantFail(readKernelSchedule(path)), schedule);
  EXPECT_EQ(llvm::cantFail(readJson(path))["pipelines"][0]["proof"]["text"],
            "interval: optimal; depth: optimal");
  schedule.pipelines[0].proof->leastInterval = 3;
  EXPECT_EQ(errorOf(schedule), "s.json: error: pipeline nest0 has the interval 2, proven to be at "
                               "least 3");
}

TEST(KernelSchedule, RefusesTasksThatAreNone) {
  KernelSchedule schedule = sample();
  EXPECT_EQ(errorOf(schedule), "");
  schedule.tasks[2].parent = 0;
  EXPECT_THAT(errorOf(schedule),
              HasSubstr("s.json: error: task nest1 has the parent 0, expected an "
                        "earlier repeat"));
  schedule = sample();
  schedule.tasks[0].after = {"loop0"};
  EXPECT_THAT(errorOf(schedule), HasSubstr("task nest0 waits for loop0, expected an earlier task"));
  schedule = sample();
  schedule.tasks[1].name = "nest0";
  schedule.tasks[1].after.clear();
  EXPECT_THAT(errorOf(schedule), HasSubstr("two tasks beside each other are called nest0"));
  schedule = sample();
  schedule.pipelines[1].task = 1;
  EXPECT_THAT(errorOf(schedule), HasSubstr("a pipeline is task 1, expected a task of that kind"));
}

TEST(KernelSchedule, RefusesWrongSchedules) {
  auto errorWith = [](auto change) {
    KernelSchedule schedule = sample();
    change(schedule.pipelines[0]);
    return errorOf(schedule);
  };
  EXPECT_THAT(
      errorWith([](ScheduledPipeline &p) { p.operations[4].start = 8; }),
      HasSubstr("pipeline nest0: load_2 and store_4 take y bank 0 port 0 in the same cycle"));
  EXPECT_THAT(errorWith([](ScheduledPipeline &p) { p.operations[1].busy = 3; }),
              HasSubstr("mulf_1 takes mulf_f64_0 for 3 cycles in an interval of 2"));
  EXPECT_THAT(errorWith([](ScheduledPipeline &p) { p.operations[3].start = 8; }),
              HasSubstr("pipeline nest0: addf_3 ends in cycle 12, after its depth 11"));
  EXPECT_THAT(errorWith([](ScheduledPipeline &p) { p.bounds.recurrence = 3; }),
              HasSubstr("pipeline nest0 has the interval 2, below its bound 3"));
  EXPECT_THAT(errorWith([](ScheduledPipeline &p) { p.bounds.circle = {"divf_7"}; }),
              HasSubstr("its recurrence names divf_7, which is no operation of it"));
  EXPECT_THAT(errorWith([](ScheduledPipeline &p) { p.operations[3].name = "load_2"; }),
              HasSubstr("pipeline nest0 has two operations load_2"));
  EXPECT_THAT(errorWith([](ScheduledPipeline &p) { p.interval = 0; }),
              HasSubstr("has the interval 0 and the depth 11, expected at least 1"));
}

} // namespace
