// Packets of a network on a chip as tables: those that are sent, and when each arrived.
#pragma once

#include "core/chip/Mesh.h"
#include "core/network/Population.h"
#include "core/support/Error.h"

#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace spindle {

/// A packet that a tile hands to the network. Several targets: one packet for all of them.
struct TracedPacket {
  uint64_t madeCycle;
  TileId source;
  llvm::SmallVector<TileId, 1> targets; // ascending, at least one
  uint32_t flits;
  bool operator==(const TracedPacket &) const = default;
};

enum class PacketKind : uint8_t { Spike, PartialSum };

/// Why a mapped network sent a packet.
struct PacketOrigin {
  NeuronId neuron;
  uint32_t sample, step;
  PacketKind kind;
  bool operator==(const PacketOrigin &) const = default;
};

struct PacketTrace {
  std::vector<TracedPacket> packets; // ascending madeCycle; the index is the packet's number
  std::vector<PacketOrigin> origins; // one per packet, or none at all
  bool operator==(const PacketTrace &) const = default;
};

/// A packet at one of its targets.
struct Delivery {
  uint32_t packet; // its number in the trace
  TileId source, target;
  uint32_t flits;
  uint64_t madeCycle, injectedCycle, headCycle, tailCycle;
  uint32_t hops; // links on its way
  bool operator==(const Delivery &) const = default;
};

inline constexpr uint32_t kMostPacketFlits = 65535;

/// Reads packets.csv (docs/formats/packets.md). Refuses rows that do not count up from 0, cycles
/// that descend, packets of 0 or more than kMostPacketFlits flits, and tiles that `mesh` does not
/// have; the place is file:line.
llvm::Expected<PacketTrace> readPacketTrace(const std::string &path, const Mesh &mesh);
llvm::Error writePacketTrace(const std::string &path, const PacketTrace &trace);

/// Writes delivered.csv, a row per packet and target.
llvm::Error writeDeliveries(const std::string &path, const std::vector<Delivery> &deliveries);

} // namespace spindle
