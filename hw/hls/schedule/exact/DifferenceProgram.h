// Linear programs over differences.
#pragma once

#include <cstdint>
#include <vector>

namespace spindle::hls {

/// x[to] >= x[from] + weight
struct DifferenceConstraint {
  unsigned from, to;
  int64_t weight;
};

/// Minimises the sum of cost[i] * x[i] from a feasible x on. The costs add up to 0, so that only
/// differences count, and the minimum is finite. The dual is a flow without capacities from the
/// nodes of negative to those of positive cost; slacks are its reduced costs, so all solutions are
/// integers. Primal-dual method: one Dijkstra pass for every distinct path length.
std::vector<int64_t> minimizeDifferences(const std::vector<DifferenceConstraint> &constraints,
                                         std::vector<int64_t> cost, std::vector<int64_t> x);

} // namespace spindle::hls
