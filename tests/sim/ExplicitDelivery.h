// A network of whole numbers, and what a free-running chip delivers of it, weight by weight: the
// oracle of DeliveredChip.
#pragma once

#include "core/chip/RouterTiming.h"
#include "core/chip/assessment/DeliveryCounts.h"
#include "core/network/SpikingGraph.h"
#include "core/network/SteppedNetwork.h"
#include "tests/sim/ChipCase.h"

#include <map>

namespace spindle {

/// Integrate-and-fire with whole numbers, so that sums do not depend on their order.
struct IntegerLayers {
  SpikingGraph graph;
  std::vector<std::vector<std::vector<bool>>> inputs; // per sample and step, of the host's neurons
  int threshold = 8;

  SynapseKind kindOf(NeuronId source, NeuronId target) const {
    for (const ProjectionKind &each : graph.projections) {
      const Population &from = graph.populations[each.from], &to = graph.populations[each.to];
      if (source - from.first < from.size && target - to.first < to.size)
        return each.kind;
    }
    return SynapseKind::Unknown;
  }
};

/// The network as a chip steps it.
class ToyNetwork final : public SteppedNetwork {
public:
  explicit ToyNetwork(const IntegerLayers &layers) : given(layers) {}

  const std::vector<Population> &populations() const override { return given.graph.populations; }
  llvm::Error begin(size_t index) override {
    sample = index;
    membranes.assign(given.graph.neurons(), 0);
    made.clear();
    return llvm::Error::success();
  }
  std::vector<NeuronId> step(size_t population, uint32_t t, llvm::ArrayRef<float> extra) override {
    const Population &layer = given.graph.populations[population];
    made.resize(std::max<size_t>(made.size(), t + 1), std::vector<bool>(given.graph.neurons()));
    std::vector<NeuronId> spikes;
    for (NeuronId n = layer.first; n < layer.first + layer.size; ++n) {
      float current = extra.empty() ? 0 : extra[n - layer.first];
      for (uint64_t s = given.graph.offsets[n]; s < given.graph.offsets[n + 1]; ++s)
        current += made[t][given.graph.sources[s]] ? given.graph.weights[s] : 0;
      bool isSpike = layer.kind == PopulationKind::Input ? bool(given.inputs[sample][t][n])
                                                         : fires(n, current);
      made[t][n] = isSpike;
      if (isSpike)
        spikes.push_back(n);
    }
    return spikes;
  }
  std::vector<uint32_t> answers(uint32_t) override { return {}; }

  std::vector<std::vector<bool>> made; // per step and neuron

private:
  bool fires(NeuronId n, float current) {
    membranes[n] += current;
    if (membranes[n] < float(given.threshold))
      return false;
    membranes[n] -= float(given.threshold);
    return true;
  }

  const IntegerLayers &given;
  size_t sample = 0;
  std::vector<float> membranes;
};

/// Weights that lie where they have been read: no step is computed twice, none is corrected.
class ExplicitDelivery {
public:
  ExplicitDelivery(const IntegerLayers &layers, const ChipCase &made, uint64_t cycles,
                   LateSpikes rule, uint64_t latency, size_t index)
      : given(layers), chip(made), stepCycles(cycles), late(rule), hopCycles(latency),
        sample(index), steps(static_cast<uint32_t>(layers.inputs[index].size())),
        offsets(unitOffsets(given.graph, chip.clustering.units)), inbox(units().size()),
        ideal(units().size()), free(chip.clustering.clusters.size()),
        spikes(steps, std::vector<bool>(given.graph.neurons())),
        counts(given.graph.populations.size()), membranes(given.graph.neurons()) {
    for (auto &box : inbox)
      box.assign(steps, 0);
    for (auto &box : ideal)
      box.assign(steps, 0);
    findLags();
  }

  void run() {
    for (uint64_t slot = 0; slot < steps + deepest; ++slot) {
      sendSums(slot);
      for (size_t p = 0; p < given.graph.populations.size(); ++p)
        if (slot >= depths[p] && slot - depths[p] < steps)
          workPopulation(p, slot, static_cast<uint32_t>(slot - depths[p]));
      readRows(slot);
    }
    for (const Row &row : rows) // on their way when the sample ends
      finish(row, UINT64_MAX / 2);
  }

  std::vector<std::vector<bool>> spikesMade() const { return spikes; }
  std::vector<DeliveryCounts> countsMade() const { return counts; }

private:
  struct Row {
    uint64_t cycle, order, slot, readCycles;
    ClusterId cluster;
    NeuronId neuron; // of a spike
    uint32_t step;
    std::vector<std::pair<UnitId, double>> sums; // or these
  };

