#include "core/chip/sdf/SdfAnalysis.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace spindle {

namespace {

constexpr FileFormat kSdfAnalysisFormat = {"spindle-sdf-analysis", 1};

/// The lowest actor of each actor's weakly connected component.
std::vector<ActorId> componentsOf(const SdfGraph &graph) {
  std::vector<ActorId> root(graph.actors.size());
  std::iota(root.begin(), root.end(), 0);
  auto find = [&](ActorId a) {
    while (root[a] != a)
      a = root[a] = root[root[a]];
    return a;
  };
  for (const SdfChannel &channel : graph.channels) {
    auto [low, high] = std::minmax({find(channel.source), find(channel.target)});
    root[high] = low;
  }
  for (ActorId a = 0; a < root.size(); ++a)
    root[a] = find(a);
  return root;
}

/// Tokens of so many firings, exact.
__int128 tokensOf(const PerPhase<uint32_t> &rate, uint64_t firings) {
  return __int128(firings / rate.phases()) * rate.total() + rate.sum(firings % rate.phases());
}

llvm::Error verifyRepetitions(const std::string &place, const SdfGraph &graph,
                              const std::vector<uint64_t> &repetitions) {
  if (repetitions.size() != graph.actors.size())
    return checkError(place, fmt::format("{} repetitions for {} actors", repetitions.size(),
                                         graph.actors.size()));
  for (size_t c = 0; c < graph.channels.size(); ++c) {
    const SdfChannel &channel = graph.channels[c];
    if (tokensOf(channel.produce, repetitions[channel.source]) !=
        tokensOf(channel.consume, repetitions[channel.target]))
      return checkError(
          place, fmt::format("channel {} ({} -> {}) is not balanced by repetitions {} and {}", c,
                             graph.actors[channel.source].name, graph.actors[channel.target].name,
                             repetitions[channel.source], repetitions[channel.target]));
  }
  std::vector<ActorId> component = componentsOf(graph);
  std::vector<uint64_t> divisor(repetitions.size(), 0), phases = phasesOf(graph);
  for (size_t a = 0; a < repetitions.size(); ++a) {
    if (repetitions[a] % phases[a] != 0)
      return checkError(place, fmt::format("actor '{}' fires {} times, expected turns of {} phases",
                                           graph.actors[a].name, repetitions[a], phases[a]));
    divisor[component[a]] = std::gcd(divisor[component[a]], repetitions[a] / phases[a]);
  }
  for (size_t a = 0; a < repetitions.size(); ++a)
    if (component[a] == a && divisor[a] != 1)
      return checkError(place,
                        fmt::format("repetitions around actor '{}' have the common divisor {}, "
                                    "expected 1",
                                    graph.actors[a].name, divisor[a]));
  return llvm::Error::success();
}

/// Every critical actor has a channel from another one, or from itself if it is alone.
bool formCycle(const SdfGraph &graph, const std::vector<ActorId> &actors) {
  std::set<ActorId> members(actors.begin(), actors.end()), reached;
  for (const SdfChannel &channel : graph.channels)
    if (members.count(channel.source) && (channel.source != channel.target || members.size() == 1))
      reached.insert(channel.target);
  return !members.empty() && members.size() == actors.size() &&
         std::includes(reached.begin(), reached.end(), members.begin(), members.end());
}

} // namespace

llvm::Error verify(const SdfGraph &graph, const SdfAnalysis &analysis) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  std::string place = fmt::format("analysis of data-flow graph '{}'", graph.name);
  SPINDLE_RETURN_IF_ERROR(verifyRepetitions(place, graph, analysis.repetitions));
  if (!(analysis.period > 0) || !(std::abs(analysis.period * analysis.throughput - 1) < 1e-12))
    return checkError(place, fmt::format("period {} and throughput {} are not reciprocal",
                                         analysis.period, analysis.throughput));
  if (!formCycle(graph, analysis.criticalCycle))
    return checkError(place, "the critical actors do not lie on a cycle of channels");
  for (const SdfActor &actor : graph.actors)
    if (analysis.latency && *analysis.latency < actor.executionTime.largest())
      return checkError(place,
                        fmt::format("latency {} is below the execution time {} of actor '{}'",
                                    *analysis.latency, actor.executionTime.largest(), actor.name));
  return llvm::Error::success();
}

/// The names beside the actors' numbers are those of `graph`, which only a writer needs.
static void describe(auto &file, MaybeConst<SdfAnalysis> auto &analysis, const SdfGraph &graph) {
  file.derived("graph", [&] { return graph.name; });
  file.field("period", analysis.period);
  file.field("throughput", analysis.throughput);
  file.optional("latency", analysis.latency);
  file.field("self_timed_agrees", analysis.selfTimedAgrees);
  file.list("critical_cycle", analysis.criticalCycle, [&](auto &entry, auto &actor) {
    entry.field("actor", actor);
    entry.derived("name", [&] { return graph.actors[actor].name; });
  });
  size_t next = 0;
  file.list("actors", analysis.repetitions, [&](auto &entry, auto &repetitions) {
    entry.derived("name", [&] { return graph.actors[next++].name; });
    entry.field("repetitions", repetitions);
  });
}

llvm::Error writeSdfAnalysis(const std::string &path, const SdfGraph &graph,
                             const SdfAnalysis &analysis) {
  SPINDLE_RETURN_IF_ERROR(verify(graph, analysis));
  return writeDescribed(path, kSdfAnalysisFormat, analysis, graph);
}

llvm::Expected<SdfAnalysis> readSdfAnalysis(const std::string &path) {
  return readDescribed<SdfAnalysis>(path, kSdfAnalysisFormat, SdfGraph());
}

} // namespace spindle
