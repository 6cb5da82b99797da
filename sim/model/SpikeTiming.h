// What the way over the chip does to the timing of spikes.
#pragma once

#include "core/chip/ChipStats.h"
#include "core/network/Population.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace spindle {

/// Collects the deliveries of spikes from the mesh. Formulae: docs/formats/chip-stats.md.
class SpikeTiming {
public:
  /// A spike of `neuron` was received by `target`. Those of a neuron come in the order in which
  /// they were made; `batch` groups those that may overtake each other.
  void add(NeuronId neuron, uint32_t sample, TileId target, uint64_t madeCycle, uint64_t tailCycle);
  /// The deliveries so far are followed by none that could overtake them.
  void endBatch();

  /// The part of the figures that is about order and intervals.
  void fill(TrafficStats &traffic) const;

private:
  struct Arrived {
    TileId target;
    uint64_t tailCycle, madeCycle;
  };
  /// The spikes of one neuron at one tile.
  struct Stream {
    uint32_t sample;
    uint64_t madeCycle, tailCycle; // of the last one
    uint64_t intervals = 0, distortionSum = 0;
  };
  llvm::DenseMap<uint64_t, Stream> streams; // neuron · 2^32 + tile
  std::vector<Arrived> batch;
  uint64_t deliveries = 0, overtaken = 0, intervals = 0, distortionSum = 0, distortionMax = 0;
};

} // namespace spindle
