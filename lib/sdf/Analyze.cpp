#include "lib/sdf/Analyze.h"

#include "lib/sdf/Repetitions.h"
#include "lib/sdf/SelfTimedExecution.h"
#include "lib/sdf/periodic/LimitingCircle.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace spindle {

namespace {

// Bounds under which every sum and product of the analysis is exact (CycleRatio.h, Wide).
constexpr uint64_t workLimit = uint64_t(1) << 40;   // execution times of one iteration together
constexpr uint64_t tokensLimit = uint64_t(1) << 32; // initial tokens of a channel
constexpr uint64_t executedReads = 30'000'000;      // of channels in an iteration, for its latency

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
  uint64_t work = 0;
  for (size_t a = 0; a < repetitions.size(); ++a) {
    const PerPhase<uint64_t> &time = graph.actors[a].executionTime;
    uint64_t own = 0;
    if (__builtin_mul_overflow(repetitions[a] / time.phases(), time.total(), &own) ||
        __builtin_add_overflow(work, own, &work) || work > workLimit)
      return inputError(place, fmt::format("one iteration works more than {} time units; choose a "
                                           "larger unit",
                                           workLimit));
  }
  return llvm::Error::success();
}

/// What executing an iteration takes: firings, and those that read each channel.
Wide readsOf(const SdfGraph &graph, const std::vector<uint64_t> &repetitions) {
  Wide reads = std::accumulate(repetitions.begin(), repetitions.end(), Wide(0));
  for (const SdfChannel &channel : graph.channels)
    reads += repetitions[channel.target];
  return reads;
}

/// Each actor once, in the order of the cycle, from the lowest.
std::vector<ActorId> onceEach(const std::vector<ActorId> &cycle) {
  std::vector<ActorId> actors;
  std::set<ActorId> seen;
  for (ActorId actor : cycle)
    if (seen.insert(actor).second)
      actors.push_back(actor);
  std::rotate(actors.begin(), std::min_element(actors.begin(), actors.end()), actors.end());
  return actors;
}

std::string namesOf(const SdfGraph &graph, const std::vector<ActorId> &actors) {
  constexpr size_t most = 8;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(actors.size(), most); ++i)
    names.push_back(graph.actors[actors[i]].name);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     actors.size() > most ? fmt::format(" and {} more", actors.size() - most) : "");
}

/// Whether there is a period; an upper bound is one if self-timed execution is as slow.
llvm::Error checkLimit(const std::string &place, const SdfGraph &graph, const LimitingCircle &limit,
                       uint64_t maximumFirings, const std::optional<CycleRatio> &selfTimed) {
  if (limit.actors.empty())
    return inputError(place, "nothing limits the throughput: no cycle of channels takes time; give "
                             "an actor that does one firing at a time a channel to itself with one "
                             "initial token");
  if (!limit.isExact && (!limit.period || selfTimed != limit.period))
    return inputError(place, fmt::format("more than {} firings around {} decide the throughput; "
                                         "choose rates with common factors or raise "
                                         "maximum_firings",
                                         maximumFirings, namesOf(graph, onceEach(limit.actors))));
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
  if (readsOf(graph, analysis.repetitions) <= executedReads) {
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
