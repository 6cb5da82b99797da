// A tile whose layer is computed by a circuit: what it does in every step, and what reaches it.
#pragma once

#include "core/chip/Clustering.h"
#include "core/chip/Mesh.h"

#include <string>
#include <vector>

namespace spindle {

/// A packet that a circuit sends, so many cycles after its step was ended.
struct CircuitPacket {
  NeuronId neuron;
  TileId target;
  uint64_t cycle;
  bool operator==(const CircuitPacket &) const = default;
};

/// What a circuit does with the spikes of one step.
struct CircuitStep {
  uint64_t cycles = 0; // from the end of the step to its last packet, and the word that all is done
  uint64_t circuitCycles = 0; // of these, from the first word into the circuit to the last one out
  uint64_t spikes = 0;
  std::vector<CircuitPacket> packets; // in the order in which they leave: ascending neuron and tile
  bool operator==(const CircuitStep &) const = default;
};

/// A packet that a circuit has taken in a slot.
struct CircuitArrival {
  NeuronId neuron;
  uint64_t cycle;
  uint64_t slot;
  bool operator==(const CircuitArrival &) const = default;
};

struct CircuitTile {
  TileId tile = 0;
  ClusterId cluster = 0;
  std::string layer;
  NeuronId first = 0;             // of the layer
  std::vector<CircuitStep> steps; // of the first sample, of the second, …
  /// Left by the simulation: in which cycle each of the steps was ended, in which slot, and the
  /// packets that came.
  std::vector<uint64_t> begins, slots;
  std::vector<CircuitArrival> arrivals; // ascending cycle
};

} // namespace spindle
