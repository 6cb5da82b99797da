// What the chip simulation counted.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/Json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// What energy is for: switching; the clock of tiles in use; leakage while on, or switched off.
inline constexpr const char *kEnergyDynamic = "dynamic", *kEnergyClock = "clock",
                            *kEnergyLeakageOn = "leakage_on",
                            *kEnergyLeakageGated = "leakage_gated";

/// One energy contribution: events × price.
struct EnergyPart {
  std::string name; // e.g. "synapse"
  uint64_t events = 0;
  double pj = 0;
  std::string source; // of the price
  std::string kind = kEnergyDynamic;
  bool operator==(const EnergyPart &) const = default;
};

struct LinkLoad {
  TileId from, to;
  uint64_t flits = 0;
  double pj = 0; // of their hops
  bool operator==(const LinkLoad &) const = default;
};

/// Slots of hardware time in which a part of the chip was busy longest.
struct WaitCount {
  std::string part; // columns, crossbar, port, link
  uint64_t slots = 0;
  bool operator==(const WaitCount &) const = default;
};

/// How the mesh carried the packets; the formulae stand in docs/formats/chip-stats.md.
struct TrafficStats {
  double fanOutMean = 0; // tiles reached by a spike over the mesh, of those that leave their tile
  uint64_t fanOutMax = 0;
  uint64_t flitHops = 0;              // wire length in links, of all flits together …
  double hopsMean = 0;                // … and of a delivery on average
  double flitsPerCycleNode = 0;       // received by tiles
  double bufferedFlitsMean = 0;       // in the input buffers of all routers
  uint64_t blockedFlitCycles = 0;     // there, beyond what the stages of a router take
  double isiDistortionMeanCycles = 0; // of the interval between two spikes of a neuron at a tile
  uint64_t isiDistortionMaxCycles = 0;
  double isiWorstMeanCycles = 0; // mean of the neuron and tile where it is largest
  uint32_t isiWorstNeuron = 0;
  TileId isiWorstTile = 0;
  double disorder = 0; // part of the spikes at tiles that a later one overtook on the way there
  bool operator==(const TrafficStats &) const = default;
};

/// Routers that carry packets, of a chip whose routers sleep.
struct GatingStats {
  uint64_t onCycles = 0, gatedCycles = 0; // of all of them
  uint64_t wakes = 0;
  uint64_t waitCycles = 0; // that flits lay before a router, or a part of it, that was waking
  /// Where parts of a router sleep by themselves, of all these parts.
  struct Parts {
    std::string granularity; // port, channel, flit
    uint64_t onCycles = 0, gatedCycles = 0, wakes = 0;
    bool operator==(const Parts &) const = default;
  };
  std::optional<Parts> parts = std::nullopt;
  bool operator==(const GatingStats &) const = default;
};

/// What the neurons of a population cause: their updates and spikes, and the packets, hops and
/// synaptic events of those.
struct LayerEnergy {
  std::string name;
  double pj = 0;
  bool operator==(const LayerEnergy &) const = default;
};

/// The row of cells that is read most: that of an axon.
struct MostRead {
  TileId tile = 0;
  uint32_t crossbar = 0; // within the tile
  uint32_t neuron = 0;   // that drives it
  uint64_t reads = 0;
  std::optional<double> lifeYears; // at these reads per time, where the chip has an endurance
  bool operator==(const MostRead &) const = default;
};

/// A tile whose layer a circuit computed.
struct CircuitStats {
  TileId tile = 0;
  std::string layer;
  uint64_t spikes = 0, packets = 0;
  /// Of each step of each sample: from the end of its packets to the last one of its spikes, and
  /// the circuit's part of them, from the first word in to the last word out.
  std::vector<uint64_t> stepCycles = {}, circuitCycles = {};
  bool operator==(const CircuitStats &) const = default;
};

struct ChipStats {
  std::string chip;
  Mesh mesh;
  uint32_t samples = 0, steps = 0;
  double clockMhz = 0;
  std::string synchronisation;
  uint64_t cycles = 0;              // of all samples together
  double steadyCyclesPerSample = 0; // while every layer works; 0: never
  std::vector<WaitCount> waits;     // empty on a free-running chip, which waits for its clock
  uint64_t rowReads = 0;            // arrivals at crossbars …
  uint64_t lateRowReads = 0;        // … done after the end of their step; of a free-running chip
  uint64_t latenessMaxCycles = 0;
  uint64_t packets = 0; // injected into the mesh, each once
  uint64_t spikePackets = 0, partialSumPackets = 0;
  uint64_t deliveries = 0;      // of those packets at their targets
  uint64_t localDeliveries = 0; // packets between crossbars of one tile
  double latencyMeanCycles = 0; // of deliveries: packet made → tail received
  uint64_t latencyMaxCycles = 0;
  uint64_t latencyP50Cycles = 0, latencyP99Cycles = 0; // half, and 99 %, took no longer
  double networkLatencyMeanCycles = 0;                 // head injected → tail received
  uint64_t networkLatencyMaxCycles = 0, networkLatencyP50Cycles = 0, networkLatencyP99Cycles = 0;
  TrafficStats traffic;
  uint64_t synapticEvents = 0;
  std::vector<uint64_t> tileSpikes;         // per tile, spikes made
  std::vector<uint64_t> tileSynapticEvents; // per tile
  std::vector<LinkLoad> links;              // ascending (from, to), loads above zero
  std::vector<EnergyPart> energy;           // by part
  double energyTotalPj = 0;
  std::vector<double> tileDynamicPj, tileClockPj, tileLeakagePj; // per tile
  std::vector<double> tileCelsius;  // per tile, of a chip with thermal resistances
  std::vector<LayerEnergy> layers;  // populations in order …
  double sharedPj = 0;              // … and what no layer causes: clock, leakage, barriers
  std::optional<MostRead> mostRead; // where a row is read
  std::optional<GatingStats> gating;
  std::vector<CircuitStats> circuits;
  bool operator==(const ChipStats &) const = default;
};

/// Parts add up to the total, and so do tiles, and layers with what they share; hops to their
/// links. Loads lie on neighbours.
llvm::Error verify(const ChipStats &stats);
llvm::Error writeChipStats(const std::string &path, const ChipStats &stats);
llvm::Expected<ChipStats> readChipStats(const std::string &path);

} // namespace spindle
