// What a viewer sees of a simulation as it goes: frames of the whole chip, and the ways of spikes.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle {

/// A link between two routers (tiles; in a tree also those above them).
struct LapseLink {
  TileId from = 0, to = 0;
  bool operator==(const LapseLink &) const = default;
};

/// Some slots of hardware time, one after the other.
struct LapseFrame {
  uint64_t beginCycle = 0, endCycle = 0;
  std::vector<uint64_t> linkFlits; // per link of the lapse: that came out of it
  /// Per tile, of all packets together: cycles that they waited there at their source, and that
  /// their heads were in its router or on the link that they left it by. Divided by the cycles of
  /// the frame: how many there were on average.
  std::vector<uint64_t> sourceCycles, routerCycles;
  std::vector<double> pj; // per tile, of all kinds
  /// Per tile, of a chip with thermal resistances: in the steady state, if the power of the frame
  /// lasted.
  std::vector<double> celsius;
  bool operator==(const LapseFrame &) const = default;
};

/// A link on the way of a packet, and when the first and the last flit came out of it.
struct WayHop {
  uint32_t link = 0; // of the lapse
  uint64_t headCycle = 0, tailCycle = 0;
  bool operator==(const WayHop &) const = default;
};

/// When a target had received the first flit, and the last.
struct WayEnd {
  TileId tile = 0;
  uint64_t headCycle = 0, tailCycle = 0;
  bool operator==(const WayEnd &) const = default;
};

struct PacketWay {
  TileId source = 0;
  uint64_t madeCycle = 0, injectedCycle = 0;
  std::vector<WayHop> hops; // ascending headCycle: each starts where the packet has come
  std::vector<WayEnd> ends; // ascending tile
  bool operator==(const PacketWay &) const = default;
};

/// A spike that leaves its tile, and the packets that carry it.
struct SpikeWay {
  std::string layer;
  uint32_t neuron = 0; // of the layer
  uint32_t step = 0;   // of the sample
  std::vector<PacketWay> packets;
  bool operator==(const SpikeWay &) const = default;
};

/// Of the first sample; where samples overlap, of all that happens meanwhile.
struct TimeLapse {
  std::string chip;
  Mesh mesh;
  double clockMhz = 0;
  std::string synchronisation;
  uint32_t steps = 0;           // of a sample
  uint64_t slots = 0;           // in all frames together, more where layers work different steps …
  uint64_t slotsPerFrame = 1;   // … the last frame may have fewer
  std::vector<LapseLink> links; // that carry a flit in a frame or a way, ascending
  std::vector<LapseFrame> frames;
  uint64_t spikes = 0;        // of the first sample that leave their tile …
  std::vector<SpikeWay> ways; // … and some of them, ascending time; the slowest is among them
  bool operator==(const TimeLapse &) const = default;
};

/// Frames follow each other without a gap, lists have an entry per link or tile, links join
/// neighbours, and ways are connected.
llvm::Error verify(const TimeLapse &lapse);

/// JSON: `80-lapse.json` (docs/formats/lapse.md).
llvm::Error writeTimeLapse(const std::string &path, const TimeLapse &lapse);
llvm::Expected<TimeLapse> readTimeLapse(const std::string &path);

} // namespace spindle
