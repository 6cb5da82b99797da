// How busy crossbars are step by step, kept while units move.
#pragma once

#include "lib/partition/Hypergraph.h"
#include "lib/partition/balance/StepLoads.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

/// What a spike costs that goes to its own crossbar, to another one, and from the host to one, in
/// any unit.
struct SpikePrices {
  double own = 0, other = 1, host = 1;
};

/// Units in crossbars, each the vertex of its number; nets are neurons. What the slowest part of a
/// step takes is smoothed, so that every part counts the more the busier it is: the sixteenth root
/// of the sum of sixteenth powers, at most half as long again for a thousand equal parts.
class CrossbarLoads {
public:
  CrossbarLoads(const Hypergraph &graph, const StepLoads &loads, const SpikePrices &prices,
                std::vector<ClusterId> assignment, uint32_t clusters);

  uint32_t clusters() const { return static_cast<uint32_t>(members.size()); }
  ClusterId clusterOf(VertexId v) const { return cluster[v]; }
  const std::vector<ClusterId> &assignment() const { return cluster; }
  const std::vector<VertexId> &membersOf(ClusterId c) const { return members[c]; }
  uint32_t rows(ClusterId c) const { return rowsUsed[c]; }

  /// Moves since the last `keep` can be undone.
  void move(VertexId v, ClusterId to);
  void keep();
  void undo();
  /// Each with where the unit came from, in their order.
  const std::vector<std::pair<VertexId, ClusterId>> &movesSinceKept() const { return moves; }

  uint64_t touched() const { return touches; } // loads and counts so far, a measure of time
  double packets() const { return price; }     // of all recorded spikes
  double smoothCycles() const;                 // of a sample, smoothed
  /// Of a sample: the slowest part of each step, of these kinds.
  double slowestCycles(llvm::ArrayRef<LoadKind> of = kAllLoads) const;
  void refresh(); // from sums that grew into sums anew

private:
  uint16_t &readersOf(uint32_t net, ClusterId c) { return readers[uint64_t(net) * clusters() + c]; }
  size_t loadAt(LoadKind kind, ClusterId c) const {
    return (size_t(kind) * (clusters() + 1) + c) * steps;
  }
  void addRow(LoadKind kind, ClusterId c, const std::vector<float> &all, VertexId v, double sign);
  void addUnit(VertexId v, ClusterId c, double sign);
  void addSpikes(LoadKind kind, ClusterId c, uint32_t net, double cycles);
  void hear(uint32_t net, ClusterId c);
  void forget(uint32_t net, ClusterId c);
  void countListener(uint32_t net, ClusterId c, int sign);
  void settle(uint32_t net, ClusterId home, int sign);
  double portShare(uint32_t others) const;
  void place(VertexId v, ClusterId c);
  void take(VertexId v);
  void shift(VertexId v, ClusterId to);
  /// Far from what a double holds: loads are a few times the largest one at the start.
  double powered(double cycles) const {
    double x = cycles * perUnit;
    x *= x;
    x *= x;
    x *= x;
    return x * x;
  }

  const Hypergraph &graph;
  const StepLoads &loads;
  SpikePrices prices;
  size_t steps;
  std::vector<ClusterId> cluster; // per unit
  std::vector<uint32_t> slot;     // per unit, its index in members
  std::vector<std::vector<VertexId>> members;
  std::vector<uint32_t> rowsUsed;  // per cluster
  std::vector<uint16_t> readers;   // per net and cluster
  std::vector<uint32_t> listeners; // per net, clusters that read it
  std::vector<double> busy;        // per kind, cluster (the last is the host) and step: cycles
  std::vector<double> sums;        // per step, of the powers
  double price = 0, perUnit = 1;   // `perUnit`: of the cycles that are one, before they are raised

  struct Change {
    size_t at;
    double before;
  };
  /// Those since the last `keep`; keeps its room.
  class Changes {
  public:
    Change *grow(size_t more) {
      if (used + more > all.size())
        all.resize(2 * (used + more));
      used += more;
      return all.data() + used - more;
    }
    void clear() { used = 0; }
    size_t size() const { return used; }
    const Change &operator[](size_t n) const { return all[n]; }

  private:
    std::vector<Change> all;
    size_t used = 0;
  };
  Changes changes;
  std::vector<std::pair<VertexId, ClusterId>> moves;
  std::vector<double> keptSums;
  double keptPrice = 0;
  uint64_t touches = 0;
  bool isUndoing = false;
};

} // namespace spindle
