// A cycle-accurate wormhole network of routers: virtual channels, credits, one flit per link and
// cycle.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/RouterTiming.h"
#include "core/chip/routing/RoutingFunction.h"
#include "sim/model/router/Agenda.h"
#include "sim/model/router/Arbiter.h"
#include "sim/model/router/ClockedNetwork.h"
#include "sim/model/router/SwitchAllocator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// The routers of one chip. Every cycle each link and each source moves at most one flit; packets
/// of one source leave in the order of `send`; a virtual channel belongs to a packet from its head
/// to its tail. The laws are those of BookSim's iq_router (docs/rationale/chip.md), each stage a
/// part of `visit`.
///
/// Only tiles where something can change are visited, and cycles without any are skipped. What a
/// tile does in a cycle shows at its neighbours in a later one only, so the order of visits does
/// not matter. Whether every packet arrives is a matter of the routing (ChannelDependences.h).
class MeshNetwork final : public ClockedNetwork {
public:
  MeshNetwork(const Mesh &chipMesh, const Router &router);

  PacketId send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) override;
  uint32_t addTree(const MulticastTree &tree) override;
  PacketId sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) override;
  void watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) override;
  const std::vector<LinkFlit> &watchedFlits() const override { return seenFlits; }
  void drain() override;
  bool runUntil(uint64_t endCycle) override;

  uint64_t now() const { return cycle; }
  uint64_t delivered() const override { return deliveredPackets; }
  const std::vector<Packet> &packets() const override { return packetTable; }
  const Arrival &arrivalAt(PacketId id, uint32_t target) const override {
    return arrivals[packetTable[id].firstArrival + target];
  }
  void tellReceptions(std::vector<Reception> &list) override { receptions = &list; }
  /// Once nothing moves any more: links whose packets wait for each other in a circle. Empty where
  /// there are none.
  std::vector<LinkChannel> blockedCycle() const;
  std::string stuckText() const override;
  void forgetPackets() override;

  uint64_t linkFlits(TileId tile, uint32_t port) const override {
    return portAt(tile, port).sentFlits;
  }
  BufferUse bufferUse() const override {
    return {bufferedFlitCycles, headHops * timing.allocation()};
  }
  GatingUse gatingUse(uint64_t endCycle) const override {
    return power ? power->use(endCycle) : GatingUse();
  }
  GatingUse gatingUse(TileId tile, uint64_t endCycle) const override {
    return power ? power->use(tile, endCycle) : GatingUse();
  }
  /// The neighbour of `tile` at `port`; `tile` itself where the mesh ends.
  TileId neighbour(TileId tile, uint32_t port) const { return portAt(tile, port).neighbour; }

