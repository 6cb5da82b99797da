#include "lib/partition/refine/Coarsen.h"

#include <algorithm>
#include <compare>
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
    coarse.cells.emplace_back();
    coarse.sums.push_back(0);
    for (VertexId v : group) {
      coarse.columns.back() += fine.columns[v];
      coarse.cells.back() += fine.cells[v];
      coarse.sums.back() += fine.sums[v];
    }
    append(coarse.pins, fine.pins, group);
    coarse.rowReads.push_back(0);
    for (uint32_t net : coarse.pins[static_cast<uint32_t>(coarse.pins.size()) - 1])
      coarse.rowReads.back() += fine.spikes[net];
    append(coarse.driven, fine.driven, group);
  }
  for (const SharedUse &use : fine.uses) {
    SharedUse &merged = coarse.uses.emplace_back();
    merged.sizes = use.sizes;
    merged.limit = use.limit;
    for (const std::vector<VertexId> &group : groups)
      append(merged.items, use.items, group);
  }
  coarse.spikes = fine.spikes;
  coarse.width = fine.width;
  coarse.driver = fine.driver;
  for (VertexId &driver : coarse.driver)
    driver = driver == kNone ? kNone : result.coarseOf[driver];
  coarse.readers = transpose(coarse.pins, coarse.nets());
  return result;
}

/// Whether vertices keep, together, to `part` of each limit of a core.
static bool haveRoom(const Hypergraph &graph, const std::vector<VertexId> &together, double part) {
  for (const SharedUse &use : graph.uses) {
    std::vector<uint32_t> items;
    for (VertexId v : together)
      items.insert(items.end(), use.items[v].begin(), use.items[v].end());
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    uint64_t size = 0;
    for (uint32_t item : items)
      size += use.sizes[item];
    if (double(size) > part * double(use.limit))
      return false;
  }
  return true;
}

CoarseHypergraph mergeTwins(const Hypergraph &fine, const PackingRules &limit,
                            const std::vector<uint32_t> &parts) {
  auto part = [&](VertexId v) { return parts.empty() ? 0 : parts[v]; };
  std::vector<VertexId> byPins(fine.vertices());
  std::iota(byPins.begin(), byPins.end(), 0);
  std::ranges::sort(byPins, [&](VertexId a, VertexId b) {
    auto order = std::lexicographical_compare_three_way(fine.pins[a].begin(), fine.pins[a].end(),
                                                        fine.pins[b].begin(), fine.pins[b].end());
    return order != 0 ? order < 0 : std::pair(part(a), a) < std::pair(part(b), b);
  });
  std::vector<VertexId> leader(fine.vertices());
  uint32_t columns = 0; // of the group under construction, and its work
  CrossbarWork work;
  std::vector<VertexId> group;
  for (size_t i = 0; i < byPins.size(); ++i) {
    VertexId v = byPins[i];
    CrossbarWork own = workOf(fine, v, limit.steps), joined = work;
    joined.columnUpdates += own.columnUpdates;
    joined.cells += own.cells;
    joined.partialSums += own.partialSums;
    bool joins = i > 0 && columns + fine.columns[v] <= limit.crossbar.columns &&
                 limit.allows(joined) && !fine.pins[v].empty() && part(byPins[i - 1]) == part(v) &&
                 std::ranges::equal(fine.pins[byPins[i - 1]], fine.pins[v]);
    if (!fine.uses.empty()) {
      group.push_back(v);
      joins = joins && haveRoom(fine, group, limit.corePart);
      if (!joins)
        group = {v};
    }
    leader[v] = joins ? leader[byPins[i - 1]] : v;
    columns = joins ? columns + fine.columns[v] : fine.columns[v];
    work = joins ? joined : own;
  }
  return contract(fine, leader);
}

/// Nets with many readers tie nobody to anybody in particular, and pairs over them are too many.
static constexpr size_t kLargeNet = 128;

namespace {

/// What ties one vertex to others.
class Ties {
public:
  Ties(const Hypergraph &hypergraph, const std::vector<uint32_t> &parts)
      : graph(hypergraph), partOf(parts), ties(graph.vertices()), isPin(graph.nets(), false) {}

