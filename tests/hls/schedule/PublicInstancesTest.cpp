// Published scheduling problems with known solutions, converted to ours.
#include "core/support/files/DataPath.h"
#include "core/support/formats/Json.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/exact/ExactSchedule.h"
#include "hw/hls/schedule/problem/ReservationTable.h"
#include "gmock/gmock.h"

#include <map>
#include <regex>

namespace spindle::hls {
namespace {

struct Instance {
  Problem problem;
  std::vector<unsigned> start;
  unsigned interval = 0; // 0: not a modulo problem
};

Instance convert(const Json &json) {
  Instance instance;
  Problem &problem = instance.problem;
  problem.name = json["name"];
  std::map<std::string, unsigned> types, resources, operations;
  for (const auto &[name, type] : json["operator_types"].items()) {
    types[name] = static_cast<unsigned>(problem.operatorTypes.size());
    problem.operatorTypes.push_back({name, type["latency"].get<unsigned>(), 0, 0});
  }
  for (const auto &[name, resource] : json["resource_types"].items()) {
    resources[name] = static_cast<unsigned>(problem.resources.size());
    problem.resources.push_back({name, resource["limit"].get<unsigned>()});
  }
  for (const Json &operation : json["operations"]) {
    operations[operation["name"]] = static_cast<unsigned>(problem.operations.size());
    problem.operations.push_back({operation["name"], types.at(operation["type"]), {}, 1});
    for (const Json &use : operation["uses"])
      problem.operations.back().uses.push_back(resources.at(use));
    instance.start.push_back(operation["start"]);
  }
  for (const Json &operation : json["operations"])
    for (const Json &dependence : operation["deps"])
      problem.dependences.push_back({operations.at(dependence["src"]),
                                     operations.at(operation["name"]),
                                     dependence["dist"].get<unsigned>(), std::nullopt});
  std::smatch match;
  std::string attributes = json["attrs"];
  if (std::regex_search(attributes, match, std::regex("II<(\\d+)>")))
    instance.interval = static_cast<unsigned>(std::stoul(match[1]));
  return instance;
}

std::optional<std::vector<Instance>> instances() {
  llvm::Expected<std::string> path = PathResolver().find("schedules/instances.json", "test");
  if (!path) {
    llvm::consumeError(path.takeError());
    return std::nullopt;
  }
  std::vector<Instance> converted;
  for (const Json &json : llvm::cantFail(readJson(*path)))
    converted.push_back(convert(json));
  return converted;
}

TEST(PublicInstances, TheirSolutionsAreValid) {
  std::optional<std::vector<Instance>> all = instances();
  if (!all)
    GTEST_SKIP() << "test data absent: schedules/instances.json (set SPINDLE_DATA)";
  EXPECT_GE(all->size(), 4u);
  for (const Instance &instance : *all) {
    ASSERT_EQ(faultOf(instance.problem), std::nullopt) << instance.problem.name;
    Schedule schedule{instance.interval,
                      instance.start,
                      chainOffsets(instance.problem, instance.start, instance.interval),
                      {}};
    ReservationTable table(instance.problem, instance.interval);
    for (unsigned o = 0; o < instance.start.size(); ++o) {
      auto chosen = table.find(o, instance.start[o]);
      ASSERT_TRUE(chosen) << instance.problem.name;
      table.place(o, instance.start[o], *chosen);
      schedule.instance.push_back(*chosen);
    }
    EXPECT_EQ(faultOf(instance.problem, schedule), std::nullopt) << instance.problem.name;
  }
}

TEST(PublicInstances, OursAreAtLeastAsGood) {
  std::optional<std::vector<Instance>> all = instances();
  if (!all)
    GTEST_SKIP() << "test data absent: schedules/instances.json (set SPINDLE_DATA)";
  unsigned pipelined = 0;
  for (const Instance &instance : *all) {
    unsigned theirs = 0;
    for (unsigned o = 0; o < instance.start.size(); ++o)
      theirs = std::max(theirs, instance.start[o] + spanOf(instance.problem, o));
    ExactSchedule exact =
        llvm::cantFail(scheduleExact(instance.problem, {.isPipelined = instance.interval > 0}));
    EXPECT_TRUE(exact.isProven && exact.isDepthProven);
    EXPECT_LE(exact.schedule.depth(instance.problem), theirs) << instance.problem.name;
    if (instance.interval > 0) {
      ++pipelined;
      EXPECT_EQ(exact.schedule.interval, instance.interval) << instance.problem.name;
      EXPECT_EQ(llvm::cantFail(scheduleModulo(instance.problem)).interval, instance.interval);
    } else {
      EXPECT_LE(llvm::cantFail(scheduleList(instance.problem)).depth(instance.problem), theirs);
    }
  }
  EXPECT_EQ(pipelined, 1u);
}

} // namespace
} // namespace spindle::hls
