// What throughput costs in buffers.
#pragma once

#include "core/chip/sdf/SdfGraph.h"
#include "lib/sdf/CycleRatio.h"
#include "lib/sdf/SdfOptions.h"

#include <limits>

namespace spindle {

/// Capacities with which a graph takes `period` per iteration; none with fewer tokens is as fast.
struct StoragePoint {
  uint64_t tokens = 0; // all capacities together
  CycleRatio period;
  std::vector<uint64_t> capacities; // per channel; 0 for a channel of an actor to itself, a state
  bool operator==(const StoragePoint &) const = default;
};

struct StorageFront {
  std::vector<StoragePoint> points; // in ascending order of tokens, each faster than the one before
  bool isComplete = false;          // the last one is as fast as without bounds
  uint64_t distributions = 0;       // tried
};

/// The smallest buffers for every throughput that buffers can give, exact: distributions are tried
/// in ascending order of tokens, from the least capacities on. One that is slower than the graph
/// without bounds is limited by a circle (a critical cycle, or one of actors that wait for each
/// other) through places of some channels; no larger distribution is faster unless one of these is
/// larger, so only they grow, by their steps. Channels of actors to themselves stay as they are.
/// After `limit` distributions, and once a point reaches the throughput `enough`, the front ends
/// with `isComplete` false. Errors as analyze().
llvm::Expected<StorageFront> storageFront(const SdfGraph &graph, const SdfOptions &options,
                                          uint64_t limit,
                                          double enough = std::numeric_limits<double>::infinity());

llvm::Error writeStorageFront(const std::string &path, const SdfGraph &graph,
                              const StorageFront &front);
llvm::Expected<StorageFront> readStorageFront(const std::string &path);

} // namespace spindle