  const std::vector<Unit> &units() const { return chip.clustering.units; }
  size_t populationOf(NeuronId n) const {
    size_t p = 0;
    while (n >= given.graph.populations[p].first + given.graph.populations[p].size)
      ++p;
    return p;
  }
  bool comesBy(UnitId from, UnitId by) const {
    while (from != kNone && from != by)
      from = units()[from].carryTo;
    return from == by;
  }
  uint32_t passesOf(UnitId u) const {
    uint32_t passes = 0;
    for (; units()[u].carryTo != kNone; u = units()[u].carryTo)
      passes += units()[u].cluster != units()[units()[u].carryTo].cluster;
    return passes;
  }
  void findLags() {
    depths.assign(given.graph.populations.size(), 0);
    for (UnitId u = 0; u < units().size(); ++u) { // ascending neuron: drivers come before
      size_t p = populationOf(units()[u].neuron);
      uint32_t most = 0;
      for (UnitId v = 0; v < units().size(); ++v)
        if (populationOf(units()[v].neuron) == p)
          most = std::max(most, passesOf(v));
      for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
        depths[p] = std::max(depths[p], depths[populationOf(given.graph.sources[s])] + 1 + most);
    }
    for (UnitId u = 0; u < units().size(); ++u)
      lags.push_back(depths[populationOf(units()[u].neuron)] - passesOf(u));
    deepest = *std::max_element(depths.begin(), depths.end());
  }
  uint64_t updated(uint64_t slot, UnitId unit) const {
    uint64_t column = 0;
    for (UnitId u = 0; u < units().size(); ++u)
      column += units()[u].cluster == units()[unit].cluster && isBefore(u, unit);
    return slot * stepCycles + (column + 1) * uint64_t(chip.chip.latency.neuronUpdateCycles.value);
  }
  /// Whether a unit is updated before another one of its cluster.
  bool isBefore(UnitId u, UnitId other) const {
    bool areSorted = chip.clustering.order == ColumnOrder::SpikesFirst;
    uint64_t own = areSorted ? packetsForOthers(u) : 0,
             others = areSorted ? packetsForOthers(other) : 0;
    return own > others || (own == others && u < other);
  }
  uint64_t packetsForOthers(UnitId u) const {
    const Unit &unit = units()[u];
    if (unit.carryTo != kNone) // before what it carries to
      return units()[unit.carryTo].cluster == unit.cluster
                 ? packetsForOthers(unit.carryTo)
                 : uint64_t(chip.clustering.samples) * chip.clustering.steps;
    uint64_t packets = 0;
    for (ClusterId c = 0; c < chip.clustering.clusters.size(); ++c)
      for (const Axon &axon : chip.clustering.clusters[c].axons)
        packets += c != unit.cluster && axon.neuron == unit.neuron ? axon.spikes : 0;
    return packets;
  }
  TileId tile(ClusterId c) const { return chip.mapping.placements[c].tile; }
  bool hears(ClusterId c, NeuronId n) const {
    for (const Axon &axon : chip.clustering.clusters[c].axons)
      if (axon.neuron == n)
        return true;
    return false;
  }
  double cellCycles(ClusterId c, NeuronId n) const {
    double cycles = 0;
    for (UnitId u = 0; u < units().size(); ++u)
      for (uint64_t s = offsets[u]; s < offsets[u + 1] && units()[u].cluster == c; ++s)
        if (given.graph.sources[s] == n)
          cycles += chip.chip.latency.synapseCyclesOf(given.kindOf(n, units()[u].neuron));
    return cycles;
  }
  void add(Row row, ClusterId from) {
    uint64_t hops =
        chip.chip.mesh.hops(chip.sourceTile(from, tile(row.cluster)), tile(row.cluster));
    row.cycle += hops == 0 ? 0 : hopCycles * (hops + 1) + 2;
    row.order = rowsMade++;
    rows.push_back(std::move(row));
  }

  void sendSums(uint64_t slot) {
    std::map<std::pair<ClusterId, ClusterId>, Row> vectors;
    for (UnitId u = 0; u < units().size(); ++u) {
      const Unit &unit = units()[u];
      if (unit.carryTo == kNone || slot < lags[u] || slot - lags[u] >= steps)
        continue;
      auto t = static_cast<uint32_t>(slot - lags[u]);
      for (UnitId v = 0; v <= u; ++v)
        for (uint64_t s = offsets[v]; comesBy(v, u) && s < offsets[v + 1]; ++s)
          ideal[u][t] += spikes[t][given.graph.sources[s]] ? double(given.graph.weights[s]) : 0;
      bool hasHeard = carriedTo.count({u, t}) || inbox[u][t] != ideal[u][t];
      for (const Axon &axon : chip.clustering.clusters[unit.cluster].axons)
        hasHeard |= spikes[t][axon.neuron];
      if (!hasHeard)
        continue;
      carriedTo[{unit.carryTo, t}] = true;
      ClusterId next = units()[unit.carryTo].cluster;
      if (next == unit.cluster) {
        inbox[unit.carryTo][t] += inbox[u][t];
        continue;
      }
      Row row{updated(slot, u), 0, slot, uint64_t(partialSumCycles()), next, 0, t, {}};
      row.sums = {{u, inbox[u][t]}};
      if (chip.clustering.sums != PartialSums::Vector) {
        add(std::move(row), unit.cluster);
        continue;
      }
      auto [place, isNew] = vectors.try_emplace({unit.cluster, next}, row);
      if (isNew)
        continue;
      place->second.cycle = std::max(place->second.cycle, row.cycle);
      place->second.readCycles += row.readCycles;
      place->second.sums.push_back(row.sums.front());
    }
    for (auto &[ends, row] : vectors)
      add(std::move(row), ends.first);
  }
  double partialSumCycles() const { return chip.chip.latency.partialSumCycles.value; }

