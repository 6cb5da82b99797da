// Units of a graph with shared lists, in groups that are partitioned in their place.
#pragma once

#include "core/chip/Chip.h"
#include "lib/partition/Hypergraph.h"
#include "lib/partition/packing/Packing.h"

#include <compare>

namespace spindle {

/// Neurons that share a list of sources, and so, where its fan-in is divided, units that read the
/// same block of it, are groups of an eighth of a crossbar's columns at most, those with the same
/// readers beside each other: of what also has the same readers, no partition has a reason to tell
/// one from another. Time and memory go with the
/// lists and the neurons, not the synapses.
class GroupedUnits {
public:
  /// `units`: of `decompose` for the same graph; chains or trees, no pairs.
  GroupedUnits(const SpikingGraph &graph, const std::vector<Unit> &units, const Crossbar &crossbar,
               FanInShape shape);

  /// One vertex for each group. Nets are neurons that one vertex drives, or the host, and the same
  /// blocks of lists read, so that a net takes as many rows as it has neurons. Of the limits of a
  /// core words and axons are counted, as nobody knows the weights each unit with its own.
  const Hypergraph &hypergraph() const { return graph; }

  /// The error of a unit that no empty crossbar has room for.
  llvm::Error checkFit(const Chip &chip) const;

  /// The clusters that are said to hold the groups, cells and links counted.
  Clustering cluster(const Packing &packing) const;

  /// Numbers that differ for groups of different populations or blocks: for `growPacking`.
  std::vector<uint32_t> partsByLayer() const;

private:
  /// Sources that some units of a list read.
  struct Block {
    uint32_t list;
    uint32_t part;        // of the units of a neuron
    uint32_t population;  // of those that read it
    uint64_t begin, end;  // of the sources of the graph
    uint64_t carried = 0; // at most, of the sum of one of its units
    VertexId first;       // of its groups
  };

  /// Who reads a neuron: the first block, and 128 bits of all of them.
  struct Readers {
    uint32_t first = kNone;
    uint64_t sum = 0, otherSum = 0;
    auto operator<=>(const Readers &) const = default;
  };

  void cutBlocks();
  void findReaders();
  std::vector<UnitId> orderUnits(std::vector<uint32_t> &blockOf) const;
  void groupUnits();
  void gatherNets();
  void fillVertices();
  void fillUses();
  uint32_t mostOf(const Block &block) const;
  std::vector<uint32_t> sourcePopulations(const Block &block) const;
  std::vector<uint32_t> blockOfVertex() const;
  SynapseKind kindOf(uint32_t from, uint32_t to) const;
  void fillAxons(Clustering &result, const std::vector<VertexId> &byCluster,
                 const std::vector<size_t> &ends) const;

  const SpikingGraph &network;
  const std::vector<Unit> &units;
  Crossbar crossbar;
  FanInShape shape;
  std::vector<uint32_t> populationOf; // per neuron
  std::vector<uint32_t> firstBlock;   // per list
  std::vector<Block> blocks;
  std::vector<Readers> readers;   // per neuron
  std::vector<VertexId> vertexOf; // per unit
  std::vector<uint32_t> netOf;    // per neuron, kNone where nobody reads it
  Hypergraph graph;
};

} // namespace spindle
