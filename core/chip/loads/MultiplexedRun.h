// What a network takes on a chip that holds one part of it at a time.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"

namespace spindle {

/// Of a sample, in the mean over those that were simulated.
struct SampleCost {
  double writeCycles = 0, runCycles = 0; // one after the other
  double packets = 0, synapticEvents = 0;
  double energyPj = 0; // of writing and running

  double cycles() const { return writeCycles + runCycles; }
  bool operator==(const SampleCost &) const = default;
};

/// Clusters that are in the crossbars at the same time.
struct PlacedLoad {
  std::vector<ClusterId> clusters; // ascending
  std::vector<Placement> placements;
  uint64_t rows = 0; // of crossbars, that are written
  SampleCost cost;
  bool operator==(const PlacedLoad &) const = default;
};

struct MultiplexedRun {
  std::string chip;
  uint32_t crossbars = 0; // that work
  uint32_t samples = 0;   // simulated
  double clockMhz = 0;
  LoadPrices prices;
  std::vector<PlacedLoad> loads; // in their order
  /// The same network at once, on the chip with as many rows of tiles as that takes.
  uint32_t crossbarsAtOnce = 0;
  SampleCost atOnce;
  bool operator==(const MultiplexedRun &) const = default;

  size_t clusters() const; // of the network
};

/// What the loads take together.
SampleCost costOf(const MultiplexedRun &run);

/// Every cluster is in one load, on a crossbar that it shares with none, and the loads do the
/// synaptic events of the network at once.
llvm::Error verify(const MultiplexedRun &run);

/// JSON: `75-loads.json`.
llvm::Error writeMultiplexedRun(const std::string &path, const MultiplexedRun &run);
llvm::Expected<MultiplexedRun> readMultiplexedRun(const std::string &path);

} // namespace spindle