  void workPopulation(size_t p, uint64_t slot, uint32_t t) {
    const Population &layer = given.graph.populations[p];
    for (NeuronId n = layer.first; n < layer.first + layer.size; ++n) {
      UnitId last = kNone;
      for (UnitId u = 0; u < units().size(); ++u)
        if (units()[u].neuron == n)
          last = u;
      if (layer.kind == PopulationKind::Input) {
        if (!given.inputs[sample][t][n])
          continue;
      } else {
        membranes[n] += inbox[last][t];
        if (membranes[n] < given.threshold)
          continue;
        membranes[n] -= given.threshold;
      }
      spikes[t][n] = true;
      ClusterId from = last == kNone ? kNone : units()[last].cluster;
      std::vector<std::pair<TileId, ClusterId>> targets;
      for (ClusterId c = 0; c < chip.clustering.clusters.size(); ++c)
        if (hears(c, n))
          targets.push_back({tile(c), c});
      std::sort(targets.begin(), targets.end());
      for (auto [at, c] : targets)
        add({last == kNone ? slot * stepCycles : updated(slot, last),
             0,
             slot,
             uint64_t(chip.chip.latency.rowReadCycles.value + cellCycles(c, n)),
             c,
             n,
             t,
             {}},
            from);
    }
  }

  void readRows(uint64_t slot) {
    std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
      return std::pair(a.cycle, a.order) < std::pair(b.cycle, b.order);
    });
    while (!rows.empty() && rows.front().cycle < (slot + 1) * stepCycles) {
      Row row = rows.front();
      rows.erase(rows.begin());
      uint64_t &done = free[row.cluster];
      done = std::max(done, row.cycle) + row.readCycles;
      finish(row, (done - 1) / stepCycles);
    }
  }

  /// Where what a row holds counts, once it is read in a slot.
  void finish(const Row &row, uint64_t slot) {
    bool isLate = false, isLost = false;
    auto put = [&](UnitId unit, double value, uint64_t t, uint64_t dueSlot) {
      if (slot > dueSlot) {
        isLate = true;
        t = slot + 1 - lags[unit];
        if (late == LateSpikes::Drop || t >= steps) {
          isLost = true;
          return;
        }
      }
      inbox[unit][t] += value;
    };
    for (auto [unit, value] : row.sums)
      put(units()[unit].carryTo, value, row.slot - lags[unit], row.slot);
    for (UnitId u = 0; row.sums.empty() && u < units().size(); ++u)
      for (uint64_t s = offsets[u]; units()[u].cluster == row.cluster && s < offsets[u + 1]; ++s)
        if (given.graph.sources[s] == row.neuron)
          put(u, given.graph.weights[s], row.step, row.step + lags[u] - 1);
    if (row.sums.empty()) {
      DeliveryCounts &count = counts[populationOf(row.neuron)];
      ++count.spikes;
      count.lateSpikes += isLate;
      count.lostSpikes += isLost;
    }
    for (auto [unit, value] : row.sums) {
      DeliveryCounts &count = counts[populationOf(units()[unit].neuron)];
      ++count.sums;
      count.lateSums += isLate;
      count.lostSums += isLost;
    }
  }

  const IntegerLayers &given;
  const ChipCase &chip;
  uint64_t stepCycles;
  LateSpikes late;
  uint64_t hopCycles;
  size_t sample;
  uint32_t steps;
  std::vector<uint64_t> offsets;
  std::vector<std::vector<double>> inbox, ideal; // per unit and step
  std::vector<uint64_t> free;
  std::vector<std::vector<bool>> spikes;
  std::vector<DeliveryCounts> counts;
  std::vector<double> membranes;
  std::vector<uint32_t> depths, lags;
  uint32_t deepest = 0;
  std::map<std::pair<UnitId, uint32_t>, bool> carriedTo;
  std::vector<Row> rows;
  uint64_t rowsMade = 0;
};

} // namespace spindle
