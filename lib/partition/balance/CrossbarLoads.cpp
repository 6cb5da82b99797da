#include "lib/partition/balance/CrossbarLoads.h"

#include <algorithm>
#include <cmath>

namespace spindle {

CrossbarLoads::CrossbarLoads(const Hypergraph &hypergraph, const StepLoads &stepLoads,
                             const SpikePrices &spikePrices, std::vector<ClusterId> assignment,
                             uint32_t count)
    : graph(hypergraph), loads(stepLoads), prices(spikePrices), steps(loads.steps()),
      cluster(std::move(assignment)), slot(graph.vertices()), members(count), rowsUsed(count),
      readers(uint64_t(graph.nets()) * count), listeners(graph.nets()),
      busy(kLoadKinds * (size_t(count) + 1) * steps), sums(steps) {
  for (VertexId v = 0; v < graph.vertices(); ++v)
    place(v, cluster[v]);
  for (VertexId v = 0; v < graph.vertices(); ++v)
    for (uint32_t net : graph.pins[v])
      hear(net, cluster[v]);
  perUnit = 1 / std::max(1.0, *std::ranges::max_element(busy));
  refresh();
  keep();
}

void CrossbarLoads::refresh() {
  std::ranges::fill(sums, 0);
  for (size_t at = 0; at < busy.size(); ++at)
    sums[at % steps] += powered(busy[at]);
}

double CrossbarLoads::smoothCycles() const {
  double cycles = 0;
  for (size_t step = 0; step < steps; ++step)
    cycles +=
        loads.weights[step] * std::sqrt(std::sqrt(std::sqrt(std::sqrt(std::max(sums[step], 0.0)))));
  return cycles / perUnit;
}

double CrossbarLoads::slowestCycles(llvm::ArrayRef<LoadKind> of) const {
  std::vector<double> slowest(steps);
  for (LoadKind kind : of)
    for (ClusterId c = 0; c <= clusters(); ++c) // the last is the host
      for (size_t step = 0; step < steps; ++step)
        slowest[step] = std::max(slowest[step], busy[loadAt(kind, c) + step]);
  double cycles = 0;
  for (size_t step = 0; step < steps; ++step)
    cycles += loads.weights[step] * slowest[step];
  return cycles;
}

void CrossbarLoads::addRow(LoadKind kind, ClusterId c, const std::vector<float> &all, VertexId v,
                           double sign) {
  touches += steps;
  const float *own = all.data() + size_t(v) * steps;
  size_t at = loadAt(kind, c);
  double *load = busy.data() + at, *sum = sums.data();
  Change *change = changes.grow(steps);
  for (size_t step = 0; step < steps; ++step)
    change[step] = {at + step, load[step]};
  for (size_t step = 0; step < steps; ++step) {
    double before = load[step], after = before + sign * double(own[step]);
    load[step] = after;
    sum[step] += powered(after) - powered(before);
  }
}

void CrossbarLoads::addUnit(VertexId v, ClusterId c, double sign) {
  if (isUndoing)
    return;
  addRow(LoadKind::Reads, c, loads.reads, v, sign);
  addRow(LoadKind::Updates, c, loads.updates, v, sign);
}

void CrossbarLoads::addSpikes(LoadKind kind, ClusterId c, uint32_t net, double cycles) {
  if (cycles == 0 || isUndoing)
    return;
  std::span<const StepLoads::Spikes> spikes = loads.spikesOf(net);
  size_t at = loadAt(kind, c);
  touches += spikes.size();
  Change *change = changes.grow(spikes.size());
  for (StepLoads::Spikes each : spikes) {
    double &load = busy[at + each.step];
    *change++ = {at + each.step, load};
    double after = load + cycles * each.spikes;
    sums[each.step] += powered(after) - powered(load);
    load = after;
  }
}

double CrossbarLoads::portShare(uint32_t others) const {
  return loads.isMulticast ? std::min(others, 1u) : others;
}

/// All that the spikes of a neuron of this home take there and on their ways, or (−1) no longer.
void CrossbarLoads::settle(uint32_t net, ClusterId home, int sign) {
  auto spikes = double(graph.spikes[net]) * sign;
  if (spikes == 0 || isUndoing)
    return;
  uint32_t own = readersOf(net, home) > 0, others = listeners[net] - own;
  price += spikes * (prices.own * own + prices.other * others);
  addSpikes(LoadKind::Updates, home, net, sign * loads.axon * listeners[net]);
  addSpikes(LoadKind::PortOut, home, net, sign * loads.portOut * portShare(others));
  if (loads.portIn == 0)
    return;
  touches += clusters();
  for (ClusterId c = 0; c < clusters(); ++c)
    if (c != home && readersOf(net, c) > 0)
      addSpikes(LoadKind::PortIn, c, net, sign * loads.portIn);
}

/// One crossbar more that reads the net, or one less.
void CrossbarLoads::countListener(uint32_t net, ClusterId c, int sign) {
  rowsUsed[c] += uint32_t(sign);
  uint32_t before = listeners[net];
  listeners[net] += uint32_t(sign);
  if (graph.spikes[net] == 0)
    return;
  addSpikes(LoadKind::Reads, c, net, sign * loads.row);
  auto spikes = double(graph.spikes[net]) * sign;
  VertexId driver = graph.driver[net];
  if (driver == kNone) {
    price += spikes * prices.host;
    addSpikes(LoadKind::PortOut, clusters(), net,
              loads.hostPortOut * (portShare(listeners[net]) - portShare(before)));
    return;
  }
  ClusterId home = cluster[driver];
  if (home == kNone)
    return; // it moves, and is settled then
  price += spikes * (c == home ? prices.own : prices.other);
  addSpikes(LoadKind::Updates, home, net, sign * loads.axon);
  if (c == home)
    return;
  uint32_t own = readersOf(net, home) > 0;
  addSpikes(LoadKind::PortOut, home, net,
            loads.portOut * (portShare(listeners[net] - own) - portShare(before - own)));
  addSpikes(LoadKind::PortIn, c, net, sign * loads.portIn);
}

void CrossbarLoads::hear(uint32_t net, ClusterId c) {
  if (readersOf(net, c)++ == 0)
    countListener(net, c, 1);
}

void CrossbarLoads::forget(uint32_t net, ClusterId c) {
  if (--readersOf(net, c) == 0)
    countListener(net, c, -1);
}

void CrossbarLoads::place(VertexId v, ClusterId c) {
  cluster[v] = c;
  slot[v] = uint32_t(members[c].size());
  members[c].push_back(v);
  addUnit(v, c, 1);
}

void CrossbarLoads::take(VertexId v) {
  std::vector<VertexId> &others = members[cluster[v]];
  addUnit(v, cluster[v], -1);
  others[slot[v]] = others.back();
  slot[others.back()] = slot[v];
  others.pop_back();
  cluster[v] = kNone;
}

void CrossbarLoads::shift(VertexId v, ClusterId to) {
  ClusterId from = cluster[v];
  for (uint32_t net : graph.driven[v])
    settle(net, from, -1);
  take(v);
  touches += 4 * graph.pins[v].size(); // far from each other
  for (uint32_t net : graph.pins[v]) {
    forget(net, from);
    hear(net, to);
  }
  place(v, to);
  for (uint32_t net : graph.driven[v])
    settle(net, to, 1);
}

void CrossbarLoads::move(VertexId v, ClusterId to) {
  moves.push_back({v, cluster[v]});
  shift(v, to);
}

void CrossbarLoads::keep() {
  changes.clear();
  moves.clear();
  keptSums = sums;
  keptPrice = price;
}

void CrossbarLoads::undo() {
  isUndoing = true;
  for (size_t n = moves.size(); n-- > 0;)
    shift(moves[n].first, moves[n].second);
  isUndoing = false;
  for (size_t n = changes.size(); n-- > 0;)
    busy[changes[n].at] = changes[n].before;
  sums = keptSums;
  price = keptPrice;
  changes.clear();
  moves.clear();
}

} // namespace spindle
