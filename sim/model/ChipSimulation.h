// Stage: recorded spikes of a mapped network → what happens on the chip.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/chip/assessment/DeliveryCounts.h"
#include "core/chip/lapse/TimeLapse.h"
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

/// What a simulation may be given beside the mapped network.
struct ChipExtras {
  PacketLog *log = nullptr;         // the packets are added to it
  TimeLapse *lapse = nullptr;       // of the first sample, is written to it
  PacketNetwork *network = nullptr; // in the place of the model's routers: of `engine`, new
  llvm::MutableArrayRef<CircuitTile> circuits = {}; // of `tiles`
  /// Says which neurons a spike wakes; needed by chips that count accesses (Chip::countsAccesses).
  const SpikingGraph *graph = nullptr;
};

/// Reads `samples`, `trace`, `engine`, `late` and `tiles`.
void readChipOptions(YamlReader &reader, ChipOptions &options);

/// Simulates the first recorded samples, one after the other, step by step (StepSimulation.h):
/// cycles, packets and their latency, link loads, events per tile, energy by part. The time is
/// proportional to spikes × destinations × hops. Progress counts steps. Layers of a chip with
/// circuits work their true steps, each one slot behind the layer before it, with barriers, too.
/// Errors, beside those of the input: a circuit on a chip that runs freely, or does not send a
/// packet to each tile.
llvm::Expected<ChipStats> simulateChip(const Clustering &clustering, const Mapping &mapping,
                                       const SpikeTrace &trace, const Chip &chip,
                                       const ChipOptions &options, const Progress &progress = {},
                                       const ChipExtras &extras = {});

} // namespace spindle
