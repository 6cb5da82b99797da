// Where the spikes and partial sums of a mapped network go: tables made once, read in every step.
#pragma once

#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

/// A crossbar that a spike or a partial sum reaches, and the cells it drives there (none for a sum,
/// which is added to one column).
struct Stop {
  TileId tile;
  ClusterId cluster;
  SynapsesByKind<uint32_t> synapses;
};

/// Fan-out per neuron and per unit. Neurons without a unit belong to the host.
class SpikeFanOut {
public:
  SpikeFanOut(const Clustering &clustering, const Mapping &mapping);

  /// The unit that spikes for a neuron, kNone for the host's.
  UnitId spikingUnit(NeuronId neuron) const { return spikingUnits[neuron]; }
  /// The cluster that spikes for a neuron, kNone for the host's.
  ClusterId home(NeuronId neuron) const { return homes[neuron]; }
  /// Where packets from a cluster (kNone: from the host) to a tile begin.
  TileId sourceTile(ClusterId from, TileId target) const {
    return from == kNone ? hostTiles[target] : tiles[from];
  }
  /// Position of a unit among the columns of its crossbar, in the order in which they are updated.
  uint32_t column(UnitId unit) const { return columns[unit]; }
  TileId tile(ClusterId cluster) const { return tiles[cluster]; }
  /// With a cluster, ascending.
  std::vector<TileId> usedTiles() const;

  /// The crossbars with an axon of the neuron, ascending by tile, then cluster.
  llvm::ArrayRef<Stop> stops(NeuronId neuron) const {
    return llvm::ArrayRef<Stop>(spikeStops)
        .slice(offsets[neuron], offsets[neuron + 1] - offsets[neuron]);
  }
  /// Where a unit that is carried sends its partial sum.
  llvm::ArrayRef<Stop> carryStop(UnitId unit) const { return carryStops[unit]; }

private:
  std::vector<TileId> tiles;        // per cluster
  std::vector<UnitId> spikingUnits; // per neuron
  std::vector<ClusterId> homes;     // per neuron
  std::vector<TileId> hostTiles;    // per tile: where the host's packets for it enter
  std::vector<uint32_t> columns;    // per unit
  std::vector<Stop> carryStops;     // per unit, empty meaning for the last of a chain
  std::vector<size_t> offsets;      // per neuron, into spikeStops
  std::vector<Stop> spikeStops;
};

} // namespace spindle
