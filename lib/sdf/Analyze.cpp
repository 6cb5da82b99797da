#include "lib/sdf/Analyze.h"

#include "lib/sdf/Repetitions.h"
#include "lib/sdf/SelfTimedExecution.h"
#include "lib/sdf/periodic/LimitingCircle.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle {

namespace {

// Bounds under which every sum and product of the analysis is exact (CycleRatio.h, Wide).
constexpr uint64_t workLimit = uint64_t(1) << 40;   // execution times of one iteration together
constexpr uint64_t tokensLimit = uint64_t(1) << 32; // initial tokens of a channel
constexpr uint64_t executedFirings = 10'000'000;    // of an iteration for its latency: 80 MB

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

llvm::Error checkWork(const std::string &place, const SdfGraph &graph,
                      const std::vector<uint64_t> &repetitions) {
  Wide work = 0;
  for (size_t a = 0; a < repetitions.size(); ++a) {
    const PerPhase<uint64_t> &time = graph.actors[a].executionTime;
    work += Wide(repetitions[a] / time.phases()) * time.total();
  }
  if (work > workLimit)
    return inputError(place, fmt::format("one iteration works more than {} time units; choose a "
                                         "larger unit",
                                         workLimit));
  return llvm::Error::success();
}

/// Each actor once, in the order of the cycle, from the lowest.
std::vector<ActorId> onceEach(const std::vector<ActorId> &cycle) {
  std::vector<ActorId> actors;
  for (ActorId actor : cycle)
    if (std::find(actors.begin(), actors.end(), actor) == actors.end())
      actors.push_back(actor);
  std::rotate(actors.begin(), std::min_element(actors.begin(), actors.end()), actors.end());
  return actors;
}

std::string namesOf(const SdfGraph &graph, const std::vector<ActorId> &actors) {
  std::vector<std::string> names;
  for (ActorId actor : actors)
    names.push_back(graph.actors[actor].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Whether there is a period; an upper bound is one if self-timed execution is as slow.
llvm::Error checkLimit(const std::string &place, const SdfGraph &graph, const LimitingCircle &limit,
                       uint64_t maximumFirings, const std::optional<CycleRatio> &selfTimed) {
  if (limit.actors.empty())
    return inputError(place, "nothing limits the throughput: no cycle of channels takes time; give "
                             "an actor that does one firing at a time a channel to itself with one "
                             "initial token");
  if (!limit.isExact && (!limit.period || selfTimed != limit.period))
    return inputError(place, fmt::format("the cycle of {} repeats more than {} firings; choose "
                                         "rates with common factors or raise maximum_firings",
                                         namesOf(graph, onceEach(limit.actors)), maximumFirings));
  if (!limit.period)
    return inputError(place, fmt::format("deadlock: {} wait for each other; put initial tokens on "
                                         "a channel of this cycle",
                                         namesOf(graph, onceEach(limit.actors))));
  if (selfTimed && *selfTimed != *limit.period)
    return checkError(place, fmt::format("self-timed execution needs {}/{} time units per "
                                         "iteration, but the maximum cycle ratio is {}/{}",
                                         selfTimed->time, selfTimed->iterations, limit.period->time,
                                         limit.period->iterations));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<SdfAnalysis> analyze(const SdfGraph &graph, const SdfOptions &options) {
  std::string place = fmt::format("data-flow graph '{}'", graph.name);
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_RETURN_IF_ERROR(checkTokens(place, graph));

  SdfAnalysis analysis;
  SPINDLE_ASSIGN(analysis.repetitions, repetitionVector(graph));
  SPINDLE_RETURN_IF_ERROR(checkWork(place, graph, analysis.repetitions));
  Wide firings = std::accumulate(analysis.repetitions.begin(), analysis.repetitions.end(), Wide(0));
  if (firings <= executedFirings) {
    SPINDLE_ASSIGN(analysis.latency, firstIterationLatency(graph, analysis.repetitions));
  }

  auto maximumFirings = static_cast<uint64_t>(options.maximumFirings);
  LimitingCircle limit = limitingCircle(graph, analysis.repetitions, maximumFirings);
  std::optional<CycleRatio> selfTimed;
  if (options.selfTimedFirings > 0 && limit.period) // then it is live
    selfTimed = selfTimedPeriod(graph, analysis.repetitions,
                                static_cast<uint64_t>(options.selfTimedFirings));
  SPINDLE_RETURN_IF_ERROR(checkLimit(place, graph, limit, maximumFirings, selfTimed));
  analysis.selfTimedAgrees = selfTimed.has_value();
  analysis.period = limit.period->value();
  analysis.throughput = 1 / analysis.period;
  analysis.criticalCycle = onceEach(limit.actors);
  SPINDLE_RETURN_IF_ERROR(verify(graph, analysis));
  return analysis;
}

} // namespace spindle
