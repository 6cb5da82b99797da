#include "lib/sdf/StorageFront.h"

#include "core/support/formats/JsonMapping.h"
#include "lib/sdf/Analyze.h"
#include "lib/sdf/BoundedChannels.h"
#include "lib/sdf/MaximumCycleRatio.h"
#include "lib/sdf/SelfTimedExecution.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace spindle {

namespace {

using Capacities = std::vector<uint64_t>;

/// How fast a distribution is, and whose places would have to be more to make it faster.
struct Trial {
  std::optional<CycleRatio> period; // none: deadlock
  std::vector<size_t> limiting;     // channels of the graph without bounds
};

class StorageSearch {
public:
  StorageSearch(const SdfGraph &given, const std::vector<uint64_t> &q)
      : graph(given), repetitions(q), least(given.channels.size(), kUnbounded) {
    for (size_t c = 0; c < graph.channels.size(); ++c)
      if (graph.channels[c].source != graph.channels[c].target) {
        least[c] = leastCapacity(graph.channels[c]);
        bounded.push_back(c);
      }
  }

  StorageFront run(const CycleRatio &fastest, uint64_t limit, double enough) {
    StorageFront front;
    std::set<std::pair<uint64_t, Capacities>> waiting = {{tokensOf(least), least}};
    std::set<Capacities> seen = {least};
    while (!waiting.empty() && front.distributions < limit && !front.isComplete) {
      auto [tokens, capacities] = waiting.extract(waiting.begin()).value();
      ++front.distributions;
      Trial trial = attempt(capacities);
      if (trial.period && (front.points.empty() || *trial.period < front.points.back().period)) {
        if (!front.points.empty() && front.points.back().tokens == tokens)
          front.points.pop_back();
        front.points.push_back({tokens, *trial.period, reported(capacities)});
        front.isComplete = *trial.period == fastest;
        if (double(trial.period->iterations) >= enough * double(trial.period->time))
          return front;
      }
      for (size_t c : trial.limiting) {
        Capacities larger = capacities;
        larger[c] += capacityStep(graph.channels[c]);
        if (seen.insert(larger).second)
          waiting.emplace(tokensOf(larger), std::move(larger));
      }
    }
    return front;
  }

private:
  uint64_t tokensOf(const Capacities &capacities) const {
    uint64_t sum = 0;
    for (size_t c : bounded)
      sum += capacities[c];
    return sum;
  }

  Capacities reported(Capacities capacities) const {
    std::replace(capacities.begin(), capacities.end(), kUnbounded, uint64_t(0));
    return capacities;
  }

  /// Channels of free places follow those of the graph.
  Trial attempt(const Capacities &capacities) const {
    SdfGraph finite = withCapacities(graph, capacities);
    Trial trial;
    std::set<size_t> limiting;
    std::vector<size_t> circle = waitingCircle(finite, repetitions);
    if (circle.empty()) {
      EventGraph events = expand(finite, repetitions);
      std::optional<CriticalCycle> critical = maximumCycleRatio(events);
      trial.period = critical ? critical->ratio : CycleRatio();
      if (critical)
        for (size_t i = 0; i < critical->nodes.size(); ++i) {
          ActorId from = events.actors[critical->nodes[i]],
                  to = events.actors[critical->nodes[(i + 1) % critical->nodes.size()]];
          for (size_t k = 0; k < bounded.size(); ++k)
            if (graph.channels[bounded[k]].target == from &&
                graph.channels[bounded[k]].source == to)
              limiting.insert(bounded[k]);
        }
    }
    for (size_t channel : circle)
      if (channel >= graph.channels.size())
        limiting.insert(bounded[channel - graph.channels.size()]);
    trial.limiting.assign(limiting.begin(), limiting.end());
    return trial;
  }

  const SdfGraph &graph;
  const std::vector<uint64_t> &repetitions;
  Capacities least;
  std::vector<size_t> bounded; // channels
};

} // namespace

llvm::Expected<StorageFront> storageFront(const SdfGraph &graph, const SdfOptions &options,
                                          uint64_t limit, double enough) {
  SPINDLE_ASSIGN(SdfAnalysis analysis, analyze(graph, options));
  std::optional<CriticalCycle> critical = maximumCycleRatio(expand(graph, analysis.repetitions));
  return StorageSearch(graph, analysis.repetitions).run(critical->ratio, limit, enough);
}

static constexpr FileFormat kStorageFrontFormat = {"spindle-sdf-storage", 1};

static void describe(auto &file, MaybeConst<StoragePoint> auto &point) {
  file.field("tokens", point.tokens);
  file.derived("period", [&] { return point.period.value(); });
  file.field("time", point.period.time);
  file.field("iterations", point.period.iterations);
  file.field("capacities", point.capacities);
}

static void describe(auto &file, MaybeConst<StorageFront> auto &front, const SdfGraph &graph) {
  file.derived("graph", [&] { return graph.name; }); // for who reads it
  file.field("complete", front.isComplete);
  file.field("distributions", front.distributions);
  file.field("points", front.points);
}

llvm::Error writeStorageFront(const std::string &path, const SdfGraph &graph,
                              const StorageFront &front) {
  return writeDescribed(path, kStorageFrontFormat, front, graph);
}

llvm::Expected<StorageFront> readStorageFront(const std::string &path) {
  return readDescribed<StorageFront>(path, kStorageFrontFormat, SdfGraph());
}

} // namespace spindle
