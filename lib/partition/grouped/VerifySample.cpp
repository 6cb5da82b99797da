#include "lib/partition/grouped/VerifySample.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>

namespace spindle {

namespace {

class Sampling {
public:
  Sampling(const SpikingGraph &of, const Clustering &what)
      : graph(of), clustering(what), populationOf(of.neurons()), firstUnit(of.neurons() + 1, 0),
        cells(of.neurons()) {
    for (uint32_t p = 0; p < graph.populations.size(); ++p)
      for (uint32_t i = 0; i < graph.populations[p].size; ++i)
        populationOf[graph.populations[p].first + i] = p;
    for (const ProjectionKind &each : graph.projections)
      kinds[{each.from, each.to}] = each.kind;
  }

  /// Units of all neurons, and the sum of the synapses.
  std::string faultOfWhole() {
    for (const Unit &unit : clustering.units)
      ++firstUnit[unit.neuron + 1];
    for (NeuronId n = 0; n < graph.neurons(); ++n) {
      bool isInput = graph.populations[populationOf[n]].kind == PopulationKind::Input;
      uint32_t rows = clustering.rows, fanIn = graph.fanIn(n), units = firstUnit[n + 1];
      uint32_t expected = isInput ? 0 : std::max(1u, fanIn / rows + (fanIn % rows != 0));
      if (units != expected)
        return fmt::format(
            "neuron {} with fan-in {} is in {} units, expected {} of at most {} rows", n, fanIn,
            units, expected, rows);
    }
    for (NeuronId n = 0; n < graph.neurons(); ++n)
      firstUnit[n + 1] += firstUnit[n];
    uint64_t synapses = 0;
    for (const Cluster &cluster : clustering.clusters)
      synapses += cluster.synapses;
    if (synapses != graph.synapses())
      return fmt::format("the clusters hold {} synapses, the graph has {}", synapses,
                         graph.synapses());
    return "";
  }

  std::string faultOfCluster(ClusterId c, const std::vector<UnitId> &units) {
    std::map<ClusterId, ClusterLink> from; // by the other end
    for (UnitId u : units)
      countUnit(u);
    std::ranges::sort(touched);
    const std::vector<Axon> &axons = clustering.clusters[c].axons;
    for (size_t a = 0; a < touched.size(); ++a) {
      NeuronId source = touched[a];
      Axon expected{source, cells[source], graph.spikes[source]};
      if (a >= axons.size() || axons[a] != expected)
        return fmt::format("cluster {} lacks the axon of neuron {} with {} synapses and {} spikes",
                           c, source, expected.synapses.all(), expected.spikes);
      ClusterId home = homeOf(source);
      if (home != c)
        from.try_emplace(home, ClusterLink{home, c, 0, 0}).first->second.spikes += expected.spikes;
    }
    if (axons.size() != touched.size())
      return fmt::format("cluster {} has {} axons, its units read {} neurons", c, axons.size(),
                         touched.size());
    for (NeuronId source : touched)
      cells[source] = {};
    touched.clear();
    return faultOfLinks(c, units, from);
  }

private:
  /// The part of its neuron's sources that a unit reads.
  std::span<const NeuronId> sourcesOf(UnitId u) const {
    NeuronId n = clustering.units[u].neuron;
    uint64_t parts = firstUnit[n + 1] - firstUnit[n], part = u - firstUnit[n];
    std::span<const NeuronId> all = graph.sourcesOf(n);
    uint64_t begin = all.size() * part / parts, end = all.size() * (part + 1) / parts;
    return all.subspan(begin, end - begin);
  }

  void countUnit(UnitId u) {
    uint32_t target = populationOf[clustering.units[u].neuron], before = kNone;
    SynapseKind kind = SynapseKind::Unknown;
    for (NeuronId source : sourcesOf(u)) {
      if (populationOf[source] != before) {
        before = populationOf[source];
        auto known = kinds.find({before, target});
        kind = known == kinds.end() ? SynapseKind::Unknown : known->second;
      }
      if (cells[source].all() == 0)
        touched.push_back(source);
      ++cells[source][kind];
    }
  }

  ClusterId homeOf(NeuronId n) const {
    return firstUnit[n] == firstUnit[n + 1] ? kNone
                                            : clustering.units[firstUnit[n + 1] - 1].cluster;
  }