private:
  static constexpr uint32_t kUnwatched = UINT32_MAX;

  /// A place in a buffer: the cycle its flit arrives, or once left, the cycle it may be filled
  /// again.
  struct Place {
    Flit flit;
    uint64_t cycle;
  };
  /// The buffer of a virtual channel, at a router's input or at a tile's receiving end: a ring of
  /// places, and how far the packet at its front is.
  struct Channel {
    /// No route; no channel ahead; both; a multicast packet, see Branch.
    enum State : uint8_t { kIdle, kWaiting, kActive, kBranching };
    uint8_t front = 0, back = 0, count = 0; // flits in flight towards it included
    bool awaited = false;                   // the sender found it full and wants to be woken
    State state = kIdle;
    uint8_t output = 0, ahead = 0; // port, and the channel behind it
    uint8_t branches = 0;          // outputs that a multicast packet has not passed as a whole
    uint8_t leftFlits = 0;         // of that packet
    uint64_t readyCycle = 0;       // from here on it may start, or ask for what it lacks
  };
  /// One of a router's ports, its links in both directions.
  struct Port {
    TileId neighbour;        // the router itself where there is no link, and of its tile's port
    bool isTile;             // the port of the router's own tile
    uint32_t firstBehind;    // the buffer behind the output, of channel 0
    uint32_t forwardCycles;  // from the switch into that buffer
    uint32_t creditCycles;   // after a flit has left this input, until its place may be used again
    uint32_t intervalCycles; // between flits of the output's link
    uint32_t watchedAs = kUnwatched; // which watched link the output's is
    uint16_t freeAhead;              // channels behind the output that no packet holds
    uint16_t turn = 0;               // channel of the input that comes first
    uint64_t sentFlits = 0;          // by the output
    uint64_t freeCycle = 0;          // of its link, where links do not take a flit per cycle
  };
  /// A router's input channel on a visit.
  struct Input {
    TileId tile;
    uint32_t bit;    // among the channels of the tile's inputs: port · channels + channel
    uint32_t buffer; // tile · ports · channels + bit
    uint32_t port, channel;
  };
  /// One output of a multicast packet at the front of a buffer. Branches go on side by side; a flit
  /// leaves its place when all of them have sent it.
  struct Branch {
    bool hasChannel = false;
    uint8_t ahead = 0;
    uint8_t sentFlits = 0;
    uint64_t readyCycle = 0;
  };
  struct Tree {
    uint32_t firstNode, targets;
  };
  /// A stage that takes more than one cycle takes all that asks for it at once, and the next ones
  /// when it is done.
  struct Batches {
    static constexpr int64_t kNever = -1000;
    int64_t routing = kNever, channel = kNever, allocation = kNever, traversal = kNever; // starts
    std::array<uint64_t, kPorts> sentCycle{}; // last flit onto each link
  };
  struct Source {
    std::vector<PacketId> queue; // waiting packets, first at `served`
    size_t served = 0;
    uint32_t sentFlits = 0;  // of the packet at the front
    uint32_t channel = 0;    // of that packet, or the one before
    uint64_t readyCycle = 0; // of its link
  };

  PacketId queue(Packet packet);
  std::optional<uint32_t> blockedBy(uint32_t buffer) const;
  uint32_t holderOf(TileId tile, uint32_t output, uint32_t channel) const;
  bool step();
  void releaseMade();
  void visit(TileId tile);
  void inject(TileId tile);
  bool chooseSourceChannel(TileId tile, Source &source);
  bool passAll(TileId tile);
  void takeChannel(const Input &input, uint32_t output, uint64_t free);
  void passAlone(const Input &input, uint32_t output, bool hasPlaceAhead);
  void holdChannel(TileId tile, uint32_t index, uint32_t choice);
  void moveTurn(const Input &input);
  void ask(const Input &input);
  void start(const Input &input);
  void askForChannel(const Input &input);
  void askForSwitch(const Input &input);
  bool isChannelStageFree(TileId tile);
  bool isSwitchFree(TileId tile);
  void startBranches(const Input &input);
  void askForBranches(const Input &input);
  void askForOneOf(uint64_t wanted, const Input &input);
  void requestSwitch(const Input &input, uint32_t output, bool isSpeculative);
  bool hasCredit(TileId tile, uint32_t output, uint64_t free) const;
  void allocateChannels(TileId tile);
  void allocateSwitch(TileId tile);
  void forward(const Input &input);
  void forwardBranch(const Input &input, uint32_t output);
  void sendFlit(TileId tile, uint32_t output, uint32_t ahead, Flit flit);
  uint64_t arrivalCycle(TileId tile, uint32_t output);
  bool isLinkFree(TileId tile, uint32_t output);
  void giveFree(TileId tile, uint32_t output, uint32_t ahead);
  void leaveBuffer(const Input &input);
  void receive(uint32_t buffer, Flit flit, uint64_t arrival);
  bool hasPlace(uint32_t buffer, TileId sender);
  bool isFull(uint32_t buffer) const;
  uint64_t freeChannels(TileId tile, const RouteOption &option) const;
  void push(TileId receiver, uint32_t buffer, Flit flit, uint64_t arrival);

  Port portOf(TileId tile, uint32_t port) const;
  Port &portAt(TileId tile, uint32_t port) { return ports[tile * kPorts + port]; }
  const Port &portAt(TileId tile, uint32_t port) const { return ports[tile * kPorts + port]; }
  uint32_t at(TileId tile, uint32_t port, uint32_t channel) const {
    return (tile * kPorts + port) * channels + channel;
  }
  Input inputAt(TileId tile, uint32_t bit) const {
    return {tile, bit, tile * kPorts * channels + bit, portOfBit[bit],
            bit - portOfBit[bit] * channels};
  }
  uint32_t bufferBehind(TileId tile, uint32_t output, uint32_t channel) const {
    return portAt(tile, output).firstBehind + channel;
  }
  void advance(uint8_t &index) const {
    if (++index == capacity)
      index = 0;
  }
  /// A place of an input buffer among all of its router.
  uint32_t placeOfRouter(TileId router, uint32_t buffer, uint32_t index) const {
    return (buffer - router * kPorts * channels) * capacity + index;
  }
  Place &place(uint32_t buffer, uint32_t index) { return places[buffer * capacity + index]; }
  const Place &place(uint32_t buffer, uint32_t index) const {
    return places[buffer * capacity + index];
  }

  const Place &placeAfterFront(uint32_t buffer, uint32_t behind) const {
    uint32_t index = buffers[buffer].front + behind;
    return place(buffer, index < capacity ? index : index - capacity);
  }
  Branch &branch(uint32_t buffer, uint32_t output) { return branches[buffer * kPorts + output]; }

  static constexpr uint64_t kSourceBit = uint64_t(1) << 63;

  Mesh mesh;
  RouterTiming timing;
  RoutingFunction route;
  SwitchAllocation allocation;
  uint32_t channels; // virtual ones, per port
  uint32_t capacity; // flits per buffer
  uint32_t routers;
  bool areLinksSlow;                // some take a flit every few cycles only
  std::optional<RouterPower> power; // if routers sleep
  Agenda agenda;
  std::vector<uint8_t> portOfBit;   // (port, channel)
  std::vector<Port> ports;          // (tile, port)
  bool isWatched = false;           // any link
  std::vector<uint64_t> busy;       // per tile, bits: inputs' channels with flits; kSourceBit
  std::vector<Channel> buffers;     // (tile, input port, channel), then the tiles' receiving ends
  std::vector<RouteSet> routes;     // (tile, input port, channel): of a head that waits
  std::vector<Place> places;        // capacity per buffer
  std::vector<uint64_t> freedCycle; // (tile, output port, channel); of a slow switch alone
  std::vector<Arbiter> choices;     // (tile, input port, channel): of a channel ahead
  std::vector<Arbiter> admissions;  // (tile, output port, channel): of a channel that asks
  std::vector<SwitchAllocator> switches; // per tile
  std::vector<Batches> batches;          // per tile
  std::vector<Source> sources;           // per tile
  std::vector<Branch> branches; // (tile, input port, channel, output port), if there are trees
  std::vector<TreeNode> treeNodes;
  std::vector<Tree> trees;
  std::vector<Packet> packetTable;
  std::vector<Arrival> arrivals; // of multicast packets
  uint64_t watchedBefore = 0;
  std::vector<LinkFlit> seenFlits;
  std::vector<Reception> *receptions = nullptr;
  PacketId released = 0; // packets handed to their sources
  uint64_t deliveredPackets = 0;
  uint64_t bufferedFlitCycles = 0, headHops = 0; // of flits that have left a buffer
  uint64_t cycle = 0, movedCycle = 0;            // of the last flit that moved

  // Requests of the visit.
  SwitchRequests switchRequests;
  std::vector<uint64_t> askers; // per (output port, channel): input channels that ask for it
  uint64_t asked = 0;           // (output port, channel) bits
  uint64_t stalled = 0;         // input channels whose speculative requests do not count
};

} // namespace spindle