  /// The partner of the largest rating that fits into `limit` together with v, kNone for none.
  /// Ratings are per column of the partner: small ones first, so that groups grow evenly.
  VertexId partnerOf(VertexId v, const PackingRules &limit, const std::vector<char> &matched) {
    collect(v);
    VertexId best = kNone;
    double bestRating = 0;
    for (VertexId u : tied) {
      double rating = ties[u].weight / graph.columns[u];
      bool better = rating > bestRating || (rating == bestRating && u < best);
      if (better && !matched[u] && fit(u, v, limit)) {
        best = u;
        bestRating = rating;
      }
    }
    for (VertexId u : tied)
      ties[u] = {};
    tied.clear();
    for (uint32_t net : graph.pins[v])
      isPin[net] = false;
    return best;
  }

private:
  struct Tie {
    double weight = 0;
    uint32_t sharedRows = 0; // over nets that are not large
  };

  void collect(VertexId v) {
    largePins = 0;
    for (uint32_t net : graph.pins[v]) {
      isPin[net] = true;
      collectEnds(v, net, graph.rowsOfNet(net));
    }
    for (uint32_t net : graph.driven[v])
      collectEnds(v, net, 0);
  }

  void collectEnds(VertexId v, uint32_t net, uint32_t sharedRows) {
    std::span<const VertexId> readers = graph.readers[net];
    VertexId driver = graph.driver[net];
    size_t ends = readers.size() + (driver != kNone);
    if (ends > kLargeNet) {
      largePins += sharedRows;
      return;
    }
    if (ends < 2)
      return;
    // Silent nets count a little: they may spike in another sample.
    double weight = (double(graph.spikes[net]) + 0.5) / double(ends - 1);
    for (VertexId reader : readers)
      tie(v, reader, weight, sharedRows);
    if (driver != kNone)
      tie(v, driver, weight, 0);
  }

  void tie(VertexId v, VertexId u, double weight, uint32_t sharedRows) {
    if (u == v || (!partOf.empty() && partOf[u] != partOf[v]))
      return;
    if (ties[u].weight == 0)
      tied.push_back(u);
    ties[u].weight += weight;
    ties[u].sharedRows += sharedRows;
  }

  bool fit(VertexId u, VertexId v, const PackingRules &limit) const {
    uint32_t rows = graph.rowsOf(u) + graph.rowsOf(v);
    if (graph.columns[u] + graph.columns[v] > limit.crossbar.columns ||
        rows > limit.crossbar.rows + ties[u].sharedRows + largePins)
      return false;
    uint64_t rowReads = graph.rowReads[u] + graph.rowReads[v];
    SynapsesByKind<double> cells(graph.cells[u]);
    cells += SynapsesByKind<double>(graph.cells[v]);
    for (uint32_t net : graph.pins[u]) {
      rows -= isPin[net] ? graph.rowsOfNet(net) : 0;
      rowReads -= isPin[net] ? graph.spikes[net] : 0;
    }
    return rows <= limit.crossbar.rows &&
           (graph.uses.empty() || haveRoom(graph, {u, v}, limit.corePart)) &&
           (!limit.limitsWork() ||
            limit.allows({limit.steps * (graph.columns[u] + graph.columns[v]), double(rowReads),
                          cells, double(graph.sums[u] + graph.sums[v])}));
  }

  const Hypergraph &graph;
  const std::vector<uint32_t> &partOf;
  std::vector<Tie> ties;      // per vertex
  std::vector<VertexId> tied; // vertices with a tie
  std::vector<char> isPin;    // per net: read by the vertex in question
  uint32_t largePins = 0;     // of the vertex in question
};

} // namespace

CoarseHypergraph mergePairs(const Hypergraph &fine, const PackingRules &limit,
                            const std::vector<uint32_t> &parts,
                            const std::vector<VertexId> &order) {
  std::vector<VertexId> leader(fine.vertices());
  std::iota(leader.begin(), leader.end(), 0);
  std::vector<char> matched(fine.vertices(), false);
  Ties ties(fine, parts);
  for (VertexId n = 0; n < fine.vertices(); ++n) {
    VertexId v = order.empty() ? n : order[n];
    VertexId partner = matched[v] ? kNone : ties.partnerOf(v, limit, matched);
    if (partner == kNone)
      continue;
    matched[v] = matched[partner] = true;
    leader[std::max(v, partner)] = std::min(v, partner);
  }
  return contract(fine, leader);
}

} // namespace spindle
