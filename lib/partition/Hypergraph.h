// The network as partitioners see it: vertices that take columns, nets that take rows.
#pragma once

#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

#include <span>

namespace spindle {

using VertexId = uint32_t;

/// Rows of a sparse 0/1 matrix.
struct Incidence {
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> members;

  size_t size() const { return offsets.size() - 1; }
  std::span<const uint32_t> operator[](uint32_t row) const {
    return {members.data() + offsets[row], members.data() + offsets[row + 1]};
  }
  void close() { offsets.push_back(members.size()); } // ends the row under construction
};

/// Things that the vertices of a crossbar have in common, each taken once however many need it.
struct SharedUse {
  Incidence items;             // per vertex, ascending
  std::vector<uint64_t> sizes; // per item
  uint64_t limit = 0;          // of the sizes in a crossbar
};

/// A vertex is a unit or several units that stay together. A net is a neuron, or several that one
/// vertex drives and the same vertices read: its spikes go from the vertex that holds its membrane
/// (or from the host) to the vertices that read it, one packet
/// per spike and cluster that has a reader and not the membrane. This is the connectivity metric of
/// hypergraph partitioning: a graph's edge cut counts a spike once per synapse instead.
struct Hypergraph {
  std::vector<uint32_t> columns;  // per vertex, the units in it
  Incidence pins;                 // per vertex, the nets that it reads, ascending: its rows
  Incidence driven;               // per vertex, the nets whose membrane it holds, ascending
  std::vector<uint64_t> rowReads; // per vertex, spikes on its pins …
  std::vector<SynapsesByKind<uint64_t>> cells; // … and on the synapses behind them
  std::vector<uint64_t> sums;                  // per vertex, partial sums that come to its columns
  std::vector<uint64_t> spikes;                // per net
  std::vector<VertexId> driver;                // per net; kNone for the host
  Incidence readers;                           // per net, the vertices that read it, ascending
  std::vector<uint32_t> width; // per net, the rows it takes: neurons in it; empty: one each
  std::vector<SharedUse> uses; // of a core beside rows and columns

  uint32_t vertices() const { return static_cast<uint32_t>(columns.size()); }
  uint32_t nets() const { return static_cast<uint32_t>(spikes.size()); }
  uint32_t rowsOfNet(uint32_t net) const { return width.empty() ? 1 : width[net]; }
  /// Rows of a vertex alone in a crossbar.
  uint32_t rowsOf(VertexId v) const {
    std::span<const uint32_t> nets = pins[v];
    uint32_t rows = width.empty() ? static_cast<uint32_t>(nets.size()) : 0;
    if (!width.empty())
      for (uint32_t net : nets)
        rows += width[net];
    return rows;
  }
};

/// The readers of every net, from the pins of every vertex.
Incidence transpose(const Incidence &pins, uint32_t nets);

/// One vertex per unit. A partial sum counts where it comes to, at its upper bound
/// (`partialSumBounds`). `sumsHaveRows`: it is a net with one reader, so that it costs nothing
/// where both its units lie in one crossbar; nets behind those of the neurons.
Hypergraph buildHypergraph(const SpikingGraph &graph, const std::vector<Unit> &units,
                           bool sumsHaveRows = false);

} // namespace spindle
