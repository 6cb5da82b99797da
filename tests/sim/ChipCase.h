// A mapped network and its spikes, small enough to write by hand or drawn at random; what can be
// counted is counted here by definition, so that the noun's own verifiers accept it.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/network/SpikeTrace.h"
#include "core/support/CounterRandom.h"

#include <algorithm>
#include <map>
#include <set>

namespace spindle {

struct ChipCase {
  Chip chip;
  Clustering clustering;
  Mapping mapping;
  SpikeTrace trace;

  /// A mesh with prices that are all different powers of two, so that a sum shows its parts.
  static Chip pricedChip(Mesh mesh, uint32_t crossbarsPerTile = 1) {
    Chip chip;
    chip.name = "test";
    chip.mesh = mesh;
    chip.router.virtualChannels = mesh.wraps() ? 2 : 1; // what routing xy needs
    chip.crossbarsPerTile = crossbarsPerTile;
    chip.crossbar = {.rows = 64, .columns = 64, .weightBits = 8};
    chip.clockMhz = {500, "clock"};
    chip.energy = {.hopXPj = {1, "x"},
                   .hopYPj = {2, "y"},
                   .axonOutPj = {4, "out"},
                   .axonInPj = {8, "in"},
                   .synapsePj = {16, "synapse"},
                   .neuronUpdatePj = {32, "update"},
                   .partialSumPj = {0, "sum"},
                   .neuronSpikePj = {64, "spike"},
                   .stepBarrierPj = {128, "barrier"},
                   .leakageTileMw = {0.25, "leakage"},
                   .leakageRouterMw = {},
                   .leakageGatedRouterMw = {},
                   .routerWakePj = {}};
    chip.latency = {.rowReadCycles = {10, "read"},
                    .synapseCycles = {0, "cell"},
                    .partialSumCycles = {10, "sum"},
                    .neuronUpdateCycles = {1, "update"},
                    .stepBarrierCycles = {100, "barrier"},
                    .stepBarrierTileCycles = {}};
    return chip;
  }

  /// Two populations: `inputs` of the host, then `neurons` with columns. One sample without spikes.
  ChipCase(Chip target, uint32_t inputs, uint32_t neurons, uint32_t clusters, uint32_t steps)
      : chip(std::move(target)) {
    if (inputs > 0)
      trace.populations.push_back({"in", PopulationKind::Input, {inputs}, 0, inputs});
    trace.populations.push_back({"layer", PopulationKind::Neuron, {neurons}, inputs, neurons});
    trace.steps = clustering.steps = steps;
    trace.recorded.resize(1);
    clustering.algorithm = "by hand";
    clustering.rows = chip.crossbar.rows;
    clustering.columns = chip.crossbar.columns;
    clustering.neurons = inputs + neurons;
    clustering.clusters.resize(clusters);
    mapping.algorithm = "by hand";
    mapping.chip = chip.name;
    mapping.mesh = chip.mesh;
  }

  void spike(size_t sample, uint32_t step, NeuronId neuron) {
    trace.recorded[sample].push_back({step, neuron});
  }

  /// Fills in every count and link; call it once units, axons, placements and spikes are there.
  void complete() {
    uint64_t samples = trace.samples = trace.recorded.size();
    clustering.samples = static_cast<uint32_t>(samples);
    trace.counts.assign(clustering.neurons, 0);
    for (std::vector<Spike> &spikes : trace.recorded) {
      std::sort(spikes.begin(), spikes.end());
      for (const Spike &spike : spikes)
        ++trace.counts[spike.neuron];
    }
    std::vector<ClusterId> home(clustering.neurons, kNone);
    std::map<std::pair<ClusterId, ClusterId>, ClusterLink> links;
    auto link = [&](ClusterId from, ClusterId to) -> ClusterLink & {
      return links.try_emplace({from, to}, ClusterLink{from, to, 0, 0}).first->second;
    };
    for (const Unit &unit : clustering.units) {
      ++clustering.clusters[unit.cluster].units;
      clustering.clusters[unit.cluster].neurons += unit.carryTo == kNone;
      if (unit.carryTo == kNone)
        home[unit.neuron] = unit.cluster;
      else if (ClusterId next = clustering.units[unit.carryTo].cluster; next != unit.cluster)
        link(unit.cluster, next).partialSums += samples * trace.steps;
    }
    for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
      for (Axon &axon : clustering.clusters[c].axons) {
        axon.spikes = trace.counts[axon.neuron];
        clustering.clusters[c].synapses += axon.synapses.all();
        if (home[axon.neuron] != c)
          link(home[axon.neuron], c).spikes += axon.spikes;
      }
    for (const auto &entry : links) {
      const ClusterLink &l = entry.second;
      clustering.links.push_back(l);
      clustering.cutSpikes += l.from == kNone ? 0 : l.spikes;
      TileId to = mapping.placements[l.to].tile;
      TileId from = sourceTile(l.from, to);
      mapping.routes.push_back({l.from, l.to, chip.mesh.route(from, to)});
      mapping.spikeHops += (l.spikes + l.partialSums) * chip.mesh.hops(from, to);
    }
  }

  /// By definition: no tile of the host is nearer, none that is as near comes before.
  TileId sourceTile(ClusterId from, TileId to) const {
    if (from != kNone)
      return mapping.placements[from].tile;
    TileId nearest = chip.mesh.hostTiles.front();
    for (TileId host : chip.mesh.hostTiles)
      if (chip.mesh.route(host, to).size() < chip.mesh.route(nearest, to).size())
        nearest = host;
    return nearest;
  }

  /// Clusters of random size with random axons, a third of the neurons divided.
  static ChipCase random(uint64_t seed, Mesh mesh, uint32_t crossbarsPerTile, uint32_t clusters,
                         FanInShape shape = FanInShape::Rows) {
    CounterRandom draw(seed);
    constexpr uint32_t inputs = 20, neurons = 80, steps = 12, samples = 3;
    ChipCase made(pricedChip(mesh, crossbarsPerTile), inputs, neurons, clusters, steps);
    made.clustering.shape = shape;
    for (NeuronId n = inputs; n < inputs + neurons; ++n)
      for (uint32_t left = draw.below(3) == 0 ? 1 + draw.below(4) : 1; left > 0; --left) {
        // The first units visit every cluster, so that none stays empty.
        ClusterId c = n - inputs < clusters && left == 1 ? n - inputs : draw.below(clusters);
        auto unit = static_cast<UnitId>(made.clustering.units.size());
        made.clustering.units.push_back({n, c, carryTarget(shape, unit, unit + left - 1)});
      }
    for (ClusterId c = 0; c < clusters; ++c)
      for (NeuronId n = 0; n < inputs + neurons; ++n)
        if (draw.below(8) == 0)
          made.clustering.clusters[c].axons.push_back({n, 1, 0});
    std::set<std::pair<TileId, uint32_t>> taken;
    while (made.mapping.placements.size() < clusters) {
      Placement place{draw.below(mesh.tiles()), draw.below(crossbarsPerTile)};
      if (taken.insert({place.tile, place.crossbar}).second)
        made.mapping.placements.push_back(place);
    }
    made.trace.recorded.resize(samples);
    for (uint32_t sample = 0; sample < samples; ++sample)
      for (uint32_t step = 0; step < steps; ++step)
        for (NeuronId n = 0; n < inputs + neurons; ++n)
          if (draw.below(20) == 0)
            made.spike(sample, step, n);
    made.complete();
    return made;
  }
};

} // namespace spindle
