// A modelled neuromorphic chip: a mesh of tiles with crossbars, read from configs/chips/*.yaml.
// What several chips make that are joined is one with a larger mesh, some of whose links are slow.
#pragma once

#include "core/chip/Faults.h"
#include "core/chip/Mesh.h"
#include "core/chip/device/Device.h"
#include "core/network/synapses/SynapseKind.h"
#include "core/support/Error.h"

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// A figure of the chip file together with the publication it comes from.
struct Sourced {
  double value = 0;
  std::string source;
  bool operator==(const Sourced &) const = default;
};

/// Whether weights that are the same list in several columns, as those of a channel of a
/// convolution, are stored once.
enum class WeightSharing : uint8_t { None, Kernel };
/// What an axon of a core stands for: a source, or a population of them.
enum class AxonsPer : uint8_t { Source, Population };

/// What a core of a real chip has beside rows and columns (chip format 2). A figure without a
/// source is not given: no limit.
struct CoreLimits {
  Sourced synapseWords;  // words of synapse memory of a crossbar …
  uint32_t wordBits = 0; // … each with as many whole weights as fit; 0: one weight
  WeightSharing sharing = WeightSharing::None;
  Sourced fanIn; // synapses of a column
  Sourced axons; // of a crossbar
  AxonsPer axonsPer = AxonsPer::Source;
  /// An axon has one of so many types, a neuron one weight for each: a source takes an axon of a
  /// crossbar for each type that its synapses there have. 0: weights are free.
  uint32_t axonTypes = 0;

  static bool limits(const Sourced &figure) { return !figure.source.empty(); }
  static uint64_t most(const Sourced &figure) { return static_cast<uint64_t>(figure.value); }
  bool operator==(const CoreLimits &) const = default;
};

/// A crossbar of `rows` inputs (axons) and `columns` outputs (neurons or partial sums).
struct Crossbar {
  uint32_t rows = 128;
  uint32_t columns = 128;
  uint32_t weightBits = 8;
  std::optional<Device> device = std::nullopt; // none: cells keep exactly what they are given
  Sourced readEndurance = {};                  // reads after which a cell has worn out
  CoreLimits core = {};
  bool operator==(const Crossbar &) const = default;
};

/// Which ways packets may take.
enum class Routing : uint8_t { XY, YX, WestFirst, OddEven, MinAdaptive, PlanarAdaptive, UpDown };
inline constexpr const char *kRoutingNames[] = {
    "xy", "yx", "west_first", "odd_even", "min_adaptive", "planar_adaptive", "up_down"};

/// With tables of ways, which take tiles² bytes.
inline constexpr uint32_t kMostTabledTiles = 4096;

/// Which ways min_adaptive and planar_adaptive offer to a packet: the first of those with the same
/// priority, which is what BookSim keeps of them, or all.
enum class AdaptiveOptions : uint8_t { First, All };

/// How the inputs and outputs of a switch are matched.
enum class SwitchAllocation : uint8_t { Separable, Islip };

/// How a spike reaches several tiles: a packet to each of them; one packet that branches in the
/// routers; or one along each column, both ways.
enum class Multicast : uint8_t { Unicast, Tree, Path };
/// A packet of a spike goes to a tile, whose network interface tells all crossbars that listen, and
/// a crossbar hears its own neurons without one; or to a crossbar, its own included.
enum class PacketTarget : uint8_t { Tile, Crossbar };
inline constexpr const char *kPacketTargetNames[] = {"tile", "crossbar"};

inline constexpr const char *kMulticastNames[] = {"unicast", "tree", "path"};

/// Cycles of the stages of a router; a head flit spends their sum in it and the link behind it.
struct StageCycles {
  uint32_t routing = 1;           // 0: the router before has done it
  uint32_t channelAllocation = 1; // of a virtual channel behind the output
  uint32_t switchAllocation = 1;
  uint32_t switchTraversal = 1;
  uint32_t link = 1;
  uint32_t credit = 1;      // from a credit received to its use
  bool speculative = false; // heads ask for channel and switch in the same cycle
  bool operator==(const StageCycles &) const = default;
};

inline constexpr uint32_t kMostChannels = 12;

/// What of a router is switched off by itself, and the rest of it with the last of these parts:
/// none, the buffers of an input port, those of one of its virtual channels, or each place of a
/// flit.
enum class Granularity : uint8_t { Router, Port, Channel, Flit };
inline constexpr const char *kGranularityNames[] = {"router", "port", "channel", "flit"};

/// Routers without flits are switched off, or parts of them.
struct Gating {
  uint32_t idleCycles = 4; // without a flit before a router or part sleeps
  uint32_t wakeCycles = 8; // from the flit that is sent to it until it works
  Granularity granularity = Granularity::Router;
  bool operator==(const Gating &) const = default;
};