  /// At most, of what a unit hears itself and from those that carry to it.
  uint64_t sumsOf(UnitId u) const {
    NeuronId n = clustering.units[u].neuron;
    uint64_t heard = 0;
    for (NeuronId source : sourcesOf(u))
      heard += graph.spikes[source];
    for (UnitId before = firstUnit[n]; before < u; ++before)
      if (clustering.units[before].carryTo == u)
        heard += sumsOf(before);
    return std::min(heard, uint64_t(clustering.samples) * clustering.steps);
  }

  /// `expected`: the spikes that come in. Sums that come in, and all that goes out, are added.
  std::string faultOfLinks(ClusterId c, const std::vector<UnitId> &units,
                           std::map<ClusterId, ClusterLink> expected) {
    for (UnitId u : units)
      for (UnitId before = firstUnit[clustering.units[u].neuron]; before < u; ++before)
        if (ClusterId from = clustering.units[before].cluster;
            clustering.units[before].carryTo == u && from != c)
          expected.try_emplace(from, ClusterLink{from, c, 0, 0}).first->second.partialSums +=
              sumsOf(before);
    std::map<ClusterId, uint64_t> sumsTo;
    for (UnitId u : units) {
      UnitId behind = clustering.units[u].carryTo;
      if (behind != kNone && clustering.units[behind].cluster != c)
        sumsTo[clustering.units[behind].cluster] += sumsOf(u);
    }
    for (const ClusterLink &link : clustering.links) {
      if (link.from == c) {
        auto sums = sumsTo.find(link.to);
        uint64_t made = sums == sumsTo.end() ? 0 : sums->second;
        if (link.partialSums != made)
          return fmt::format(
              "the link from cluster {} to {} carries {} partial sums, the units make {}", c,
              link.to, link.partialSums, made);
        if (sums != sumsTo.end())
          sumsTo.erase(sums);
      }
      if (link.to != c)
        continue;
      auto known = expected.find(link.from);
      ClusterLink wanted = known == expected.end() ? ClusterLink{} : known->second;
      if (link.spikes != wanted.spikes || link.partialSums != wanted.partialSums)
        return fmt::format("a link to cluster {} carries {} spikes and {} partial sums, the "
                           "synapses make {} and {}",
                           c, link.spikes, link.partialSums, wanted.spikes, wanted.partialSums);
      if (known != expected.end())
        expected.erase(known);
    }
    if (!sumsTo.empty())
      return fmt::format("cluster {} has no link to cluster {} for {} partial sums", c,
                         sumsTo.begin()->first, sumsTo.begin()->second);
    if (!expected.empty())
      return fmt::format("cluster {} lacks {} links that the synapses make", c, expected.size());
    return "";
  }

  const SpikingGraph &graph;
  const Clustering &clustering;
  std::vector<uint32_t> populationOf;          // per neuron
  std::vector<UnitId> firstUnit;               // per neuron, and the end
  std::vector<SynapsesByKind<uint32_t>> cells; // per neuron, in the cluster at hand
  std::vector<NeuronId> touched;               // those with cells
  std::map<std::pair<uint32_t, uint32_t>, SynapseKind> kinds;
};

} // namespace

static std::string faultOf(const SpikingGraph &graph, const Clustering &clustering,
                           uint32_t sampled) {
  if (clustering.neurons != graph.neurons() || clustering.samples != graph.samples ||
      clustering.steps != graph.steps)
    return fmt::format("made for {} neurons, {} samples, {} steps; the graph has {}, {}, {}",
                       clustering.neurons, clustering.samples, clustering.steps, graph.neurons(),
                       graph.samples, graph.steps);
  Sampling sampling(graph, clustering);
  if (std::string fault = sampling.faultOfWhole(); !fault.empty())
    return fault;
  uint64_t clusters = clustering.clusters.size();
  std::map<ClusterId, std::vector<UnitId>> chosen;
  for (uint64_t i = 0; i < sampled && clusters > 0; ++i)
    chosen[ClusterId(sampled == 1 ? 0 : i * (clusters - 1) / (sampled - 1))];
  for (UnitId u = 0; u < clustering.units.size(); ++u)
    if (auto own = chosen.find(clustering.units[u].cluster); own != chosen.end())
      own->second.push_back(u);
  for (const auto &[cluster, units] : chosen)
    if (std::string fault = sampling.faultOfCluster(cluster, units); !fault.empty())
      return fault;
  return "";
}

llvm::Error verifySample(const SpikingGraph &graph, const Clustering &clustering,
                         uint32_t sampled) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  std::string fault = faultOf(graph, clustering, sampled);
  return fault.empty() ? llvm::Error::success() : checkError("clustering", fault);
}

} // namespace spindle
