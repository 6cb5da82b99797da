#include "lib/partition/Coarsen.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace spindle {

/// The hypergraph of groups, each named by its first member: leader[v] <= v. Coarse vertices keep
/// the order of their leaders, which is the order of the network.
static CoarseHypergraph contract(const Hypergraph &fine, const std::vector<VertexId> &leader) {
  CoarseHypergraph result{{}, std::vector<VertexId>(fine.vertices())};
  Hypergraph &coarse = result.hypergraph;
  std::vector<std::vector<VertexId>> groups;
  for (VertexId v = 0; v < fine.vertices(); ++v) {
    if (leader[v] == v)
      groups.emplace_back();
    result.coarseOf[v] =
        leader[v] == v ? static_cast<VertexId>(groups.size()) - 1 : result.coarseOf[leader[v]];
    groups[result.coarseOf[v]].push_back(v);
  }
  auto append = [](Incidence &to, const Incidence &from, const std::vector<VertexId> &group) {
    for (VertexId v : group)
      to.members.insert(to.members.end(), from[v].begin(), from[v].end());
    auto begin = to.members.begin() + static_cast<ptrdiff_t>(to.offsets.back());
    std::sort(begin, to.members.end());
    to.members.erase(std::unique(begin, to.members.end()), to.members.end());
    to.close();
  };
  for (const std::vector<VertexId> &group : groups) {
    coarse.columns.push_back(0);
    for (VertexId v : group)
      coarse.columns.back() += fine.columns[v];
    append(coarse.pins, fine.pins, group);
    append(coarse.driven, fine.driven, group);
  }
  coarse.spikes = fine.spikes;
  coarse.driver = fine.driver;
  for (VertexId &driver : coarse.driver)
    driver = driver == kNone ? kNone : result.coarseOf[driver];
  coarse.readers = transpose(coarse.pins, coarse.nets());
  return result;
}

CoarseHypergraph mergeTwins(const Hypergraph &fine, uint32_t maxColumns) {
  std::vector<VertexId> byPins(fine.vertices());
  std::iota(byPins.begin(), byPins.end(), 0);
  std::stable_sort(byPins.begin(), byPins.end(), [&](VertexId a, VertexId b) {
    return std::ranges::lexicographical_compare(fine.pins[a], fine.pins[b]);
  });
  std::vector<VertexId> leader(fine.vertices());
  uint32_t columns = 0; // of the group under construction
  for (size_t i = 0; i < byPins.size(); ++i) {
    VertexId v = byPins[i];
    bool joins = i > 0 && columns + fine.columns[v] <= maxColumns && !fine.pins[v].empty() &&
                 std::ranges::equal(fine.pins[byPins[i - 1]], fine.pins[v]);
    leader[v] = joins ? leader[byPins[i - 1]] : v;
    columns = joins ? columns + fine.columns[v] : fine.columns[v];
  }
  return contract(fine, leader);
}

/// Nets with many readers tie nobody to anybody in particular, and pairs over them are too many.
static constexpr size_t kLargeNet = 128;

/// How strongly the vertex is tied to others: ties[u] for the u in `tied`.
static void rate(const Hypergraph &graph, VertexId v, std::vector<double> &ties,
                 std::vector<VertexId> &tied) {
  auto tie = [&](VertexId u, double weight) {
    if (u == v || u == kNone)
      return;
    if (ties[u] == 0)
      tied.push_back(u);
    ties[u] += weight;
  };
  auto tieEnds = [&](uint32_t net) {
    std::span<const VertexId> readers = graph.readers[net];
    size_t ends = readers.size() + (graph.driver[net] != kNone);
    if (ends < 2 || ends > kLargeNet)
      return;
    // Silent nets count a little: their spikes may come with the next sample.
    double weight = (double(graph.spikes[net]) + 0.5) / double(ends - 1);
    for (VertexId u : readers)
      tie(u, weight);
    tie(graph.driver[net], weight);
  };
  for (uint32_t net : graph.pins[v])
    tieEnds(net);
  for (uint32_t net : graph.driven[v])
    tieEnds(net);
}

CoarseHypergraph mergePairs(const Hypergraph &fine, const Crossbar &limit) {
  std::vector<VertexId> leader(fine.vertices());
  std::iota(leader.begin(), leader.end(), 0);
  std::vector<char> matched(fine.vertices(), false);
  std::vector<double> ties(fine.vertices(), 0);
  std::vector<VertexId> tied;
  std::vector<uint32_t> shared;
  for (VertexId v = 0; v < fine.vertices(); ++v) {
    if (matched[v])
      continue;
    rate(fine, v, ties, tied);
    VertexId best = kNone;
    double bestRating = 0;
    for (VertexId u : tied) {
      double rating = ties[u] / fine.columns[u]; // small partners first: groups grow evenly
      ties[u] = 0;
      if (matched[u] || rating < bestRating || fine.columns[u] + fine.columns[v] > limit.columns)
        continue;
      shared.clear();
      std::ranges::set_intersection(fine.pins[u], fine.pins[v], std::back_inserter(shared));
      size_t rows = fine.pins[u].size() + fine.pins[v].size() - shared.size();
      if (rows > limit.rows)
        continue;
      if (rating > bestRating || (rating == bestRating && u < best)) {
        best = u;
        bestRating = rating;
      }
    }
    tied.clear();
    if (best == kNone)
      continue;
    matched[v] = matched[best] = true;
    leader[std::max(v, best)] = std::min(v, best);
  }
  return contract(fine, leader);
}

} // namespace spindle
