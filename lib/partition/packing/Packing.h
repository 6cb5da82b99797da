// Vertices in crossbars: the limits, the traffic, and what one more vertex would change.
#pragma once

#include "core/chip/work/CrossbarWork.h"
#include "lib/partition/Hypergraph.h"

#include <limits>
#include <optional>
#include <unordered_map>

namespace spindle {

/// What a packing keeps and what it minimises.
struct PackingRules {
  Crossbar crossbar;
  /// Cost of a packet, and of a row. Rows count half a packet: neurons that are silent in the
  /// recorded samples may spike in others, and spare rows let clusters be merged.
  int64_t spikeWeight = 2, rowWeight = 1;
  LatencyTable latency; // prices of a crossbar's work
  double steps = 0;     // of all recorded samples: so often each column is updated
  double mostCycles = std::numeric_limits<double>::infinity(); // of a crossbar in all steps

  PackingRules(const Crossbar &limits) : crossbar(limits) {}
  int64_t costOf(int64_t spikes, int64_t rows) const {
    return spikeWeight * spikes + rowWeight * rows;
  }
  double corePart = 1; // of the limits of a core that a group may take, while groups are made
  bool limitsWork() const { return mostCycles < std::numeric_limits<double>::infinity(); }
  /// Whether a crossbar may have this work.
  bool allows(const CrossbarWork &work) const { return workCycles(work, latency) <= mostCycles; }
};

/// What placing a vertex into a cluster takes and costs.
struct Offer {
  ClusterId cluster;
  uint32_t newRows;     // axons that the cluster does not have yet
  uint64_t newRowReads; // spikes on those
  int64_t addedSpikes;  // change of the traffic; negative where the vertex brings a membrane home
  int64_t cost;         // by the rules of the packing
};

/// The work of a vertex alone in a crossbar.
CrossbarWork workOf(const Hypergraph &graph, VertexId v, double steps);

/// A partial assignment that never breaks the limits. Traffic counts one packet per spike and
/// cluster that reads it without holding its membrane; a membrane not placed yet is elsewhere.
class Packing {
public:
  Packing(const Hypergraph &hypergraph, const PackingRules &rules);

  /// The packing of the finer hypergraph in which every vertex lies where its coarse vertex does.
  Packing(const Hypergraph &fine, const std::vector<VertexId> &coarseOf, const Packing &coarse);

  const Hypergraph &hypergraph() const { return *graph; }
  uint32_t clusters() const { return static_cast<uint32_t>(rowsUsed.size()); }
  ClusterId clusterOf(VertexId v) const { return cluster[v]; } // kNone: not placed
  const std::vector<ClusterId> &assignment() const { return cluster; }
  const std::vector<VertexId> &members(ClusterId c) const { return placed[c]; }
  const PackingRules &rules() const { return rule; }
  uint32_t freeRows(ClusterId c) const { return rule.crossbar.rows - rowsUsed[c]; }
  uint32_t freeColumns(ClusterId c) const { return rule.crossbar.columns - columnsUsed[c]; }
  const CrossbarWork &work(ClusterId c) const { return works[c]; } // over all steps
  uint64_t traffic() const { return spikes; }
  int64_t cost() const { return rule.costOf(int64_t(spikes), int64_t(rowsInAll)); }

  ClusterId open();
  /// Removes an empty cluster; the last cluster takes its number.
  void close(ClusterId c);
  void place(VertexId v, ClusterId c); // requires fits
  void lift(VertexId v);

  /// Offers of the clusters that share a net with the vertex (not placed now), in no order. The
  /// others all cost the same: every row new, every spike from elsewhere. O(pins × clusters per
  /// net).
  const std::vector<Offer> &offers(VertexId v);
  Offer offer(VertexId v, ClusterId c);
  /// The offer of a cluster that shares no net with the vertex.
  Offer untiedOffer(VertexId v, ClusterId c) const;
  /// What `offers` of every vertex, one after the other, would visit.
  uint64_t visitsOfAllOffers() const;
  /// The cheapest of `offers` that fits, the cluster `except` left out.
  std::optional<Offer> bestOffer(VertexId v, ClusterId except = kNone);
  bool fits(VertexId v, const Offer &offer) const {
    return offer.newRows <= freeRows(offer.cluster) &&
           graph->columns[v] <= freeColumns(offer.cluster) &&
           (graph->uses.empty() || hasRoom(v, offer.cluster)) &&
           (!rule.limitsWork() || rule.allows(workWith(v, offer)));
  }

private:
  struct Reach {
    ClusterId cluster;
    uint32_t readers;
  };
  std::span<Reach> reachOf(uint32_t net) {
    return {reaches.data() + graph->readers.offsets[net], reachCount[net]};
  }
  ClusterId home(uint32_t net) const {
    VertexId driver = graph->driver[net];
    return driver == kNone ? kNone : cluster[driver];
  }
  bool isRead(uint32_t net, ClusterId c);
  CrossbarWork workWith(VertexId v, const Offer &offer) const;
  bool hasRoom(VertexId v, ClusterId c) const;
  void use(VertexId v, ClusterId c);
  void release(VertexId v, ClusterId c);

  const Hypergraph *graph;
  PackingRules rule;
  std::vector<ClusterId> cluster;              // per vertex
  std::vector<uint32_t> slot;                  // per vertex, its index in placed[cluster]
  std::vector<std::vector<VertexId>> placed;   // per cluster
  std::vector<uint32_t> rowsUsed, columnsUsed; // per cluster
  std::vector<CrossbarWork> works;             // per cluster
  /// What a cluster has of one of the graph's uses: users of every item, and the sizes of the
  /// items.
  struct Held {
    std::unordered_map<uint32_t, uint32_t> users;
    uint64_t size = 0;
  };
  std::vector<std::vector<Held>> held; // per cluster, per use
  std::vector<Reach> reaches;       // per net, the clusters that read it; room for all its readers
  std::vector<uint32_t> reachCount; // per net
  uint64_t spikes = 0, rowsInAll = 0;

  std::vector<Offer> found; // result of `offers`
  struct Tally {
    uint32_t sharedRows = 0;
    uint64_t sharedRowReads = 0, savedSpikes = 0;
    bool touched = false;
  };
  std::vector<Tally> tallies; // per cluster, zero between calls
};

/// Crossbars filled one after the other, each with what its contents attract most: opens a cluster
/// for the first vertex that is left and adds, as long as one fits, the vertex with the largest
/// attraction, (spikes saved + rows shared) per new row. Where `parts` is given, vertices of
/// different parts never meet. Requires that each vertex fits into an empty crossbar.
Packing growPacking(const Hypergraph &hypergraph, const PackingRules &rules,
                    const std::vector<uint32_t> &parts = {});

} // namespace spindle
