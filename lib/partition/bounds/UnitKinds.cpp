#include "lib/partition/bounds/UnitKinds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace spindle {

namespace {

constexpr uint64_t kMostAnchorVisits = 300'000'000;

/// Groups that are joined, each named by its smallest member.
class Groups {
public:
  explicit Groups(size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }
  uint32_t find(uint32_t x) {
    while (parent[x] != x)
      x = parent[x] = parent[parent[x]];
    return x;
  }
  void join(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    parent[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<uint32_t> parent;
};

/// Columns of a kind that read the same: they take their rows once.
struct Twins {
  VertexId first;
  uint32_t columns;
};

class KindRows {
public:
  KindRows(const Hypergraph &hypergraph, const std::vector<VertexId> &members,
           const Crossbar &limits)
      : graph(hypergraph), crossbar(limits), columns(members.size()) {
    std::map<std::vector<uint32_t>, uint32_t> known;
    for (VertexId v : members) {
      auto pins = graph.pins[v];
      auto [at, isNew] = known.try_emplace({pins.begin(), pins.end()}, twins.size());
      if (isNew)
        twins.push_back({v, 0});
      ++twins[at->second].columns;
    }
  }

  std::vector<uint32_t> run() {
    size_t most = std::min<size_t>(columns, crossbar.columns);
    std::vector<uint32_t> rows = byAnchor(most);
    std::vector<double> shares = smallestShares();
    double sum = 0;
    for (size_t j = 1; j <= most; ++j) {
      sum += shares[j - 1];
      rows[j] = std::max(
          {rows[j], rows[j - 1], static_cast<uint32_t>(std::ceil(sum * (1 - 1e-9) - 1e-9))});
    }
    return rows;
  }

private:
  /// A row serves no more columns than a crossbar has, or read it at all: each column pays its
  /// part.
  std::vector<double> smallestShares() const {
    std::vector<double> shares;
    for (const Twins &each : twins) {
      double share = 0;
      for (uint32_t net : graph.pins[each.first])
        share += 1.0 / double(std::min<size_t>(graph.readers[net].size(), crossbar.columns));
      shares.insert(shares.end(), each.columns, share);
    }
    std::ranges::sort(shares);
    return shares;
  }

  /// The column with most rows, and the j-th of the others in the order of the rows that they add
  /// to it, are together in the crossbar or something worse is.
  std::vector<uint32_t> byAnchor(size_t most) {
    std::vector<uint32_t> least(most + 1, UINT32_MAX);
    least[0] = 0;
    index();
    uint64_t visits = 0;
    for (const Twins &each : twins)
      for (uint32_t net : graph.pins[each.first])
        visits += readers[net].size();
    visits += twins.size() * (twins.size() + crossbar.rows);
    for (size_t v = 0; v < twins.size(); ++v) {
      auto own = static_cast<uint32_t>(graph.pins[twins[v].first].size());
      if (visits > kMostAnchorVisits) {
        for (size_t j = 1; j <= most; ++j)
          least[j] = std::min(least[j], own);
        continue;
      }
      std::vector<uint64_t> adding = columnsByNewRows(v, own);
      uint64_t columnsSoFar = 0;
      size_t j = 1;
      for (uint32_t added = 0; added < adding.size() && j <= most; ++added)
        for (columnsSoFar += adding[added]; j <= most && j <= columnsSoFar; ++j)
          least[j] = std::min(least[j], own + added);
    }
    // More than fit with any of them do not fit at all.
    std::ranges::replace(least, UINT32_MAX, crossbar.rows + 1);
    return least;
  }

  void index() {
    for (size_t t = 0; t < twins.size(); ++t)
      for (uint32_t net : graph.pins[twins[t].first])
        readers[net].push_back(static_cast<uint32_t>(t));
    shared.assign(twins.size(), 0);
  }

  /// How many columns add so many rows to those of twins `v`, as far as they fit together.
  std::vector<uint64_t> columnsByNewRows(size_t v, uint32_t own) {
    for (uint32_t net : graph.pins[twins[v].first])
      for (uint32_t t : readers[net])
        ++shared[t];
    std::vector<uint64_t> adding(crossbar.rows - own + 1, 0);
    for (size_t t = 0; t < twins.size(); ++t) {
      auto rows = static_cast<uint32_t>(graph.pins[twins[t].first].size());
      uint32_t added = rows - shared[t];
      if (rows <= own && added < adding.size())
        adding[added] += twins[t].columns;
      shared[t] = 0;
    }
    return adding;
  }

  const Hypergraph &graph;
  Crossbar crossbar;
  size_t columns;
  std::vector<Twins> twins;
  std::map<uint32_t, std::vector<uint32_t>> readers; // per net, twins
  std::vector<uint32_t> shared;                      // per twins, zero between calls
};

} // namespace

/// Per column, population and place in its chain, numbered.
static std::vector<uint32_t> layersOf(const SpikingGraph &graph, const std::vector<Unit> &units) {
  std::map<std::pair<size_t, uint32_t>, uint32_t> number;
  std::vector<uint32_t> layers;
  size_t population = 0;
  uint32_t part = 0;
  for (UnitId u = 0; u < units.size(); ++u) {
    while (units[u].neuron >=
           graph.populations[population].first + graph.populations[population].size)
      ++population;
    part = u > 0 && units[u - 1].neuron == units[u].neuron ? part + 1 : 0;
    layers.push_back(
        number.try_emplace({population, part}, static_cast<uint32_t>(number.size())).first->second);
  }
  return layers;
}

std::vector<UnitKind> findKinds(const SpikingGraph &graph, const std::vector<Unit> &units,
                                const Hypergraph &hypergraph,
                                const std::vector<uint64_t> &rowsOfNet, const Crossbar &crossbar) {
  std::vector<uint32_t> layers = layersOf(graph, units);
  Groups groups(units.size());
  for (uint32_t net = 0; net < hypergraph.nets(); ++net)
    for (VertexId reader : hypergraph.readers[net])
      groups.join(layers[hypergraph.readers[net].front()], layers[reader]);

  std::map<uint32_t, std::vector<VertexId>> members;
  for (VertexId v = 0; v < hypergraph.vertices(); ++v)
    members[groups.find(layers[v])].push_back(v);
  std::map<uint32_t, uint64_t> rows;
  for (uint32_t net = 0; net < hypergraph.nets(); ++net)
    if (!hypergraph.readers[net].empty())
      rows[groups.find(layers[hypergraph.readers[net].front()])] += rowsOfNet[net];
  std::vector<UnitKind> kinds;
  for (const auto &[group, own] : members)
    kinds.push_back({own.size(), rows[group], KindRows(hypergraph, own, crossbar).run()});
  return kinds;
}

} // namespace spindle
