#include "lib/mapping/Loads.h"

#include "core/chip/loads/InseparableClusters.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

static std::vector<ClusterId> homesOf(const Clustering &clustering) {
  std::vector<ClusterId> homes(clustering.neurons, kNone);
  for (const Unit &unit : clustering.units)
    if (unit.carryTo == kNone)
      homes[unit.neuron] = unit.cluster;
  return homes;
}

llvm::Expected<std::vector<Load>> planLoads(const Clustering &clustering, const Chip &chip) {
  uint32_t crossbars = chip.crossbars();
  std::vector<Load> loads;
  std::vector<size_t> loadOf(clustering.clusters.size());
  for (const std::vector<ClusterId> &part : inseparableClusters(clustering)) {
    if (part.size() > crossbars)
      return inputError(
          chip.path, fmt::format("{} clusters must be loaded together, since they pass partial "
                                 "sums or drive each other in a circle, and the chip has room "
                                 "for {}; use crossbars of more rows, a larger mesh, or, unless "
                                 "it is set, partition.multiplex: true, which keeps layers apart",
                                 part.size(), crossbars));
    if (loads.empty() || loads.back().clusters.size() + part.size() > crossbars)
      loads.emplace_back();
    for (ClusterId c : part) {
      loads.back().clusters.push_back(c);
      loads.back().rows += clustering.clusters[c].axons.size();
      loads.back().cells += clustering.clusters[c].synapses;
      loadOf[c] = loads.size() - 1;
    }
  }
  std::vector<size_t> placeOf(clustering.clusters.size());
  for (Load &load : loads) {
    std::sort(load.clusters.begin(), load.clusters.end());
    load.spikesOut.assign(load.clusters.size(), 0);
    for (size_t place = 0; place < load.clusters.size(); ++place)
      placeOf[load.clusters[place]] = place;
  }
  std::vector<ClusterId> homes = homesOf(clustering);
  std::vector<bool> isSent(clustering.neurons, false);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    for (const Axon &axon : clustering.clusters[c].axons) {
      ClusterId home = homes[axon.neuron];
      if (home != kNone && loadOf[home] == loadOf[c])
        continue;
      loads[loadOf[c]].spikesIn += axon.spikes;
      if (home != kNone && !isSent[axon.neuron])
        loads[loadOf[home]].spikesOut[placeOf[home]] += axon.spikes;
      isSent[axon.neuron] = true;
    }
  return loads;
}

Clustering clusteringOf(const Clustering &whole, const Load &load) {
  Clustering result = whole;
  result.units.clear();
  result.clusters.clear();
  result.links.clear();
  result.cutSpikes = 0;
  std::vector<ClusterId> number(whole.clusters.size(), kNone);
  for (ClusterId c : load.clusters) {
    number[c] = static_cast<ClusterId>(result.clusters.size());
    result.clusters.push_back(whole.clusters[c]);
  }
  std::vector<UnitId> unitOf(whole.units.size(), kNone);
  for (UnitId u = 0; u < whole.units.size(); ++u)
    if (ClusterId c = number[whole.units[u].cluster]; c != kNone) {
      unitOf[u] = static_cast<UnitId>(result.units.size());
      result.units.push_back({whole.units[u].neuron, c, whole.units[u].carryTo});
    }
  for (Unit &unit : result.units)
    unit.carryTo = unit.carryTo == kNone ? kNone : unitOf[unit.carryTo];
  // Links keep their order; those of earlier loads become the host's, which come last.
  std::vector<ClusterLink> host(result.clusters.size(), {kNone, 0, 0, 0});
  std::vector<bool> isHeard(result.clusters.size(), false);
  for (const ClusterLink &link : whole.links) {
    ClusterId to = number[link.to], from = link.from == kNone ? kNone : number[link.from];
    if (to == kNone)
      continue;
    if (from == kNone) {
      isHeard[to] = true;
      host[to].to = to;
      host[to].spikes += link.spikes;
      continue;
    }
    result.links.push_back({from, to, link.spikes, link.partialSums});
    result.cutSpikes += link.spikes;
  }
  for (ClusterId c = 0; c < host.size(); ++c)
    if (isHeard[c])
      result.links.push_back(host[c]);
  return result;
}

std::vector<Population> populationsOf(const std::vector<Population> &whole,
                                      const Clustering &part) {
  std::vector<bool> hasColumn(part.neurons, false);
  for (const Unit &unit : part.units)
    hasColumn[unit.neuron] = true;
  std::vector<Population> result;
  for (const Population &population : whole)
    for (NeuronId n = population.first; n < population.first + population.size; ++n) {
      auto kind = hasColumn[n] ? PopulationKind::Neuron : PopulationKind::Input;
      if (n == population.first || result.back().kind != kind)
        result.push_back(
            {fmt::format("{}.{}", population.name, n - population.first), kind, {0}, n, 0});
      result.back().shape[0] = ++result.back().size;
    }
  return result;
}

uint64_t writeCycles(const Load &load, const Chip &chip) {
  return static_cast<uint64_t>(std::ceil(double(load.rows) * chip.load.rowCycles.value /
                                         double(chip.mesh.hostTiles.size())));
}

double writePj(const Load &load, const Chip &chip) {
  return double(load.cells) * chip.load.cellPj.value;
}

} // namespace spindle
