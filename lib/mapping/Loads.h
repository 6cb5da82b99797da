// Networks that need more crossbars than a chip has: one part after the other.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

namespace spindle {

/// Clusters whose weights are in the crossbars at the same time, while all steps of a sample run.
struct Load {
  std::vector<ClusterId> clusters; // ascending
  uint64_t rows = 0, cells = 0;    // that are written
  uint64_t spikesIn = 0;           // packets from memory: of the host and of earlier loads
  std::vector<uint64_t> spikesOut; // per cluster, packets to memory: what later loads hear, once
  bool operator==(const Load &) const = default;
};

/// Loads in which everything that one hears comes from the host, itself or earlier ones: whole
/// parts, in the order in which they drive each other, each into the load at hand as
/// long as there is room. Clusters that drive each other in a circle are a part, and so are
/// clusters that pass partial sums, which no memory keeps. Errors: a part larger than the chip.
llvm::Expected<std::vector<Load>> planLoads(const Clustering &clustering, const Chip &chip);

/// A load as a clustering of its own, with all neurons of the network: what earlier loads drive
/// comes from the host.
Clustering clusteringOf(const Clustering &whole, const Load &load);

/// The populations of the network as a load sees them: runs of neurons with a column there, and
/// runs of others, which are inputs.
std::vector<Population> populationsOf(const std::vector<Population> &whole, const Clustering &part);

/// Cycles in which a load is written: its rows one after the other through each tile of the host.
uint64_t writeCycles(const Load &load, const Chip &chip);
double writePj(const Load &load, const Chip &chip);

} // namespace spindle
