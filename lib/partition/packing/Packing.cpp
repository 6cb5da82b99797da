#include "lib/partition/packing/Packing.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace spindle {

CrossbarWork workOf(const Hypergraph &graph, VertexId v, double steps) {
  return {steps * graph.columns[v], double(graph.rowReads[v]),
          SynapsesByKind<double>(graph.cells[v]), double(graph.sums[v])};
}

Packing::Packing(const Hypergraph &hypergraph, const PackingRules &rules)
    : graph(&hypergraph), rule(rules), cluster(hypergraph.vertices(), kNone),
      slot(hypergraph.vertices()), reaches(hypergraph.readers.members.size()),
      reachCount(hypergraph.nets(), 0) {}

Packing::Packing(const Hypergraph &fine, const std::vector<VertexId> &coarseOf,
                 const Packing &coarse)
    : Packing(fine, coarse.rule) {
  while (clusters() < coarse.clusters())
    open();
  for (VertexId v = 0; v < fine.vertices(); ++v)
    place(v, coarse.clusterOf(coarseOf[v]));
}

ClusterId Packing::open() {
  rowsUsed.push_back(0);
  columnsUsed.push_back(0);
  works.emplace_back();
  held.emplace_back(graph->uses.size());
  placed.emplace_back();
  tallies.emplace_back();
  return clusters() - 1;
}

void Packing::close(ClusterId c) {
  assert(placed[c].empty() && "only an empty cluster is closed");
  ClusterId last = clusters() - 1;
  const std::vector<VertexId> moved = placed[last];
  for (VertexId v : moved)
    lift(v);
  if (c != last)
    for (VertexId v : moved)
      place(v, c);
  rowsUsed.pop_back();
  columnsUsed.pop_back();
  works.pop_back();
  held.pop_back();
  placed.pop_back();
  tallies.pop_back();
}

CrossbarWork Packing::workWith(VertexId v, const Offer &offer) const {
  CrossbarWork work = works[offer.cluster];
  work.columnUpdates += rule.steps * graph->columns[v];
  work.rowReads += double(offer.newRowReads);
  work.cells += SynapsesByKind<double>(graph->cells[v]);
  work.partialSums += double(graph->sums[v]);
  return work;
}

bool Packing::hasRoom(VertexId v, ClusterId c) const {
  for (size_t k = 0; k < graph->uses.size(); ++k) {
    const SharedUse &use = graph->uses[k];
    const Held &here = held[c][k];
    uint64_t size = here.size;
    for (uint32_t item : use.items[v])
      size += here.users.contains(item) ? 0 : use.sizes[item];
    if (size > use.limit)
      return false;
  }
  return true;
}

void Packing::use(VertexId v, ClusterId c) {
  for (size_t k = 0; k < graph->uses.size(); ++k)
    for (uint32_t item : graph->uses[k].items[v])
      if (held[c][k].users[item]++ == 0)
        held[c][k].size += graph->uses[k].sizes[item];
}

void Packing::release(VertexId v, ClusterId c) {
  for (size_t k = 0; k < graph->uses.size(); ++k)
    for (uint32_t item : graph->uses[k].items[v])
      if (auto user = held[c][k].users.find(item); --user->second == 0) {
        held[c][k].users.erase(user);
        held[c][k].size -= graph->uses[k].sizes[item];
      }
}

bool Packing::isRead(uint32_t net, ClusterId c) {
  return std::ranges::any_of(reachOf(net), [&](const Reach &reach) { return reach.cluster == c; });
}

void Packing::place(VertexId v, ClusterId c) {
  assert(cluster[v] == kNone && graph->columns[v] <= freeColumns(c));
  cluster[v] = c;
  slot[v] = static_cast<uint32_t>(placed[c].size());
  placed[c].push_back(v);
  columnsUsed[c] += graph->columns[v];
  use(v, c);
  CrossbarWork &work = works[c];
  work.columnUpdates += rule.steps * graph->columns[v];
  work.cells += SynapsesByKind<double>(graph->cells[v]);
  work.partialSums += double(graph->sums[v]);
  for (uint32_t net : graph->driven[v])
    if (isRead(net, c))
      spikes -= graph->spikes[net];
  for (uint32_t net : graph->pins[v]) {
    std::span<Reach> reach = reachOf(net);
    auto here = std::ranges::find(reach, c, &Reach::cluster);
    if (here != reach.end()) {
      ++here->readers;
      continue;
    }
    reaches[graph->readers.offsets[net] + reachCount[net]++] = {c, 1};
    rowsUsed[c] += graph->rowsOfNet(net);
    rowsInAll += graph->rowsOfNet(net);
    work.rowReads += double(graph->spikes[net]);
    if (home(net) != c)
      spikes += graph->spikes[net];
  }
  assert(rowsUsed[c] <= rule.crossbar.rows && "the vertex fits");
}

