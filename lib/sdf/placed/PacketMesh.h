// When packets arrive that wait for each other on the links of a mesh and for places in its
// buffers: whole packets from router to router, not flits from stage to stage.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/RouterTiming.h"
#include "core/chip/routing/RoutingFunction.h"
#include "lib/sdf/placed/StepNetwork.h"

namespace spindle {

/// A router passes a packet on when its head is there, the link is free, a channel behind it is,
/// and the buffer of that channel has places for all its flits (virtual cut-through; for as many as
/// the buffer has, where that is fewer). Its flits follow each other as they came, as the link
/// takes them, and as places become free; each leaves its place free a loop of credits later. Of
/// several whose heads may pass one is taken in turn, and its channel is kept for it while it waits
/// for more places (where the buffer holds two such packets; else others pass it meanwhile). The
/// delays are those of RouterTiming.h, the ways those of RoutingFunction.h, so that a packet that
/// meets no other arrives as in the cycle-accurate routers (headLatencyCycles).
///
/// What is left out: heads that go on while their tail has no place yet; stages that take several
/// cycles work at that rate without batches; routers never sleep. An event per packet and link, and
/// one for each time that it waits.
class PacketMesh final : public StepNetwork {
public:
  explicit PacketMesh(const Chip &chip);

  uint32_t addTree(const MulticastTree &tree) override;
  bool run(llvm::ArrayRef<MeshPacket> packets,
           llvm::function_ref<void(uint32_t, uint32_t, uint64_t)> received) override;
  MeshLoad load() const override { return busiest; }

private:
  static constexpr uint64_t kUnknown = UINT64_MAX;
  static constexpr uint32_t kNobody = UINT32_MAX;

  /// A packet in a buffer, or on its way there.
  struct Entry {
    uint32_t packet, node; // `node`: of its tree
    uint64_t headCycle, tailCycle;
  };
  /// The buffer of a virtual channel, at an input of a router or at the receiving end of a tile.
  struct Buffer {
    uint32_t front = 0, waiting = 0;     // packets
    uint32_t frontPlace = 0, back = 0;   // places: of the first packet; that the next flit takes
    uint64_t readyCycle = 0;             // of the packet at the front
    uint64_t ownedCycle = 0;             // until here a packet comes in
    uint64_t headLeft = 0, tailLeft = 0; // of that at the front, by the slowest of its branches
    uint64_t freeCycle = 0;              // the one before has left
    uint32_t holder = kNobody;           // that comes next, and waits for places
    uint8_t branches = 0;                // outputs that it has to take, or any one of …
    RouteSet options;                    // … where it has no tree
  };
  struct Source {
    std::vector<uint32_t> queue;
    size_t served = 0;
    uint64_t freeCycle = 0;
    uint32_t channel = 0;
  };
  /// When a packet may go on: as a whole, and its head alone.
  struct Start {
    uint64_t cycle = kUnknown, headCycle = kUnknown;
    uint32_t channel = 0;
  };

  bool isTree(const Entry &entry) const { return packets[entry.packet].isTree; }
  Entry &frontOf(uint32_t buffer) { return entries[buffer * capacity + buffers[buffer].front]; }
  /// Among those that ask for an output of its router.
  uint64_t bitOf(uint32_t buffer) const { return uint64_t(1) << buffer % (kPorts * channels); }
  uint32_t bufferBehind(uint32_t output, uint32_t channel) const {
    return behind[output] * channels + channel;
  }
  /// Whether a port of a router is that of a tile, either way.
  bool leadsToTile(uint32_t port) const {
    return port % kPorts == kLocal && port / kPorts < sources.size();
  }
  /// Of the link at a port of a router, either way; a tile's have those inside a chip.
  const RouterTiming::Link &linkAt(uint32_t port) const {
    return port < crosses.size() && crosses[port] ? timing.chipLink : timing.link;
  }
  /// Between flits, whatever is slowest about it.
  uint32_t intervalAt(uint32_t port) const { return std::max(interval, linkAt(port).interval); }
  void wake(uint32_t event, uint64_t when);
  void visit(uint32_t event);
  void inject(TileId tile);
  void pass(uint32_t output);
  Start startOf(uint32_t buffer, uint32_t output) const;
  uint64_t placesCycle(uint32_t buffer, uint32_t flits) const;
  uint64_t fill(uint32_t buffer, uint32_t flits, uint64_t first, const Entry *from,
                uint32_t loopCycles);
  void send(uint32_t buffer, uint32_t output, uint32_t channel);
  void commit(uint32_t buffer, uint32_t output);
  void enter(uint32_t buffer, Entry entry);
  void begin(uint32_t buffer);
  void leave(uint32_t buffer);

  Mesh mesh;
  RouterTiming timing;
  RoutingFunction route;
  uint32_t channels, capacity;
  uint32_t interval;                    // between flits of a router
  uint32_t outputs;                     // (tile, port); sources have the events behind them
  std::vector<uint32_t> behind, before; // per output: input behind it; per input: output before
  std::vector<bool> crosses;            // (tile, port): into another chip; empty: one chip
  std::vector<Buffer> buffers;          // (tile, input, channel), then receiving ends
  std::vector<Entry> entries;           // capacity per buffer
  std::vector<uint64_t> places;         // likewise: when each is free
  std::vector<uint64_t> asks;           // per output, bits (input, channel)
  std::vector<uint64_t> linkFree, inputFree; // per output; per input
  std::vector<uint8_t> turns;                // per output
  std::vector<uint64_t> flits;               // per output, of this run
  std::vector<Source> sources;
  std::vector<TreeNode> nodes;
  std::vector<uint32_t> roots; // per tree
  std::vector<uint64_t> nextEvent;
  std::vector<std::vector<uint32_t>> wheel; // events by cycle, modulo its size
  size_t pending = 0;
  uint64_t now = 0, start = 0;
  llvm::ArrayRef<MeshPacket> packets;
  llvm::function_ref<void(uint32_t, uint32_t, uint64_t)> deliver = nullptr;
  size_t left = 0; // targets
  MeshLoad busiest;
};

} // namespace spindle
