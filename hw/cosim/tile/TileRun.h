// The circuit of a tile in Verilator: packets in, packets out.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "core/network/HardwareNetwork.h"
#include "hw/cosim/TestBench.h"

namespace spindle::hls {

/// What reaches a circuit. Cycles count from the start of the circuit; step s is that of all
/// samples one after the other.
struct TileStimulus {
  struct Packet {
    uint32_t neuron;
    uint64_t cycle, step; // not offered before the step before it is ended
  };
  uint32_t samples = 1;
  std::vector<std::vector<uint32_t>> targets; // tiles, of each neuron of the layer
  std::vector<Packet> packets;                // ascending step and cycle
  /// When each step is ended; later where a packet of it has not been taken, or the step before is
  /// not through.
  std::vector<uint64_t> steps;
  uint64_t stallPercent = 0; // of the cycles in which the circuit's packets are not taken
  uint64_t seed = 1;
  std::string waveform; // file for all of the run; empty: none
};

struct TileOutcome {
  struct Sent {
    uint32_t neuron, tile;
    uint64_t cycle;
    bool operator==(const Sent &) const = default;
  };
  struct Step {
    uint64_t begin = 0, end = 0;  // cycles of `step` and `done`
    std::vector<uint32_t> spikes; // neurons, in the order in which the interface saw them
    std::vector<Sent> packets;
    std::vector<uint64_t> words, answers; // cycles in which words went into the circuit, and out
  };
  std::vector<Step> steps;
  std::vector<uint64_t> taken; // of each packet, the cycle
  std::string problem;         // what was wrong, empty: nothing
};

/// The circuit in `folder` with its network interface; `network.tile` is there. Errors of the
/// folder are found when it is built: files that are absent, a module without the pins of the
/// interface.
BenchDesign tileDesign(const std::string &folder, const KernelInterface &kernel,
                       const HardwareNetwork &network);

/// Builds the circuit where it is not built yet, and runs it. Errors are of files and tools, or
/// targets that do not fit the table.
llvm::Expected<TileOutcome> runTile(const BenchDesign &design, const HardwareNetwork &network,
                                    const TileStimulus &stimulus);

} // namespace spindle::hls
