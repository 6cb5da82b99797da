#include "core/chip/file/ClusteringArrays.h"

#include <algorithm>
#include <array>

namespace spindle {

namespace {

constexpr const char *kUnitNeuron = "units/neuron", *kUnitCluster = "units/cluster",
                     *kClusterUnits = "clusters/units", *kClusterNeurons = "clusters/neurons",
                     *kClusterSynapses = "clusters/synapses", *kClusterAxons = "clusters/axons",
                     *kAxonNeuron = "axons/neuron", *kAxonSpikes = "axons/spikes",
                     *kLinkFrom = "links/from", *kLinkTo = "links/to",
                     *kLinkSpikes = "links/spikes", *kLinkSums = "links/partial_sums";

/// Cells of a kind, one number per axon: `axons/dense`.
std::string cellsName(SynapseKind kind) {
  return fmt::format("axons/{}",
                     kind == SynapseKind::Unknown ? "cells" : kSynapseKindNames[size_t(kind)]);
}

using CellsByKind = std::array<std::vector<uint32_t>, std::size(kSynapseKinds)>;

/// A member of every entry.
template <typename Entry, typename Member>
auto column(const std::vector<Entry> &entries, Member Entry::*member) {
  std::vector<Member> values;
  values.reserve(entries.size());
  for (const Entry &entry : entries)
    values.push_back(entry.*member);
  return values;
}

llvm::Error writeClusters(Hdf5Writer &file, const std::vector<Cluster> &clusters) {
  SPINDLE_RETURN_IF_ERROR(file.write(kClusterUnits, column(clusters, &Cluster::units)));
  SPINDLE_RETURN_IF_ERROR(file.write(kClusterNeurons, column(clusters, &Cluster::neurons)));
  SPINDLE_RETURN_IF_ERROR(file.write(kClusterSynapses, column(clusters, &Cluster::synapses)));
  std::vector<uint64_t> ends{0}, spikes;
  std::vector<uint32_t> neurons;
  CellsByKind cells;
  for (const Cluster &cluster : clusters) {
    for (const Axon &axon : cluster.axons) {
      neurons.push_back(axon.neuron);
      spikes.push_back(axon.spikes);
      for (SynapseKind kind : kSynapseKinds)
        cells[size_t(kind)].push_back(axon.synapses[kind]);
    }
    ends.push_back(neurons.size());
  }
  SPINDLE_RETURN_IF_ERROR(file.write(kClusterAxons, ends));
  SPINDLE_RETURN_IF_ERROR(file.write(kAxonNeuron, neurons));
  SPINDLE_RETURN_IF_ERROR(file.write(kAxonSpikes, spikes));
  for (SynapseKind kind : kSynapseKinds)
    if (std::ranges::any_of(cells[size_t(kind)], [](uint32_t of) { return of > 0; }))
      SPINDLE_RETURN_IF_ERROR(file.write(cellsName(kind), cells[size_t(kind)]));
  return llvm::Error::success();
}

llvm::Error readUnits(const ArraysReader &file, Clustering &clustering) {
  std::vector<uint32_t> neurons, clusters;
  SPINDLE_RETURN_IF_ERROR(file.read(kUnitNeuron, neurons));
  SPINDLE_RETURN_IF_ERROR(file.read(kUnitCluster, clusters, neurons.size(), kUnitNeuron));
  if (neurons.size() >= kNone)
    return file.refuse(fmt::format("{} units, expected fewer than {}", neurons.size(), kNone));
  auto units = UnitId(neurons.size());
  clustering.units.reserve(units);
  for (UnitId begin = 0, end = 0; begin < units; begin = end) {
    while (end < units && neurons[end] == neurons[begin])
      ++end;
    for (UnitId u = begin; u < end; ++u)
      clustering.units.push_back(
          {neurons[u], clusters[u], carryTarget(clustering.shape, u, end - 1)});
  }
  return llvm::Error::success();
}

llvm::Error readClusters(const ArraysReader &file, std::vector<Cluster> &clusters) {
  std::vector<uint32_t> units, neurons, axonNeurons;
  std::vector<uint64_t> synapses, ends, spikes;
  SPINDLE_RETURN_IF_ERROR(file.read(kClusterUnits, units));
  SPINDLE_RETURN_IF_ERROR(file.read(kClusterNeurons, neurons, units.size(), kClusterUnits));
  SPINDLE_RETURN_IF_ERROR(file.read(kClusterSynapses, synapses, units.size(), kClusterUnits));
  SPINDLE_RETURN_IF_ERROR(
      file.read(kClusterAxons, ends, units.size() + 1, "clusters and one more"));
  SPINDLE_RETURN_IF_ERROR(file.read(kAxonNeuron, axonNeurons));
  SPINDLE_RETURN_IF_ERROR(file.read(kAxonSpikes, spikes, axonNeurons.size(), kAxonNeuron));
  CellsByKind cells;
  for (SynapseKind kind : kSynapseKinds) {
    std::string name = cellsName(kind);
    cells[size_t(kind)].assign(axonNeurons.size(), 0); // none of them, where it is not there
    if (file.has(name.c_str()))
      SPINDLE_RETURN_IF_ERROR(
          file.read(name.c_str(), cells[size_t(kind)], axonNeurons.size(), kAxonNeuron));
  }
  if (ends.front() != 0 || ends.back() != axonNeurons.size() || !std::ranges::is_sorted(ends))
    return file.refuse(fmt::format("data set '{}' does not ascend from 0 to the {} axons",
                                   kClusterAxons, axonNeurons.size()));
  for (size_t c = 0; c < units.size(); ++c) {
    Cluster &cluster = clusters.emplace_back();
    cluster.units = units[c];
    cluster.neurons = neurons[c];
    cluster.synapses = synapses[c];
    cluster.axons.reserve(ends[c + 1] - ends[c]);
    for (uint64_t a = ends[c]; a < ends[c + 1]; ++a) {
      Axon &axon = cluster.axons.emplace_back(Axon{axonNeurons[a], {}, spikes[a]});
      uint64_t all = 0;
      for (SynapseKind kind : kSynapseKinds)
        all += axon.synapses[kind] = cells[size_t(kind)][a];
      if (all > cluster.units)
        return file.refuse(fmt::format("axon {} has {} cells in the {} columns of cluster {}", a,
                                       all, cluster.units, c));
    }
  }
  return llvm::Error::success();
}

llvm::Error readLinks(const ArraysReader &file, std::vector<ClusterLink> &links) {
  std::vector<uint32_t> from, to;
  std::vector<uint64_t> spikes, sums;
  SPINDLE_RETURN_IF_ERROR(file.read(kLinkFrom, from));
  SPINDLE_RETURN_IF_ERROR(file.read(kLinkTo, to, from.size(), kLinkFrom));
  SPINDLE_RETURN_IF_ERROR(file.read(kLinkSpikes, spikes, from.size(), kLinkFrom));
  SPINDLE_RETURN_IF_ERROR(file.read(kLinkSums, sums, from.size(), kLinkFrom));
  links.reserve(from.size());
  for (size_t l = 0; l < from.size(); ++l)
    links.push_back({from[l], to[l], spikes[l], sums[l]});
  return llvm::Error::success();
}

} // namespace

static llvm::Error writeAll(Hdf5Writer &file, const Clustering &clustering) {
  SPINDLE_RETURN_IF_ERROR(file.write(kUnitNeuron, column(clustering.units, &Unit::neuron)));
  SPINDLE_RETURN_IF_ERROR(file.write(kUnitCluster, column(clustering.units, &Unit::cluster)));
  SPINDLE_RETURN_IF_ERROR(writeClusters(file, clustering.clusters));
  SPINDLE_RETURN_IF_ERROR(file.write(kLinkFrom, column(clustering.links, &ClusterLink::from)));
  SPINDLE_RETURN_IF_ERROR(file.write(kLinkTo, column(clustering.links, &ClusterLink::to)));
  SPINDLE_RETURN_IF_ERROR(file.write(kLinkSpikes, column(clustering.links, &ClusterLink::spikes)));
  return file.write(kLinkSums, column(clustering.links, &ClusterLink::partialSums));
}

llvm::Error writeClusteringArrays(const std::string &path, const Clustering &clustering) {
  uint64_t axons = 0;
  for (const Cluster &cluster : clustering.clusters)
    axons += cluster.axons.size();
  uint64_t values = 2 * clustering.units.size() + 4 * (clustering.clusters.size() + 1) +
                    (2 + std::size(kSynapseKinds)) * axons + 4 * clustering.links.size();
  return writeArrays(path, values, [&](Hdf5Writer &file) { return writeAll(file, clustering); });
}

llvm::Error readClusteringArrays(const ArraysReader &file, Clustering &clustering) {
  SPINDLE_RETURN_IF_ERROR(readUnits(file, clustering));
  SPINDLE_RETURN_IF_ERROR(readClusters(file, clustering.clusters));
  return readLinks(file, clustering.links);
}

} // namespace spindle
