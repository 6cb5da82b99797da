// Stage: recorded spikes of a mapped network → what happens on the chip.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/chip/assessment/DeliveryCounts.h"
#include "core/run/Progress.h"
#include "sim/model/CircuitTile.h"
#include "sim/model/PacketLog.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

struct SpikeTrace;
struct SpikingGraph;

class PacketNetwork;
class YamlReader;

/// What carries the packets: the routers of the model; the same in SystemC behind TLM-2.0 sockets;
/// or routers of SystemC whose pins are signals (sim/chip).
enum class Engine : uint8_t { Model, Tlm, Pins };
inline constexpr const char *kEngineNames[] = {"model", "tlm", "pins"};

/// A tile with a circuit, as the flow names it.
struct CircuitOption {
  int64_t x = 0, y = 0;
  bool isPlaced = false; // else it sits where the mapping has its layer
  std::string rtl;       // folder of the circuit
  std::string place;     // in the flow
  bool operator==(const CircuitOption &other) const {
    return x == other.x && y == other.y && isPlaced == other.isPlaced && rtl == other.rtl;
  }
};

struct ChipOptions {
  uint32_t samples = 10; // recorded samples to simulate, or as many as there are
  bool trace = false;    // the packets are written, too
  Engine engine = Engine::Model;
  LateSpikes late = LateSpikes::Next; // for DeliveredChip.h; a recorded trace is not changed
  std::vector<CircuitOption> tiles = {};
  bool operator==(const ChipOptions &) const = default;
};

/// Reads `samples`, `trace`, `engine`, `late` and `tiles`.
void readChipOptions(YamlReader &reader, ChipOptions &options);

/// Simulates the first recorded samples, one after the other, step by step (StepSimulation.h):
/// cycles, packets and their latency, link loads, events per tile, energy by part. The time is
/// proportional to spikes × destinations × hops. Progress counts steps. The packets are added to
/// `log` where there is one. They travel in `network`, or without one in the routers of the model;
/// the options `engine` and `tiles` are for those who make it and the circuits. Layers of a chip
/// with circuits work their true steps, each one slot behind the layer before it, with barriers,
/// too. `graph` is needed by chips that count accesses (Chip::countsAccesses): it says which
/// neurons a spike wakes. Errors, beside those of the input: a circuit on a chip that runs freely,
/// or does not send a packet to each tile.
llvm::Expected<ChipStats> simulateChip(const Clustering &clustering, const Mapping &mapping,
                                       const SpikeTrace &trace, const Chip &chip,
                                       const ChipOptions &options, const Progress &progress = {},
                                       PacketLog *log = nullptr, PacketNetwork *network = nullptr,
                                       llvm::MutableArrayRef<CircuitTile> circuits = {},
                                       const SpikingGraph *graph = nullptr);

} // namespace spindle
