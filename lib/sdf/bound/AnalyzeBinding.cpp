#include "lib/sdf/bound/AnalyzeBinding.h"

#include "lib/sdf/bound/BindingProblem.h"
#include "lib/sdf/bound/WheelCycleRatio.h"

#include "fmt/format.h"

namespace spindle {

void readBindingOptions(YamlReader &reader, BindingOptions &options) {
  reader.read("slice", options.slice, 0, UINT32_MAX);
  reader.readEnum("tdma", options.rule, {"exact", "sdf3"});
  reader.readEnum("order", options.orders, {"scheduled", "listed"});
  reader.read("candidates", options.candidates, 1, 100'000'000);
}

/// Proves the period: the maximum cycle ratio is the same.
llvm::Expected<BindingAnalysis> provePeriod(const BindingProblem &problem,
                                            BoundCandidate candidate) {
  auto limit = static_cast<uint64_t>(problem.analysis.selfTimedFirings);
  std::optional<WheelPeriod> ratio =
      wheelCycleRatio(candidate.bound.graph, candidate.repetitions, candidate.bound.wheels, limit);
  if (!ratio)
    return inputError(problem.place, fmt::format("the period is not reached within {} firings; "
                                                 "raise analysis.self_timed_firings",
                                                 limit));
  BindingAnalysis analysis;
  analysis.period = CycleRatio::of(ratio->period.time, Wide(ratio->period.iterations) *
                                                           problem.iterationsIn(candidate));
  if (analysis.period != candidate.period)
    return checkError(problem.place,
                      fmt::format("self-timed execution needs {}/{} time units per iteration, but "
                                  "the maximum cycle ratio is {}/{}",
                                  candidate.period.time, candidate.period.iterations,
                                  analysis.period.time, analysis.period.iterations));
  analysis.selfTimedAgrees = true;
  for (ActorId actor : ratio->cycle)
    analysis.cycle.push_back(candidate.bound.graph.actors[actor].name);
  analysis.binding = std::move(candidate.binding);
  analysis.resources = problem.resources;
  return analysis;
}

llvm::Expected<BindingAnalysis>
analyzeBinding(const std::string &place, const SdfApplication &application,
               const SdfArchitecture &architecture, const TileBinding &binding,
               const SdfOptions &analysis, const BindingOptions &options) {
  SPINDLE_ASSIGN(BindingProblem problem,
                 BindingProblem::make(place, application, architecture, analysis, options));
  if (std::optional<std::string> fault = problem.faultOf(binding.tiles))
    return inputError(place, *fault);
  SPINDLE_ASSIGN(BoundCandidate candidate, problem.complete(binding));
  return provePeriod(problem, std::move(candidate));
}

} // namespace spindle
