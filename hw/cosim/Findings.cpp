#include "hw/cosim/Findings.h"

#include "hw/cosim/Compare.h"

#include "fmt/format.h"

#include <algorithm>
#include <tuple>

namespace spindle::hls {

namespace {

std::string runName(const Plan &plan, size_t index) {
  auto compared = std::find(plan.compared.begin(), plan.compared.end(), index);
  if (compared == plan.compared.end())
    return "run broken off by a reset";
  bool isAfterReset = index > 0 && plan.stimulus.runs[index - 1].resetPercent > 0;
  return fmt::format("run {}{}", compared - plan.compared.begin(),
                     isAfterReset ? " (after a reset)" : "");
}

Finding foundViolation(const Plan &plan, const Response &response, const Violation &violation) {
  if (violation.run >= plan.stimulus.runs.size())
    return {"after the last run: " + violation.text, violation.cycle};
  std::string when;
  if (violation.run < response.outcomes.size())
    when = fmt::format(", cycle {}", violation.cycle - response.outcomes[violation.run].startCycle);
  else
    when = ", before its start";
  return {runName(plan, violation.run) + when + ": " + violation.text, violation.cycle};
}

std::string countText(uint64_t mismatches) {
  return fmt::format("{} mismatch{}", mismatches, mismatches == 1 ? "" : "es");
}

/// When tokens moved, by argument; those that moved before the start did so in cycle 0.
std::vector<std::vector<uint64_t>> streamCycles(const KernelInterface &kernel,
                                                const BenchOutcome &outcome) {
  std::vector<std::vector<uint64_t>> cycles;
  size_t stream = 0;
  for (const KernelArgument &argument : kernel.arguments) {
    cycles.resize(std::max(cycles.size(), size_t(argument.index) + 1));
    if (!argument.isStream() || stream >= outcome.moments.size())
      continue;
    for (uint64_t moment : outcome.moments[stream++])
      cycles[argument.index].push_back(moment - std::min(moment, outcome.startCycle));
  }
  return cycles;
}

/// When the tasks of a system ran. A manager is at work from the cycle after its start on.
std::vector<TaskSpan> spansOf(const BenchOutcome &outcome) {
  std::vector<TaskSpan> spans;
  for (uint32_t task = 0; task < outcome.spans.size(); ++task) {
    const Words &moments = outcome.spans[task];
    for (uint64_t input = 0; 2 * input + 1 < moments.size(); ++input)
      spans.push_back({task, input, moments[2 * input] - outcome.startCycle - 1,
                       moments[2 * input + 1] - outcome.startCycle});
  }
  std::sort(spans.begin(), spans.end(), [](const TaskSpan &a, const TaskSpan &b) {
    return std::tie(a.start, a.task) < std::tie(b.start, b.task);
  });
  return spans;
}

/// The first task that ran at another time than predicted.
std::optional<std::string> foundLate(const TaskGraph &system, const std::vector<TaskSpan> &spans) {
  for (const TaskSpan &expected : system.predicted) {
    auto found = std::find_if(spans.begin(), spans.end(), [&](const TaskSpan &span) {
      return span.task == expected.task && span.input == expected.input;
    });
    std::string name =
        fmt::format("{}, input {},", system.tasks[expected.task].name, expected.input);
    if (found == spans.end())
      return fmt::format("{} never runs, predicted were cycles {} to {}", name, expected.start,
                         expected.end);
    if (*found != expected)
      return fmt::format("{} runs in cycles {} to {}, predicted were {} to {}", name, found->start,
                         found->end, expected.start, expected.end);
  }
  return std::nullopt;
}

} // namespace

std::vector<Finding> compareRuns(const Circuit &circuit, const Plan &plan, const Response &response,
                                 const CosimOptions &options, CosimResult &result) {
  const KernelInterface &kernel = circuit.kernel;
  std::vector<Finding> problems;
  for (size_t r = 0; r < plan.compared.size(); ++r) {
    size_t index = plan.compared[r];
    if (index >= response.outcomes.size() || !response.outcomes[index].isFinished)
      break;
    const BenchOutcome &outcome = response.outcomes[index];
    ++result.runs;
    result.runCycles.push_back(outcome.cycles);
    result.streamCycles.push_back(streamCycles(kernel, outcome));
    result.fills.push_back(outcome.fills);
    if (r == 0 && circuit.system) {
      result.tasks = spansOf(outcome);
      if (std::optional<std::string> late = foundLate(*circuit.system, result.tasks))
        problems.push_back({runName(plan, index) + ": " + *late, outcome.endCycle});
    }
    Values found = fromOutcome(kernel, outcome, plan.inputs[r]);
    ElementName name;
    if (options.names)
      name = [&](size_t argument, size_t element, uint64_t bits) {
        return options.names(r, argument, element, bits);
      };
    Comparison comparison =
        compare(kernel, plan.stimulus.runs[index], outcome, found, plan.expected[r], name);
    result.mismatches += comparison.mismatches;
    if (comparison.first)
      problems.push_back({fmt::format("{}: {}; {} in this run", runName(plan, index),
                                      comparison.first->text, countText(comparison.mismatches)),
                          comparison.first->cycle});
    std::optional<uint64_t> predicted = kernel.predictedCycles;
    if (hasStreams(kernel) && plan.stimulus.runs[index].stallPercent > 0)
      predicted.reset(); // a stream may make it wait
    if (r < options.predicted.size())
      predicted = options.predicted[r];
    if (predicted && outcome.cycles != *predicted)
      problems.push_back({fmt::format("{} takes {} cycles, predicted were {}", runName(plan, index),
                                      outcome.cycles, *predicted),
                          outcome.endCycle});
  }
  if (!result.runCycles.empty())
    result.cycles = result.runCycles.front();
  if (llvm::all_equal(result.runCycles))
    result.runCycles.clear();
  for (const Violation &violation : response.violations)
    problems.push_back(foundViolation(plan, response, violation));
  return problems;
}

} // namespace spindle::hls
