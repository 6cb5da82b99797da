// `schedule`: a scheduling problem to a schedule.
#include "tools/spindle/hardware/HardwareCommands.h"

#include "hw/hls/schedule/Algorithms.h"
#include "hw/hls/schedule/problem/ProblemFile.h"
#include "tools/spindle/hardware/OptionChecks.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <algorithm>
#include <memory>

namespace spindle {

namespace {
struct ScheduleArguments {
  std::string problem, algorithm = "exact", out;
  hls::ExactOptions exact;
};
} // namespace

static llvm::Error scheduleFile(const ScheduleArguments &arguments) {
  SPINDLE_ASSIGN(hls::Problem problem, hls::readProblem(arguments.problem));
  auto name = std::find(std::begin(hls::kScheduleAlgorithmNames),
                        std::end(hls::kScheduleAlgorithmNames), arguments.algorithm);
  auto algorithm =
      static_cast<hls::ScheduleAlgorithm>(name - std::begin(hls::kScheduleAlgorithmNames));
  SPINDLE_ASSIGN(hls::ExactSchedule result, hls::scheduleBy(algorithm, problem, arguments.exact));
  fmt::print("{}", hls::scheduleText(problem, result));
  if (arguments.out.empty())
    return llvm::Error::success();
  return hls::writeSchedule(arguments.out, problem, result.schedule);
}

void addScheduleCommand(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<ScheduleArguments>();
  arguments->exact.limitsHeuristic = true;
  CLI::App *sub = app.add_subcommand("schedule", "schedule operations on limited resources");
  sub->add_option("problem", arguments->problem, "scheduling problem (JSON)")
      ->type_name("FILE")
      ->required();
  sub->add_option("--algorithm", arguments->algorithm, "asap, list, sdc, modulo or exact")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(hls::kScheduleAlgorithmNames),
                                                     std::end(hls::kScheduleAlgorithmNames))))
      ->capture_default_str();
  sub->add_option("--seconds", arguments->exact.seconds, "limit of the modulo and exact searches")
      ->check(secondsFromZero())
      ->capture_default_str();
  sub->add_option("--steps", arguments->exact.steps,
                  "limit of the exact search that is the same on every machine: placements")
      ->check(countFromZero());
  sub->add_option("--out", arguments->out, "schedule to write (JSON)")->type_name("FILE");
  sub->callback([=, &command] { command = [=] { return scheduleFile(*arguments); }; });
}

} // namespace spindle
