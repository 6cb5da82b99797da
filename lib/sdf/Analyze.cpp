#include "lib/sdf/Analyze.h"

#include "lib/sdf/MaximumCycleRatio.h"
#include "lib/sdf/Repetitions.h"
#include "lib/sdf/SelfTimedExecution.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

namespace {

// Bounds under which every sum and product of the analysis is exact (MaximumCycleRatio.cpp, Wide).
constexpr uint64_t workLimit = uint64_t(1) << 40;   // execution times of one iteration together
constexpr uint64_t tokensLimit = uint64_t(1) << 32; // initial tokens of a channel

llvm::Error checkTokens(const std::string &place, const SdfGraph &graph) {
  if (graph.actors.empty())
    return inputError(place, "the graph has no actors");
  for (const SdfChannel &channel : graph.channels)
    if (channel.initialTokens > tokensLimit)
      return inputError(place, fmt::format("{} initial tokens from {} to {}, expected at most {}",
                                           channel.initialTokens, graph.actors[channel.source].name,
                                           graph.actors[channel.target].name, tokensLimit));
  return llvm::Error::success();
}

llvm::Error checkSize(const std::string &place, const SdfGraph &graph,
                      const std::vector<uint64_t> &repetitions, uint64_t firingLimit) {
  Wide firings = 0, work = 0;
  for (size_t a = 0; a < repetitions.size(); ++a) {
    const PerPhase<uint64_t> &time = graph.actors[a].executionTime;
    firings += repetitions[a];
    work += Wide(repetitions[a] / time.phases()) * time.total();
  }
  if (firings > firingLimit)
    return inputError(place,
                      fmt::format("one iteration has more than {} firings; choose rates with "
                                  "common factors or raise maximum_firings",
                                  firingLimit));
  if (work > workLimit)
    return inputError(place, fmt::format("one iteration works more than {} time units; choose a "
                                         "larger unit",
                                         workLimit));
  return llvm::Error::success();
}

/// Each actor once, in the order of the cycle, from the lowest.
std::vector<ActorId> actorsOf(const EventGraph &events, const CriticalCycle &cycle) {
  std::vector<ActorId> actors;
  for (uint32_t node : cycle.nodes)
    if (std::find(actors.begin(), actors.end(), events.actors[node]) == actors.end())
      actors.push_back(events.actors[node]);
  std::rotate(actors.begin(), std::min_element(actors.begin(), actors.end()), actors.end());
  return actors;
}

} // namespace

llvm::Expected<SdfAnalysis> analyze(const SdfGraph &graph, const SdfOptions &options) {
  std::string place = fmt::format("data-flow graph '{}'", graph.name);
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_RETURN_IF_ERROR(checkTokens(place, graph));

  SdfAnalysis analysis;
  SPINDLE_ASSIGN(analysis.repetitions, repetitionVector(graph));
  SPINDLE_RETURN_IF_ERROR(
      checkSize(place, graph, analysis.repetitions, static_cast<uint64_t>(options.maximumFirings)));
  SPINDLE_ASSIGN(analysis.latency, firstIterationLatency(graph, analysis.repetitions));

  EventGraph events = expand(graph, analysis.repetitions);
  std::optional<CriticalCycle> critical = maximumCycleRatio(events);
  if (!critical)
    return inputError(place, "nothing limits the throughput: no cycle of channels takes time; give "
                             "an actor that does one firing at a time a channel to itself with one "
                             "initial token");
  analysis.period = critical->ratio.value();
  analysis.throughput = 1 / analysis.period;
  analysis.criticalCycle = actorsOf(events, *critical);

  if (options.selfTimedFirings > 0)
    if (std::optional<CycleRatio> period = selfTimedPeriod(
            graph, analysis.repetitions, static_cast<uint64_t>(options.selfTimedFirings))) {
      if (*period != critical->ratio)
        return checkError(place, fmt::format("self-timed execution needs {}/{} time units per "
                                             "iteration, but the maximum cycle ratio is {}/{}",
                                             period->time, period->iterations, critical->ratio.time,
                                             critical->ratio.iterations));
      analysis.selfTimedAgrees = true;
    }
  SPINDLE_RETURN_IF_ERROR(verify(graph, analysis));
  return analysis;
}

} // namespace spindle
