#include "lib/sdf/StorageFront.h"

#include "core/support/formats/JsonMapping.h"
#include "lib/sdf/Analyze.h"
#include "lib/sdf/BoundedChannels.h"
#include "lib/sdf/periodic/LimitingCircle.h"

#include "fmt/format.h"

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
  StorageSearch(const SdfGraph &given, const std::vector<uint64_t> &q, uint64_t most)
      : graph(given), repetitions(q), maximumFirings(most),
        least(given.channels.size(), kUnbounded) {
    for (size_t c = 0; c < graph.channels.size(); ++c)
      if (graph.channels[c].source != graph.channels[c].target) {
        least[c] = leastCapacity(graph.channels[c]);
        bounded.push_back(c);
      }
  }

  llvm::Expected<StorageFront> run(const CycleRatio &fastest, uint64_t limit, double enough) {
    StorageFront front;
    std::set<std::pair<uint64_t, Capacities>> waiting = {{tokensOf(least), least}};
    std::set<Capacities> seen = {least};
    while (!waiting.empty() && front.distributions < limit && !front.isComplete) {
      auto [tokens, capacities] = waiting.extract(waiting.begin()).value();
      ++front.distributions;
      SPINDLE_ASSIGN(Trial trial, attempt(capacities, fastest));
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

  llvm::Expected<Trial> attempt(const Capacities &capacities, const CycleRatio &fastest) const {
    LimitingCircle limit =
        limitingCircle(withCapacities(graph, capacities), repetitions, maximumFirings);
    if (!limit.isExact && limit.period != fastest)
      return inputError(fmt::format("data-flow graph '{}'", graph.name),
                        fmt::format("with bounded channels more than {} firings decide the "
                                    "throughput; choose rates with common factors or raise "
                                    "maximum_firings",
                                    maximumFirings));
    Trial trial{limit.period, {}};
    for (size_t c : bounded) // places go from the target to the source
      for (size_t i = 0; i < limit.actors.size(); ++i)
        if (graph.channels[c].target == limit.actors[i] &&
            graph.channels[c].source == limit.actors[(i + 1) % limit.actors.size()]) {
          trial.limiting.push_back(c);
          break;
        }
    return trial;
  }

  const SdfGraph &graph;
  const std::vector<uint64_t> &repetitions;
  uint64_t maximumFirings;
  Capacities least;
  std::vector<size_t> bounded; // channels
};

} // namespace

llvm::Expected<StorageFront> storageFront(const SdfGraph &graph, const SdfOptions &options,
                                          uint64_t limit, double enough) {
  SPINDLE_ASSIGN(SdfAnalysis analysis, analyze(graph, options));
  auto maximumFirings = static_cast<uint64_t>(options.maximumFirings);
  LimitingCircle fastest = limitingCircle(graph, analysis.repetitions, maximumFirings);
  return StorageSearch(graph, analysis.repetitions, maximumFirings)
      .run(*fastest.period, limit, enough);
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
