// What the data-flow analysis found.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

#include <optional>

namespace spindle {

struct SdfAnalysis {
  std::vector<uint64_t>
      repetitions;       // firings of each actor per iteration (smallest), in all phases
  double period = 0;     // time units per iteration: the maximum cycle ratio
  double throughput = 0; // iterations per time unit: 1 / period
  std::vector<ActorId> criticalCycle; // actors on a cycle that attains the period
  std::optional<uint64_t> latency; // from the start to the end of the first iteration, self-timed;
                                   // nothing where that has too many firings
  bool selfTimedAgrees = false; // self-timed execution recurred within its limit, with this period
  bool operator==(const SdfAnalysis &) const = default;
};

/// Repetitions balance every channel and are smallest, throughput = 1 / period, critical actors
/// form a cycle, the first iteration lasts at least as long as its longest firing.
llvm::Error verify(const SdfGraph &graph, const SdfAnalysis &analysis);
llvm::Error writeSdfAnalysis(const std::string &path, const SdfGraph &graph,
                             const SdfAnalysis &analysis);
llvm::Expected<SdfAnalysis> readSdfAnalysis(const std::string &path);

} // namespace spindle
