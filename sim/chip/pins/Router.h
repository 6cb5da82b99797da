// A router between its links: clocked, with registers and credit counters, and no knowledge of its
// neighbours beyond its pins.
#pragma once

#include "core/chip/RouterTiming.h"
#include "core/chip/routing/RoutingFunction.h"
#include "sim/chip/pins/Link.h"
#include "sim/model/router/Arbiter.h"
#include "sim/model/router/PacketNetwork.h"
#include "sim/model/router/SwitchAllocator.h"

namespace spindle::pins {

/// The stages are those of MeshNetwork (docs/rationale/chip.md), worked in every cycle: what comes
/// in is stored, heads are routed and ask for a virtual channel, flits ask for the switch, both are
/// allocated, and what passes goes to the registers before the links.
class Router : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clock{"clock"};
  InputPins in[kPorts];
  OutputPins out[kPorts];

  /// `function` outlives the router.
  Router(sc_core::sc_module_name name, TileId at, const spindle::Router &router,
         const RoutingFunction &function);

  bool isQuiet() const;
  uint64_t flitsOut(uint32_t port) const { return sentFlits[port]; }
  const BufferUse &bufferUse() const { return use; }
  uint64_t lastMoved() const { return movedCycle; }

private:
  /// The virtual channel of an input, and how far the packet at its front is.
  struct Input {
    enum State : uint8_t { kIdle, kWaiting, kActive };
    struct Stored {
      FlitWord flit;
      uint64_t cycle; // in which it came
    };
    std::deque<Stored> flits;
    State state = kIdle;
    RouteSet routes;
    uint32_t output = 0, ahead = 0; // port, and the channel behind it
    uint64_t readyCycle = 0;
    Arbiter choice; // of a channel ahead
  };
  /// A virtual channel behind an output.
  struct Output {
    uint32_t credits;
    bool isFree = true;
    uint64_t freeCycle = 0; // from here on, if it is
    Arbiter admission;      // of an input that asks
  };
  /// A stage of several cycles takes what waits for it when it begins.
  struct Stage {
    uint32_t cycles;
    int64_t start = -1000;
    bool begins(uint64_t inCycle);
    uint64_t join(uint64_t inCycle);
  };

  void tick();
  void takeInputs();
  void ask(uint32_t input);
  void askForChannel(uint32_t input);
  void allocateChannels();
  void allocateSwitch();
  void forward(uint32_t input);
  void drive();
  uint64_t arrivalCycle(uint32_t output);
  uint32_t number(uint32_t port, uint32_t channel) const { return port * channels + channel; }
  void request(uint32_t input, uint32_t output, bool isSpeculative);

  TileId tile;
  RouterTiming timing;
  const RoutingFunction &route;
  SwitchAllocation allocation;
  uint32_t channels, capacity;
  std::vector<Input> inputs;   // (port, channel)
  std::vector<Output> outputs; // (port, channel)
  Stage routing, channelStage, switchStage, traversal;
  std::array<uint64_t, kPorts> sentCycle{}; // of the last flit onto each link
  std::array<uint64_t, kPorts> linkFreeCycle{};
  std::array<uint32_t, kPorts> turns{}; // per input port: channel that comes first
  SwitchAllocator allocator;
  std::array<Registers<FlitWord>, kPorts> flits;
  std::array<Registers<uint8_t>, kPorts> freed;
  std::array<uint64_t, kPorts> sentFlits{};
  BufferUse use;
  uint64_t cycle = 0, movedCycle = 0;

  // Of this cycle.
  std::vector<uint64_t> askers; // per (output port, channel): inputs
  SwitchRequests requests;
  uint64_t stalled = 0; // inputs whose speculative requests do not count
};

} // namespace spindle::pins
