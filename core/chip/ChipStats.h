// What the chip simulation counted.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/Json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

/// One energy contribution: events × price.
struct EnergyPart {
  std::string name; // e.g. "synapse"
  uint64_t events = 0;
  double pj = 0;
  std::string source; // of the price
  bool operator==(const EnergyPart &) const = default;
};

struct LinkLoad {
  TileId from, to;
  uint64_t flits = 0;
  bool operator==(const LinkLoad &) const = default;
};

struct ChipStats {
  std::string chip;
  Mesh mesh;
  uint32_t samples = 0, steps = 0;
  double clockMhz = 0;
  uint64_t cycles = 0;  // of all samples together
  uint64_t packets = 0; // injected into the mesh, each once
  uint64_t spikePackets = 0, partialSumPackets = 0;
  uint64_t deliveries = 0;      // of those packets at their targets
  uint64_t localDeliveries = 0; // packets between crossbars of one tile
  double latencyMeanCycles = 0; // of deliveries: packet made → tail received
  uint64_t latencyMaxCycles = 0;
  uint64_t latencyP50Cycles = 0, latencyP99Cycles = 0; // half, and 99 %, took no longer
  double networkLatencyMeanCycles = 0;                 // head injected → tail received
  uint64_t synapticEvents = 0;
  std::vector<uint64_t> tileSpikes;         // per tile, spikes made
  std::vector<uint64_t> tileSynapticEvents; // per tile
  std::vector<LinkLoad> links;              // ascending (from, to), loads above zero
  std::vector<EnergyPart> energy;           // by part
  double energyTotalPj = 0;
  bool operator==(const ChipStats &) const = default;
};

/// Parts add up to the total; loads lie on neighbours.
llvm::Error verify(const ChipStats &stats);
llvm::Error writeChipStats(const std::string &path, const ChipStats &stats);
llvm::Expected<ChipStats> readChipStats(const std::string &path);

} // namespace spindle
