// Which crossbar column computes which (part of a) neuron, and what the crossbars send each other.
#pragma once

#include "core/chip/file/ListsIn.h"
#include "core/network/Population.h"
#include "core/network/synapses/SynapseKind.h"
#include "core/support/Error.h"

namespace spindle {

struct SpikingGraph;

using ClusterId = uint32_t;
using UnitId = uint32_t;

inline constexpr uint32_t kNone = UINT32_MAX;

/// One column of a crossbar. A neuron whose fan-in fits the rows is one unit; a larger one is
/// several units, each over a contiguous block of its ascending sources, that carry partial sums as
/// `FanInShape` says; the last unit (carryTo == kNone) holds the membrane and spikes.
struct Unit {
  NeuronId neuron;
  ClusterId cluster;
  UnitId carryTo;
  bool operator==(const Unit &) const = default;
};

/// One row of a crossbar: the neuron that drives it and the cells it drives there.
struct Axon {
  NeuronId neuron;
  SynapsesByKind<uint32_t> synapses;
  uint64_t spikes; // of that neuron over the recorded samples
  bool operator==(const Axon &) const = default;
};

struct Cluster {
  uint32_t units = 0;      // columns in use
  uint32_t neurons = 0;    // of them, columns with a membrane (last units)
  uint64_t synapses = 0;   // cells in use
  std::vector<Axon> axons; // ascending neuron; rows in use
  bool operator==(const Cluster &) const = default;
};

/// How the units of a neuron accumulate.
///  - Rows: in a chain; each unit starts from the sum of the unit before it, so the chain adds in
///    the very order of the undivided neuron;
///  - Tree: in a balanced tree without further columns, as deep as the logarithm of the units (a
///    binomial tree). Unit `last - j` carries to the one whose j lacks the lowest bit of this j, so
///    what it carries is a contiguous block of units, and sums only go to later units. The sum is
///    that of the undivided neuron where additions are exact (whole numbers, fixed point), and else
///    within rounding;
///  - Pairs: in a chain of units with two inputs each, the first with two sources, the others with
///    the sum before them and one source: the undivided neuron's order again. F - 1 columns in the
///    place of a few, but any of them may lie anywhere (Balaji et al., TVLSI 2020).
enum class FanInShape : uint8_t { Rows, Tree, Pairs };
inline constexpr const char *kFanInShapeNames[] = {"rows", "tree", "pairs"};

/// Where a unit carries its sum, of a neuron whose units end with `last`.
UnitId carryTarget(FanInShape shape, UnitId unit, UnitId last);

/// How partial sums travel from crossbar to crossbar. None crosses the mesh inside a tile.
///  - Packets: each in a packet of its own, inside a tile through its network interface;
///  - Vector: those of one crossbar to another in a step together in one;
///  - Tile: as packets from tile to tile, and by wires without a packet inside a tile.
enum class PartialSums : uint8_t { Packets, Vector, Tile };
inline constexpr const char *kPartialSumsNames[] = {"packets", "vector", "tile"};

/// In which order a crossbar updates its columns: that of the units, or those first whose spikes
/// and sums go to other crossbars, so that nobody waits for them (work/ColumnOrder.h).
enum class ColumnOrder : uint8_t { Neurons, SpikesFirst };
inline constexpr const char *kColumnOrderNames[] = {"neurons", "spikes_first"};

/// Traffic between two different clusters over the recorded samples. `from` is kNone for the host.
struct ClusterLink {
  ClusterId from, to;
  uint64_t spikes;      // packets: spikes of neurons of `from` with an axon in `to`, one each
  uint64_t partialSums; // at most one per unit carried over and step (an upper bound)
  bool operator==(const ClusterLink &) const = default;
};

struct Clustering {
  std::string algorithm;
  uint32_t rows = 0, columns = 0; // limits that were kept
  uint32_t neurons = 0;           // of the network
  uint32_t samples = 0, steps = 0;
  FanInShape shape = FanInShape::Rows;
  PartialSums sums = PartialSums::Packets;
  ColumnOrder order = ColumnOrder::Neurons;
  std::vector<Unit> units; // ascending neuron, then ascending sources
  std::vector<Cluster> clusters;
  std::vector<ClusterLink> links; // ascending (from, to); the host, kNone, comes last
  uint64_t cutSpikes = 0;         // sum of links' spikes, host links left out

  bool operator==(const Clustering &) const = default;
};

/// The packets, at most, in which the partial sums of a link travel: with Tile, if its clusters lie
/// in different tiles.
uint64_t partialSumPackets(const Clustering &clustering, const ClusterLink &link);

/// Units in ascending order with chains or trees intact, every cluster within rows and columns,
/// link ends valid, cutSpikes equal to the sum. What needs the graph is checked by the partition
/// stage.
llvm::Error verify(const Clustering &clustering);

/// The synapses of each unit: unit u is over graph.sources[offsets[u] .. offsets[u + 1]). Part p of
/// the k parts of a neuron with fan-in F begins F·p/k synapses after the neuron's first, rounded
/// down; of F - 1 parts the first one has two synapses.
std::vector<uint64_t> unitOffsets(const SpikingGraph &graph, const std::vector<Unit> &units);

/// JSON, long lists as arrays in a file beside it. `writePart` writes the METIS `.part` form: line
/// u holds the cluster of unit u.
llvm::Error writeClustering(const std::string &path, const Clustering &clustering,
                            ListsIn lists = ListsIn::Auto);
llvm::Error writePart(const std::string &path, const Clustering &clustering);
llvm::Expected<Clustering> readClustering(const std::string &path);

} // namespace spindle