void Packing::lift(VertexId v) {
  ClusterId c = cluster[v];
  CrossbarWork &work = works[c];
  work.columnUpdates -= rule.steps * graph->columns[v];
  work.cells -= SynapsesByKind<double>(graph->cells[v]);
  work.partialSums -= double(graph->sums[v]);
  for (uint32_t net : graph->pins[v]) {
    std::span<Reach> reach = reachOf(net);
    auto here = std::ranges::find(reach, c, &Reach::cluster);
    if (--here->readers > 0)
      continue;
    *here = reach.back();
    --reachCount[net];
    rowsUsed[c] -= graph->rowsOfNet(net);
    rowsInAll -= graph->rowsOfNet(net);
    work.rowReads -= double(graph->spikes[net]);
    if (home(net) != c)
      spikes -= graph->spikes[net];
  }
  for (uint32_t net : graph->driven[v])
    if (isRead(net, c))
      spikes += graph->spikes[net];
  columnsUsed[c] -= graph->columns[v];
  release(v, c);
  VertexId last = placed[c].back();
  placed[c][slot[v]] = last;
  slot[last] = slot[v];
  placed[c].pop_back();
  cluster[v] = kNone;
}

const std::vector<Offer> &Packing::offers(VertexId v) {
  found.clear();
  auto tally = [&](ClusterId c, uint32_t sharedRows, uint64_t sharedReads, uint64_t savedSpikes) {
    Tally &t = tallies[c];
    if (!t.touched) {
      t.touched = true;
      found.push_back({c, 0, 0, 0, 0});
    }
    t.sharedRows += sharedRows;
    t.sharedRowReads += sharedReads;
    t.savedSpikes += savedSpikes;
  };
  uint64_t allSpikes = 0;
  for (uint32_t net : graph->pins[v]) {
    ClusterId homeCluster = home(net);
    bool own = graph->driver[net] == v; // at home wherever the vertex goes
    uint64_t weight = own ? 0 : graph->spikes[net];
    allSpikes += weight;
    bool homeReads = false;
    for (const Reach &reach : reachOf(net)) {
      tally(reach.cluster, graph->rowsOfNet(net), graph->spikes[net], weight);
      homeReads |= reach.cluster == homeCluster;
    }
    if (homeCluster != kNone && !homeReads)
      tally(homeCluster, 0, 0, weight);
  }
  for (uint32_t net : graph->driven[v])
    for (const Reach &reach : reachOf(net))
      tally(reach.cluster, 0, 0, graph->spikes[net]);
  uint32_t rows = graph->rowsOf(v);
  for (Offer &offer : found) {
    Tally &t = tallies[offer.cluster];
    offer.newRows = rows - t.sharedRows;
    offer.newRowReads = graph->rowReads[v] - t.sharedRowReads;
    offer.addedSpikes = int64_t(allSpikes) - int64_t(t.savedSpikes);
    offer.cost = rule.costOf(offer.addedSpikes, offer.newRows);
    t = {};
  }
  return found;
}

Offer Packing::offer(VertexId v, ClusterId c) {
  Offer result{c, 0, 0, 0, 0};
  for (uint32_t net : graph->pins[v])
    if (!isRead(net, c)) {
      result.newRows += graph->rowsOfNet(net);
      result.newRowReads += graph->spikes[net];
      if (home(net) != c && graph->driver[net] != v)
        result.addedSpikes += int64_t(graph->spikes[net]);
    }
  for (uint32_t net : graph->driven[v])
    if (isRead(net, c))
      result.addedSpikes -= int64_t(graph->spikes[net]);
  result.cost = rule.costOf(result.addedSpikes, result.newRows);
  return result;
}

Offer Packing::untiedOffer(VertexId v, ClusterId c) const {
  uint32_t rows = graph->rowsOf(v);
  int64_t added = 0;
  for (uint32_t net : graph->pins[v])
    added += graph->driver[net] == v ? 0 : int64_t(graph->spikes[net]);
  return {c, rows, graph->rowReads[v], added, rule.costOf(added, rows)};
}

uint64_t Packing::visitsOfAllOffers() const {
  uint64_t visits = 0;
  for (uint32_t net = 0; net < graph->nets(); ++net)
    visits += graph->readers[net].size() * reachCount[net];
  return visits;
}

std::optional<Offer> Packing::bestOffer(VertexId v, ClusterId except) {
  std::optional<Offer> best;
  auto rank = [](const Offer &offer) { return std::pair(offer.cost, offer.cluster); };
  for (const Offer &offer : offers(v))
    if (offer.cluster != except && fits(v, offer) && (!best || rank(offer) < rank(*best)))
      best = offer;
  return best;
}

} // namespace spindle