/// Links between chips that are joined, which take the place of those between tiles there.
struct ChipLink {
  uint32_t cycles = 1;         // in a link
  uint32_t intervalCycles = 1; // from a flit to the next
  bool operator==(const ChipLink &) const = default;
};

/// Of a segmented bus, whose tiles have no routers.
struct BusWires {
  uint32_t lanes = 1;            // buses side by side, each with segments of its own
  uint32_t segmentsPerCycle = 0; // that a flit passes in a cycle; 0: as many as there are
  /// Of a flit over so many segments.
  uint64_t cycles(uint32_t segments) const {
    if (segments == 0 || segmentsPerCycle == 0)
      return segments > 0;
    return (uint64_t(segments) + segmentsPerCycle - 1) / segmentsPerCycle;
  }
  bool operator==(const BusWires &) const = default;
};

/// Wormhole router with input buffers; of a segmented bus, what it has in their place.
struct Router {
  uint32_t pipelineCycles = 3;     // cycles a head flit spends in a router and the link after it …
  uint32_t endCycles = 2;          // injection and ejection together, added once per packet
  uint32_t bufferFlits = 4;        // per input port and virtual channel
  uint32_t linkIntervalCycles = 1; // from a flit of a link to the next, those of tiles included
  uint32_t spikePacketFlits = 1;
  uint32_t partialSumPacketFlits = 2;
  uint32_t virtualChannels = 1; // per port
  Routing routing = Routing::XY;
  SwitchAllocation allocator = SwitchAllocation::Separable;
  std::optional<StageCycles> stages =
      std::nullopt; // … where they are given, in the place of pipelineCycles
  Multicast multicast = Multicast::Unicast;
  PacketTarget packetsTo = PacketTarget::Tile;
  uint32_t multicastEntries = 1024; // of the table in each router
  AdaptiveOptions adaptiveOptions = AdaptiveOptions::First;
  std::optional<Gating> gating = std::nullopt;
  std::optional<ChipLink> chipLink = std::nullopt; // if chips are joined
  BusWires bus = {};                               // of a segmented bus
  std::vector<DeadLink> deadLinks = {};
  std::vector<TileId> deadTiles = {}; // ascending; neither router nor crossbars work
  bool hasFaults() const { return !deadLinks.empty() || !deadTiles.empty(); }
  bool operator==(const Router &) const = default;
};

/// The fewest virtual channels with which a routing is free of deadlock.
uint32_t leastChannels(Routing routing, Topology topology);

/// Flits of so many packets that carry so many partial sums: each packet has an address and its
/// first value, further values cost the flits behind an address, at least one.
double partialSumFlits(const Router &router, double packets, double sums);

/// Figures of kinds of synapses, as far as they have their own.
using SourcedByKind = std::array<Sourced, std::size(kSynapseKinds)>;
inline const Sourced &ownOrShared(const SourcedByKind &own, SynapseKind kind,
                                  const Sourced &shared) {
  const Sourced &price = own[size_t(kind)];
  return price.source.empty() ? shared : price;
}

/// Energy per event in pJ; an absent entry costs nothing. Events are counted by the simulation.
struct EnergyTable {
  Sourced hopXPj;               // one flit from a router to its east or west neighbour
  Sourced hopYPj;               // … north or south
  Sourced axonOutPj;            // one packet made in a tile
  Sourced axonInPj;             // one packet received by a tile
  Sourced synapsePj;            // one synaptic event (one cell of a driven row)
  Sourced neuronUpdatePj;       // one neuron's membrane in one step; with accesses, one not at rest
  Sourced partialSumPj;         // one partial sum added to the column of another crossbar
  Sourced neuronSpikePj;        // one spike made
  Sourced stepBarrierPj;        // one tile, one step
  Sourced leakageTileMw;        // mW per tile in use, over the simulated time
  Sourced leakageRouterMw;      // mW per router that carries packets, while it is on
  Sourced leakageGatedRouterMw; // … while it is switched off
  Sourced routerWakePj;         // a router is switched on
  Sourced leakagePortMw = {};   // of those of a router, what the buffers of an input port leak
  Sourced clockTileMw = {};     // mW per tile in use for its clock, over the simulated time
  Sourced neuronAccessPj = {};  // one neuron in one step, whether it is updated or not
  Sourced chipLinkPj = {};      // one flit from chip to chip, beside its hop
  /// One synaptic event of a kind that has a machine of its own; without a source `synapsePj`.
  SourcedByKind synapseKindPj = {};
  double synapsePjOf(SynapseKind kind) const {
    return ownOrShared(synapseKindPj, kind, synapsePj).value;
  }
  bool operator==(const EnergyTable &) const = default;
};

