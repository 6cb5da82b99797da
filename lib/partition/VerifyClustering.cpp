#include "lib/partition/VerifyClustering.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

// Nothing here is shared with BuildClustering: this goes from neurons to clusters, that from
// clusters to neurons.

namespace spindle {

namespace {

/// A synapse on the chip: the row of `source` in `cluster` drives one cell.
struct Cell {
  NeuronId source;
  ClusterId cluster;
  auto operator<=>(const Cell &) const = default;
};

struct Recount {
  std::array<std::vector<Cell>, std::size(kSynapseKinds)> cells; // one per synapse, by kind
  std::vector<ClusterId> home;                                   // per neuron, kNone for the host
  std::vector<ClusterLink> links;
};

/// The kind of each synapse, from tables of neurons and of pairs of populations.
class KindOfSynapse {
public:
  explicit KindOfSynapse(const SpikingGraph &graph) : population(graph.neurons()) {
    for (size_t p = 0; p < graph.populations.size(); ++p)
      for (uint32_t n = 0; n < graph.populations[p].size; ++n)
        population[graph.populations[p].first + n] = uint32_t(p);
    for (const ProjectionKind &each : graph.projections)
      kinds[{each.from, each.to}] = each.kind;
  }
  SynapseKind operator()(NeuronId source, NeuronId target) const {
    if (kinds.empty())
      return SynapseKind::Unknown;
    auto found = kinds.find({population[source], population[target]});
    return found == kinds.end() ? SynapseKind::Unknown : found->second;
  }

private:
  std::vector<uint32_t> population; // per neuron
  std::map<std::pair<uint32_t, uint32_t>, SynapseKind> kinds;
};

} // namespace

/// The unit behind each of `parts` ones, the last of which is the root of a tree: the first `half`
/// of them counted from the root, half the next power of two, are a tree, and so are the others,
/// whose root carries to the first's.
static void expectTree(uint64_t root, uint64_t parts, std::vector<uint64_t> &behind) {
  if (parts < 2)
    return;
  uint64_t half = 1;
  while (2 * half < parts)
    half *= 2;
  behind[root - half] = root;
  expectTree(root, half, behind);
  expectTree(root - half, parts - half, behind);
}

/// The units of neuron n from unit u on; adds their cells and partial sums.
static std::string recountChain(const SpikingGraph &graph, const Clustering &clustering, NeuronId n,
                                UnitId u, UnitId end, const KindOfSynapse &kindOf,
                                Recount &recount) {
  uint64_t parts = end - u, fanIn = graph.fanIn(n);
  uint64_t needed = std::max<uint64_t>(1, (fanIn + clustering.rows - 1) / clustering.rows);
  if (clustering.shape == FanInShape::Pairs && fanIn > clustering.rows)
    needed = fanIn - 1;
  if (parts != needed)
    return fmt::format("neuron {} with fan-in {} is in {} units, expected {} of at most {} rows", n,
                       fanIn, parts, needed, clustering.rows);
  std::vector<uint64_t> behind(parts), sums(parts, 0);
  for (uint64_t part = 0; part < parts; ++part)
    behind[part] = part + 1;
  if (clustering.shape == FanInShape::Tree)
    expectTree(parts - 1, parts, behind);
  uint64_t synapse = graph.offsets[n];
  for (uint64_t part = 0; part < parts; ++part) {
    const Unit &unit = clustering.units[u + part];
    // Of one part less than synapses the first takes two, each other one.
    uint64_t behindBlock = parts > 1 && parts == fanIn - 1 ? part + 2 : (part + 1) * fanIn / parts;
    for (uint64_t blockEnd = graph.offsets[n] + behindBlock; synapse < blockEnd;) {
      NeuronId source = graph.sources[synapse++];
      recount.cells[size_t(kindOf(source, n))].push_back({source, unit.cluster});
      sums[part] += graph.spikes[source];
    }
    if (part + 1 == parts) {
      recount.home[n] = unit.cluster;
      continue;
    }
    if (unit.carryTo != u + behind[part])
      return fmt::format("unit {} of neuron {} carries to unit {}, expected {}", part, n,
                         unit.carryTo - u, behind[part]);
    sums[behind[part]] += sums[part];
    ClusterId next = clustering.units[u + behind[part]].cluster;
    if (next != unit.cluster)
      recount.links.push_back(
          {unit.cluster, next, 0,
           std::min(sums[part], uint64_t(clustering.samples) * clustering.steps)});
  }
  return "";
}

static std::string recountUnits(const SpikingGraph &graph, const Clustering &clustering,
                                Recount &recount) {
  recount.home.assign(graph.neurons(), kNone);
  KindOfSynapse kindOf(graph);
  UnitId u = 0;
  for (const Population &population : graph.populations)
    for (NeuronId n = population.first; n < population.first + population.size; ++n) {
      UnitId begin = u;
      while (u < clustering.units.size() && clustering.units[u].neuron == n)
        ++u;
      if (population.kind == PopulationKind::Input) {
        if (u != begin)
          return fmt::format("input neuron {} has a unit, the host drives it", n);
        continue;
      }
      std::string fault = recountChain(graph, clustering, n, begin, u, kindOf, recount);
      if (!fault.empty())
        return fault;
    }
  return "";
}

/// One axon per source and cluster with a cell; adds its spikes to the links.
static std::string compareAxons(const SpikingGraph &graph, const Clustering &clustering,
                                Recount &recount) {
  for (std::vector<Cell> &cells : recount.cells)
    std::ranges::sort(cells);
  std::array<size_t, std::size(kSynapseKinds)> next = {};
  std::vector<size_t> seen(clustering.clusters.size(), 0);
  while (true) {
    const Cell *first = nullptr;
    for (SynapseKind kind : kSynapseKinds)
      if (size_t at = next[size_t(kind)]; at < recount.cells[size_t(kind)].size())
        if (const Cell &here = recount.cells[size_t(kind)][at]; !first || here < *first)
          first = &here;
    if (!first)
      break;
    Cell cell = *first;
    Axon expected{cell.source, 0, graph.spikes[cell.source]};
    for (SynapseKind kind : kSynapseKinds) {
      const std::vector<Cell> &cells = recount.cells[size_t(kind)];
      for (size_t &at = next[size_t(kind)]; at < cells.size() && cells[at] == cell; ++at)
        ++expected.synapses[kind];
    }
    const std::vector<Axon> &axons = clustering.clusters[cell.cluster].axons;
    if (seen[cell.cluster] >= axons.size() || axons[seen[cell.cluster]++] != expected)
      return fmt::format("cluster {} lacks the axon of neuron {} with {} synapses and {} spikes",
                         cell.cluster, expected.neuron, expected.synapses.all(), expected.spikes);
    ClusterId home = recount.home[cell.source];
    if (home != cell.cluster)
      recount.links.push_back({home, cell.cluster, expected.spikes, 0});
  }
  for (ClusterId c = 0; c < seen.size(); ++c)
    if (seen[c] != clustering.clusters[c].axons.size())
      return fmt::format("cluster {} has {} axons, its units read {} neurons", c,
                         clustering.clusters[c].axons.size(), seen[c]);
  return "";
}

static std::string compareLinks(const Clustering &clustering, std::vector<ClusterLink> found) {
  auto ends = [](const ClusterLink &link) { return std::pair(link.from, link.to); };
  std::ranges::sort(found, {}, ends);
  std::vector<ClusterLink> links;
  for (const ClusterLink &link : found) {
    if (links.empty() || ends(links.back()) != ends(link))
      links.push_back({link.from, link.to, 0, 0});
    links.back().spikes += link.spikes;
    links.back().partialSums += link.partialSums;
  }
  if (links.size() != clustering.links.size())
    return fmt::format("{} links, the synapses make {}", clustering.links.size(), links.size());
  for (size_t l = 0; l < links.size(); ++l)
    if (links[l] != clustering.links[l])
      return fmt::format(
          "link {} carries {} spikes and {} partial sums, the synapses make {} and {}", l,
          clustering.links[l].spikes, clustering.links[l].partialSums, links[l].spikes,
          links[l].partialSums);
  return "";
}

static std::string faultOf(const SpikingGraph &graph, const Clustering &clustering) {
  if (clustering.neurons != graph.neurons() || clustering.samples != graph.samples ||
      clustering.steps != graph.steps)
    return fmt::format("made for {} neurons, {} samples, {} steps; the graph has {}, {}, {}",
                       clustering.neurons, clustering.samples, clustering.steps, graph.neurons(),
                       graph.samples, graph.steps);
  Recount recount;
  if (std::string fault = recountUnits(graph, clustering, recount); !fault.empty())
    return fault;
  if (std::string fault = compareAxons(graph, clustering, recount); !fault.empty())
    return fault;
  return compareLinks(clustering, std::move(recount.links));
}

llvm::Error verifyAgainst(const SpikingGraph &graph, const Clustering &clustering) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  std::string fault = faultOf(graph, clustering);
  return fault.empty() ? llvm::Error::success() : checkError("clustering", fault);
}

} // namespace spindle
