// A cycle-accurate wormhole mesh: XY routing, input buffers with credits, round-robin arbitration.
#pragma once

#include "core/chip/Chip.h"
#include "sim/model/Agenda.h"
#include "sim/model/Arbiter.h"
#include "sim/model/RouterTiming.h"

#include <cstdint>
#include <vector>

namespace spindle {

using PacketId = uint32_t;

/// A packet on its way: what the caller gave, then the cycles the network wrote.
struct Packet {
  TileId source, target;
  uint32_t flits;
  uint64_t madeCycle;         // from here on it waits at its source
  uint64_t injectedCycle = 0; // head flit left its source
  uint64_t headCycle = 0;     // head flit received
  uint64_t tailCycle = 0;     // tail flit received; the packet is complete
};

/// The mesh of one chip. Every cycle each link and each source moves at most one flit; packets of
/// one source leave in the order of `send`; an output belongs to a packet from its head to its
/// tail.
///
/// Only tiles where something can change are visited, and cycles without any are skipped. What a
/// tile does in a cycle shows at its neighbours in a later one only, so the order of visits does
/// not matter. XY order admits no cyclic wait between buffers (Dally & Seitz 1987): every packet
/// arrives.
class MeshNetwork {
public:
  MeshNetwork(const Mesh &chipMesh, const Router &router);

  /// Queues a packet at its source. `madeCycle` ascends from call to call and is not in the past.
  PacketId send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle);

  /// Runs until every packet is delivered.
  void drain();

  uint64_t now() const { return cycle; }
  uint64_t delivered() const { return deliveredPackets; }
  const std::vector<Packet> &packets() const { return packetTable; }
  /// Drops the packets of the past; ids start at zero again. Requires that all are delivered.
  void forgetPackets();

  /// Flits that went from `tile` to its neighbour at `port` (Port order) since the start.
  uint64_t linkFlits(TileId tile, uint32_t port) const { return flitsOut[tile * kPorts + port]; }
  /// The neighbour of `tile` at `port`; `tile` itself where the mesh ends.
  TileId neighbour(TileId tile, uint32_t port) const { return neighbours[tile * kPorts + port]; }

  /// Ports of a router, in the order in which a fresh arbiter prefers them. kLocal leads to the
  /// tile.
  enum Port : uint32_t { kEast, kWest, kSouth, kNorth, kLocal, kPorts };

private:
  struct Flit {
    PacketId packet : 30;
    PacketId head : 1, tail : 1;
    TileId target;
  };
  /// A place in a buffer: the cycle its flit arrives, or once left, the cycle it may be filled
  /// again.
  struct Place {
    Flit flit;
    uint64_t cycle;
  };
  /// The ring of places behind one link: at a router's input or at a tile's receiving end.
  struct Buffer {
    uint8_t front = 0, back = 0, count = 0; // flits in flight towards it included
    bool awaited = false;                   // the sender found it full and wants to be woken
    uint8_t output = kPorts;                // port of the packet at the front, kPorts while unknown
    uint64_t readyCycle = 0; // head: the earliest cycle it may be allocated an output
  };
  struct Output {
    uint8_t owner = kPorts;   // input whose packet holds it
    uint64_t switchCycle = 0; // the owner may use the switch from here on
    Arbiter arbiter;
  };
  struct Source {
    std::vector<PacketId> queue; // waiting packets, first at `served`
    size_t served = 0;
    uint32_t sentFlits = 0; // of the packet at the front
  };

  bool step();
  void releaseMade();
  void visit(TileId tile);
  void inject(TileId tile);
  bool requests(TileId tile, uint32_t input);
  void serveOutput(TileId tile, uint32_t output, uint32_t inputs);
  void forward(TileId tile, uint32_t input, uint32_t output);
  void leaveBuffer(TileId tile, uint32_t input);
  void receive(TileId tile, Flit flit);
  bool hasPlace(uint32_t buffer, TileId sender);
  void push(TileId receiver, uint32_t input, Flit flit, uint64_t arrivalCycle);
  uint32_t routeXY(TileId tile, TileId target) const;
  uint32_t endBuffer(TileId tile) const { return mesh.tiles() * kPorts + tile; }
  void advance(uint8_t &index) const {
    if (++index == capacity)
      index = 0;
  }
  Place &place(uint32_t buffer, uint32_t index) { return places[buffer * capacity + index]; }

  Mesh mesh;
  RouterTiming timing;
  uint32_t capacity; // flits per buffer
  Agenda agenda;
  std::vector<uint16_t> xs, ys;   // coordinates per tile
  std::vector<TileId> neighbours; // (tile, port)
  std::vector<uint8_t> busy;   // per tile, bits: inputs with flits; kPorts: packets at the source
  std::vector<Buffer> buffers; // (tile, input port), then one receiving end per tile
  std::vector<Place> places;   // capacity per buffer
  std::vector<Output> outputs; // (tile, port)
  std::vector<Source> sources; // per tile
  std::vector<uint64_t> flitsOut; // (tile, port)
  std::vector<Packet> packetTable;
  PacketId released = 0; // packets handed to their sources
  uint64_t deliveredPackets = 0;
  uint64_t cycle = 0;
};

} // namespace spindle