/// From so many tiles in use on, a barrier takes so long.
struct BarrierLevel {
  uint32_t tiles = 1;
  uint64_t cycles = 0;
  bool operator==(const BarrierLevel &) const = default;
};

/// Time per event in whole cycles of the chip's clock; an absent `synapseCycles` is zero, an absent
/// `partialSumCycles` (without a source) a row read (CrossbarWork.h).
struct LatencyTable {
  Sourced rowReadCycles;         // a crossbar works one input spike in: its rows' cells together …
  Sourced synapseCycles;         // … and where cells are worked one by one, so much more for each
  Sourced partialSumCycles;      // a partial sum of another crossbar is added to its column
  Sourced neuronUpdateCycles;    // one column's membrane update at the end of a step
  Sourced stepBarrierCycles;     // the chip agrees that a step is over …
  Sourced stepBarrierTileCycles; // … and so much more for each tile in use
  std::vector<BarrierLevel> barrierLevels =
      {};                          // ascending; in the place of both, where it is there
  Sourced neuronAccessCycles = {}; // one column, whether it is updated or not
  Sourced neuronSpikeCycles = {};  // a spike made
  Sourced axonOutCycles = {};      // … and each packet of it
  /// A cell of a kind that has a machine of its own; without a source `synapseCycles`.
  SourcedByKind synapseKindCycles = {};
  double synapseCyclesOf(SynapseKind kind) const {
    return ownOrShared(synapseKindCycles, kind, synapseCycles).value;
  }
  bool operator==(const LatencyTable &) const = default;
};

/// Resistances to the flow of heat (TemperatureGrid.h).
struct Thermal {
  Sourced ambientC;          // of the surroundings
  Sourced toAmbientKPerW;    // from a tile
  Sourced betweenTilesKPerW; // between neighbours
  bool operator==(const Thermal &) const = default;
};

/// When a tile begins its next step.
///  - Barrier: all together, when all are done and a barrier has said so; spikes of one step of the
///    network share a slot in all layers.
///  - Pipeline: likewise without a barrier, since layers that follow each other hand steps over; a
///    layer works the step after the one of the layer behind it.
///  - Free: by the clock; every step takes the same time, and what comes later is late.
enum class Synchronisation : uint8_t { Barrier, Pipeline, Free };
inline constexpr const char *kSynchronisationNames[] = {"barrier", "pipeline", "free"};

/// What writing other weights into crossbars costs, so that they work one part of a network after
/// the other (chip format 2).
struct LoadPrices {
  Sourced rowCycles; // a row of a crossbar, through a tile of the host
  Sourced cellPj;    // a cell
  bool operator==(const LoadPrices &) const = default;
};

struct Chip {
  std::string name;
  std::string path; // of the file, for errors
  Mesh mesh;
  uint32_t crossbarsPerTile = 1;
  Crossbar crossbar;
  Router router;
  Sourced clockMhz;
  EnergyTable energy;
  LatencyTable latency;
  LoadPrices load;
  Synchronisation synchronisation = Synchronisation::Barrier;
  Sourced stepUs; // of a free-running chip: a step of the network
  std::optional<Thermal> thermal = std::nullopt;
  std::vector<CrossbarFault> crossbarFaults = {}; // each crossbar at most once

  /// Of a free-running chip, whole cycles.
  uint64_t stepCycles() const;
  /// Of a chip with barriers.
  uint64_t barrierCycles(uint64_t tilesInUse) const;
  /// Neurons at rest are accessed, not updated.
  bool countsAccesses() const {
    return !energy.neuronAccessPj.source.empty() || !latency.neuronAccessCycles.source.empty();
  }
  /// Whether synapses of a kind have a price or a time of their own.
  bool prices(SynapseKind kind) const {
    return !energy.synapseKindPj[size_t(kind)].source.empty() ||
           !latency.synapseKindCycles[size_t(kind)].source.empty();
  }
  /// Those that work, at least in part.
  uint32_t crossbars() const;
  /// Of a flit on a shortest way.
  double hopsPj(TileId from, TileId to) const {
    return mesh.hopsX(from, to) * energy.hopXPj.value + mesh.hopsY(from, to) * energy.hopYPj.value +
           mesh.crossings(from, to) * energy.chipLinkPj.value;
  }
  bool operator==(const Chip &) const = default;
};

/// The chips of configs/chips, which are known by the names of their files without the ending.
std::vector<std::string> chipNames();
bool isChipName(const std::string &name);

/// Reads a chip file (docs/formats/chip.md), or takes the one with this name; every number outside
/// its range and every price without a source is refused.
llvm::Expected<Chip> readChip(const std::string &pathOrName);

} // namespace spindle
