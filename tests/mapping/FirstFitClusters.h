// Clusterings of real networks without the partition stage: neurons in order, each into the first
// crossbar with room.
#pragma once

#include "core/chip/Clustering.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace spindle {

/// Reads `NAME.connection_info.txt` (a neuron, then its targets) and `NAME.spike_info.txt` (a
/// neuron, then its spike times) of workloads/graphs and fills crossbars of `side` rows and
/// columns. Empty when the data are absent.
inline Clustering firstFitClusters(const std::string &name, uint32_t side, uint32_t steps) {
  const char *root = std::getenv("SPINDLE_DATA");
  std::string base = std::string(root ? root : "../shared/data") + "/workloads/graphs/" + name;
  std::ifstream connections(base + ".connection_info.txt"), times(base + ".spike_info.txt");
  std::map<NeuronId, std::vector<NeuronId>> sourcesOf;
  std::map<NeuronId, uint64_t> spikes;
  std::string line;
  while (std::getline(connections, line)) {
    std::istringstream words(line);
    NeuronId source, target;
    for (words >> source; words >> target;)
      sourcesOf[target].push_back(source);
  }
  NeuronId neuron, last = 0;
  while (std::getline(times, line)) {
    std::istringstream words(line);
    words >> neuron;
    for (std::string time; words >> time;)
      ++spikes[neuron];
    last = std::max(last, neuron);
  }

  Clustering clustering;
  clustering.algorithm = "first fit in order";
  clustering.rows = clustering.columns = side;
  clustering.samples = 1;
  clustering.steps = steps;
  clustering.neurons = sourcesOf.empty() ? 0 : std::max(last, sourcesOf.rbegin()->first) + 1;
  std::vector<std::vector<uint32_t>> cells; // per cluster and neuron: cells on its row
  std::vector<uint32_t> rows;               // per cluster: rows in use
  std::vector<ClusterId> home(clustering.neurons, kNone);
  for (auto &[target, sources] : sourcesOf) {
    std::sort(sources.begin(), sources.end());
    uint64_t parts = (sources.size() + side - 1) / side;
    for (uint64_t part = 0; part < parts; ++part) {
      auto begin = sources.begin() + int64_t(sources.size() * part / parts);
      auto end = sources.begin() + int64_t(sources.size() * (part + 1) / parts);
      auto newRows = [&](ClusterId c) {
        return uint32_t(std::count_if(begin, end, [&](NeuronId s) { return cells[c][s] == 0; }));
      };
      ClusterId c = 0;
      while (c < cells.size() &&
             (clustering.clusters[c].units == side || rows[c] + newRows(c) > side))
        ++c;
      if (c == cells.size()) {
        cells.emplace_back(clustering.neurons, 0);
        rows.push_back(0);
        clustering.clusters.emplace_back();
      }
      rows[c] += newRows(c);
      for (auto source = begin; source != end; ++source)
        ++cells[c][*source];
      bool isLast = part + 1 == parts;
      auto id = static_cast<UnitId>(clustering.units.size());
      clustering.units.push_back({target, c, isLast ? kNone : id + 1});
      ++clustering.clusters[c].units;
      clustering.clusters[c].neurons += isLast;
      home[target] = isLast ? c : kNone;
    }
  }
  std::map<std::pair<ClusterId, ClusterId>, ClusterLink> links;
  auto link = [&](ClusterId from, ClusterId to) -> ClusterLink & {
    return links.try_emplace({from, to}, ClusterLink{from, to, 0, 0}).first->second;
  };
  for (ClusterId c = 0; c < cells.size(); ++c)
    for (NeuronId source = 0; source < clustering.neurons; ++source) {
      if (cells[c][source] == 0)
        continue;
      clustering.clusters[c].axons.push_back({source, cells[c][source], spikes[source]});
      clustering.clusters[c].synapses += cells[c][source];
      if (home[source] != c)
        link(home[source], c).spikes += spikes[source];
    }
  for (const Unit &unit : clustering.units)
    if (unit.carryTo != kNone && clustering.units[unit.carryTo].cluster != unit.cluster)
      link(unit.cluster, clustering.units[unit.carryTo].cluster).partialSums += steps;
  for (auto &[ends, value] : links) {
    clustering.links.push_back(value);
    clustering.cutSpikes += value.from == kNone ? 0 : value.spikes;
  }
  return clustering;
}

} // namespace spindle
