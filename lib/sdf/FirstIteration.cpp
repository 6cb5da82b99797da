// Liveness and latency of a data-flow graph.
#include "lib/sdf/SelfTimedExecution.h"
#include "lib/sdf/TokenOrigin.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace spindle {

namespace {

class FirstIteration {
public:
  FirstIteration(const SdfGraph &g, const std::vector<uint64_t> &r)
      : graph(g), repetitions(r), phases(phasesOf(g)), inputs(g.actors.size()),
        outputs(g.actors.size()), ends(g.actors.size()) {
    for (size_t c = 0; c < graph.channels.size(); ++c) {
      inputs[graph.channels[c].target].push_back(c);
      outputs[graph.channels[c].source].push_back(c);
    }
  }

  void run() {
    std::vector<ActorId> ready;
    for (ActorId a = 0; a < graph.actors.size(); ++a)
      ready.push_back(a);
    while (!ready.empty()) {
      ActorId a = ready.back();
      ready.pop_back();
      size_t before = ends[a].size();
      while (ends[a].size() < repetitions[a] && !missing(a))
        ends[a].push_back(start(a) + graph.actors[a].executionTime[ends[a].size()]);
      if (ends[a].size() > before)
        for (size_t c : outputs[a])
          ready.push_back(graph.channels[c].target);
    }
  }

  /// An actor that waits is short of tokens from one that has not finished its iteration either, so
  /// following the missing tokens upstream ends in a circle. Empty: all have finished.
  std::vector<size_t> circle() const {
    std::vector<size_t> chain; // channels, each into the source of the one before
    for (ActorId a = 0; a < graph.actors.size() && chain.empty(); ++a)
      if (ends[a].size() < repetitions[a])
        chain.push_back(*missing(a));
    auto isMet = [&](size_t c) { return graph.channels[c].target == source(chain.back()); };
    if (chain.empty())
      return chain;
    auto met = chain.end();
    while ((met = std::find_if(chain.begin(), chain.end(), isMet)) == chain.end())
      chain.push_back(*missing(source(chain.back())));
    chain.erase(chain.begin(), met);
    return chain;
  }

  uint64_t latency() const {
    uint64_t last = 0;
    for (const std::vector<uint64_t> &each : ends)
      last = std::max(last, each.back());
    return last;
  }

  llvm::Error deadlock(const std::vector<size_t> &channels) const {
    std::string circle = nameOf(graph.channels[channels.front()].target);
    for (size_t c : channels)
      circle += " waits for " + nameOf(source(c));
    return inputError(
        fmt::format("data-flow graph '{}'", graph.name),
        fmt::format("deadlock: {}; put initial tokens on a channel of this cycle", circle));
  }

private:
  /// The first channel on which the next firing of `a` lacks tokens.
  std::optional<size_t> missing(ActorId a) const {
    for (size_t c : inputs[a]) {
      std::optional<int64_t> origin = lastTokenOrigin(graph.channels[c], ends[a].size());
      if (origin && *origin >= static_cast<int64_t>(ends[graph.channels[c].source].size()))
        return c;
    }
    return std::nullopt;
  }

  uint64_t start(ActorId a) const {
    uint64_t time = 0;
    for (size_t c : inputs[a])
      if (auto origin = lastTokenOrigin(graph.channels[c], ends[a].size()); origin && *origin >= 0)
        time = std::max(time, ends[graph.channels[c].source][static_cast<size_t>(*origin)]);
    return time;
  }

  /// With the phase that waits.
  std::string nameOf(ActorId a) const {
    return phases[a] == 1 ? graph.actors[a].name
                          : fmt::format("{} (phase {} of {})", graph.actors[a].name,
                                        ends[a].size() % phases[a] + 1, phases[a]);
  }

  ActorId source(size_t channel) const { return graph.channels[channel].source; }

  const SdfGraph &graph;
  const std::vector<uint64_t> &repetitions;
  std::vector<uint64_t> phases;                     // per actor
  std::vector<std::vector<size_t>> inputs, outputs; // channels per actor
  std::vector<std::vector<uint64_t>> ends;          // per actor, of each firing so far
};

} // namespace

llvm::Expected<uint64_t> firstIterationLatency(const SdfGraph &graph,
                                               const std::vector<uint64_t> &repetitions) {
  FirstIteration execution(graph, repetitions);
  execution.run();
  if (std::vector<size_t> channels = execution.circle(); !channels.empty())
    return execution.deadlock(channels);
  return execution.latency();
}

std::vector<size_t> waitingCircle(const SdfGraph &graph, const std::vector<uint64_t> &repetitions) {
  FirstIteration execution(graph, repetitions);
  execution.run();
  return execution.circle();
}

} // namespace spindle
