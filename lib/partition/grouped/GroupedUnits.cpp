#include "lib/partition/grouped/GroupedUnits.h"

#include "lib/partition/packing/BuildClustering.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace spindle {

GroupedUnits::GroupedUnits(const SpikingGraph &of, const std::vector<Unit> &columns,
                           const Crossbar &within, FanInShape how)
    : network(of), units(columns), crossbar(within), shape(how), populationOf(of.neurons()),
      vertexOf(columns.size()) {
  for (size_t p = 0; p < of.populations.size(); ++p)
    std::fill_n(populationOf.begin() + of.populations[p].first, of.populations[p].size,
                uint32_t(p));
  cutBlocks();
  findReaders();
  groupUnits();
  gatherNets();
  fillVertices();
  fillUses();
}

/// The blocks of each list, as `unitOffsets` cuts the sources of a neuron.
void GroupedUnits::cutBlocks() {
  auto lists = static_cast<uint32_t>(network.offsets.size() - 1);
  std::vector<uint32_t> parts(lists, 0), population(lists, 0);
  for (UnitId u = 0; u < units.size(); ++u) {
    NeuronId n = units[u].neuron;
    if (u > 0 && units[u - 1].neuron == n)
      continue;
    UnitId end = u;
    while (end < units.size() && units[end].neuron == n)
      ++end;
    parts[network.listOf(n)] = end - u;
    population[network.listOf(n)] = populationOf[n];
  }
  firstBlock.assign(1, 0);
  for (uint32_t list = 0; list < lists; ++list) {
    uint64_t begin = network.offsets[list], fanIn = network.offsets[list + 1] - begin;
    for (uint64_t part = 0; part < parts[list]; ++part)
      blocks.push_back({list, uint32_t(part), population[list], begin + fanIn * part / parts[list],
                        begin + fanIn * (part + 1) / parts[list], 0, kNone});
    firstBlock.push_back(static_cast<uint32_t>(blocks.size()));
  }
}

/// A number of 64 bits for each block, so that sums of different sets of them hardly ever agree.
static uint64_t mixed(uint64_t block) {
  uint64_t z = (block + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void GroupedUnits::findReaders() {
  readers.resize(network.neurons());
  for (uint32_t b = 0; b < blocks.size(); ++b)
    for (uint64_t s = blocks[b].begin; s < blocks[b].end; ++s) {
      Readers &own = readers[network.sources[s]];
      own.first = std::min(own.first, b);
      own.sum += mixed(2 * uint64_t(b));
      own.otherSum += mixed(2 * uint64_t(b) + 1);
    }
}

/// The units, block by block, those of neurons with the same readers beside each other.
std::vector<UnitId> GroupedUnits::orderUnits(std::vector<uint32_t> &blockOf) const {
  blockOf.resize(units.size());
  std::vector<UnitId> order(units.size());
  for (UnitId u = 0, first = 0; u < units.size(); ++u) {
    if (units[u].neuron != units[first].neuron)
      first = u;
    blockOf[u] = firstBlock[network.listOf(units[u].neuron)] + (u - first);
    order[u] = u;
  }
  std::ranges::sort(order, [&](UnitId a, UnitId b) {
    if (blockOf[a] != blockOf[b])
      return blockOf[a] < blockOf[b];
    auto own = readers[units[a].neuron] <=> readers[units[b].neuron];
    return own != 0 ? own < 0 : a < b;
  });
  return order;
}

/// Neurons with the same readers stay together, where a group is large enough for all of them.
void GroupedUnits::groupUnits() {
  std::vector<uint32_t> blockOf;
  std::vector<UnitId> order = orderUnits(blockOf);
  for (size_t i = 0, end; i < order.size(); i = end) {
    uint32_t block = blockOf[order[i]];
    const Readers &same = readers[units[order[i]].neuron];
    for (end = i; end < order.size() && blockOf[order[end]] == block &&
                  readers[units[order[end]].neuron] == same;)
      ++end;
    bool isNew = i == 0 || blockOf[order[i - 1]] != block;
    uint32_t most = mostOf(blocks[block]);
    if (isNew)
      blocks[block].first = graph.vertices();
    if (isNew || (end - i <= most && graph.columns.back() + (end - i) > most))
      graph.columns.push_back(0);
    for (size_t k = i; k < end; ++k) {
      if (graph.columns.back() == most)
        graph.columns.push_back(0);
      vertexOf[order[k]] = graph.vertices() - 1;
      ++graph.columns.back();
    }
  }
}

void GroupedUnits::gatherNets() {
  std::vector<VertexId> home(network.neurons(), kNone);
  for (UnitId u = 0; u < units.size(); ++u)
    if (units[u].carryTo == kNone)
      home[units[u].neuron] = vertexOf[u];
  std::vector<NeuronId> order;
  for (NeuronId n = 0; n < network.neurons(); ++n)
    if (!(readers[n] == Readers()))
      order.push_back(n);
  auto key = [&](NeuronId n) { return std::tuple(home[n], readers[n], n); };
  std::ranges::sort(order, {}, key);
  netOf.assign(network.neurons(), kNone);
  for (size_t i = 0; i < order.size(); ++i) {
    NeuronId n = order[i];
    if (i == 0 || home[order[i - 1]] != home[n] || !(readers[order[i - 1]] == readers[n])) {
      graph.driver.push_back(home[n]);
      graph.spikes.push_back(0);
      graph.width.push_back(0);
    }
    netOf[n] = static_cast<uint32_t>(graph.spikes.size() - 1);
    graph.spikes.back() += network.spikes[n];
    ++graph.width.back();
  }
  readers = {}; // nobody asks again
}

SynapseKind GroupedUnits::kindOf(uint32_t from, uint32_t to) const {
  for (const ProjectionKind &each : network.projections)
    if (each.from == from && each.to == to)
      return each.kind;
  return SynapseKind::Unknown;
}

/// Pins, driven nets and work of the vertices.
void GroupedUnits::fillVertices() {
  uint32_t vertices = graph.vertices();
  graph.rowReads.assign(vertices, 0);
  graph.cells.assign(vertices, {});
  graph.sums.assign(vertices, 0);
  uint64_t allSteps = uint64_t(network.samples) * network.steps;
  std::vector<uint64_t> comes(blocks.size(), 0); // of sums, to each unit of a block
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    Block &block = blocks[b];
    std::vector<uint32_t> nets;
    uint64_t reads = 0;
    SynapsesByKind<uint64_t> events;
    for (uint64_t s = block.begin, end; s < block.end; s = end) {
      uint32_t from = populationOf[network.sources[s]];
      uint64_t spikes = 0;
      for (end = s; end < block.end && populationOf[network.sources[end]] == from; ++end) {
        nets.push_back(netOf[network.sources[end]]);
        spikes += network.spikes[network.sources[end]];
      }
      reads += spikes;
      events[kindOf(from, block.population)] += spikes;
    }
    std::ranges::sort(nets);
    nets.erase(std::ranges::unique(nets).begin(), nets.end());
    VertexId behind = b + 1 < blocks.size() ? blocks[b + 1].first : vertices;
    for (VertexId v = block.first; v < behind; ++v) {
      graph.pins.members.insert(graph.pins.members.end(), nets.begin(), nets.end());
      graph.pins.close();
      graph.rowReads[v] = reads;
      graph.cells[v] = events.times(graph.columns[v]);
      graph.sums[v] = comes[b] * graph.columns[v];
    }
    uint32_t last = firstBlock[block.list + 1] - 1;
    if (b == last)
      continue;
    block.carried = std::min(reads + comes[b], allSteps);
    comes[carryTarget(shape, b, last)] += block.carried;
  }
  graph.driven.offsets.assign(vertices + 1, 0);
  for (VertexId driver : graph.driver)
    if (driver != kNone)
      ++graph.driven.offsets[driver + 1];
  for (VertexId v = 0; v < vertices; ++v)
    graph.driven.offsets[v + 1] += graph.driven.offsets[v];
  graph.driven.members.resize(graph.driven.offsets.back());
  std::vector<uint64_t> next(graph.driven.offsets.begin(), graph.driven.offsets.end() - 1);
  for (uint32_t net = 0; net < graph.nets(); ++net)
    if (graph.driver[net] != kNone)
      graph.driven.members[next[graph.driver[net]]++] = net;
  graph.readers = transpose(graph.pins, graph.nets());
}

std::vector<uint32_t> GroupedUnits::blockOfVertex() const {
  std::vector<uint32_t> block(graph.vertices());
  for (uint32_t b = 0; b < blocks.size(); ++b)
    std::fill(block.begin() + blocks[b].first,
              b + 1 < blocks.size() ? block.begin() + blocks[b + 1].first : block.end(), b);
  return block;
}

std::vector<uint32_t> GroupedUnits::partsByLayer() const {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> parts; // by population and part
  std::vector<uint32_t> partOf;
  for (uint32_t b : blockOfVertex()) {
    auto next = static_cast<uint32_t>(parts.size());
    partOf.push_back(
        parts.emplace(std::pair(blocks[b].population, blocks[b].part), next).first->second);
  }
  return partOf;
}

/// The rows of a cluster: of the blocks that its units read, each with so many columns.
static std::vector<Axon>
axonsOf(const SpikingGraph &network,
        std::vector<std::pair<NeuronId, SynapsesByKind<uint32_t>>> &cells) {
  std::ranges::sort(cells, {}, [](const auto &each) { return each.first; });
  std::vector<Axon> axons;
  for (const auto &[neuron, own] : cells) {
    if (axons.empty() || axons.back().neuron != neuron)
      axons.push_back({neuron, 0, network.spikes[neuron]});
    axons.back().synapses += own;
  }
  return axons;
}

void GroupedUnits::fillAxons(Clustering &result, const std::vector<VertexId> &byCluster,
                             const std::vector<size_t> &ends) const {
  std::vector<uint32_t> blockOf = blockOfVertex();
  for (ClusterId c = 0; c < result.clusters.size(); ++c) {
    std::map<uint32_t, uint32_t> columns; // of each block
    for (size_t i = c == 0 ? 0 : ends[c - 1]; i < ends[c]; ++i)
      columns[blockOf[byCluster[i]]] += graph.columns[byCluster[i]];
    std::vector<std::pair<NeuronId, SynapsesByKind<uint32_t>>> cells;
    for (auto [b, count] : columns) {
      uint32_t from = kNone;
      SynapsesByKind<uint32_t> own;
      for (uint64_t s = blocks[b].begin; s < blocks[b].end; ++s) {
        NeuronId source = network.sources[s];
        if (populationOf[source] != from) {
          from = populationOf[source];
          own = {};
          own[kindOf(from, blocks[b].population)] = count;
        }
        cells.emplace_back(source, own);
        result.clusters[c].synapses += count;
      }
    }
    result.clusters[c].axons = axonsOf(network, cells);
  }
}

Clustering GroupedUnits::cluster(const Packing &packing) const {
  std::vector<ClusterId> clusterOf(units.size());
  for (UnitId u = 0; u < units.size(); ++u)
    clusterOf[u] = packing.clusterOf(vertexOf[u]);
  Clustering result = clusterUnits(network, units, clusterOf, crossbar);
  // Clusters are numbered anew, by their first units.
  std::vector<size_t> ends(result.clusters.size(), 0);
  std::vector<ClusterId> numberOf(graph.vertices(), kNone);
  for (UnitId u = 0; u < units.size(); ++u)
    numberOf[vertexOf[u]] = result.units[u].cluster;
  std::vector<VertexId> byCluster(graph.vertices());
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    byCluster[v] = v;
    ++ends[numberOf[v]];
  }
  for (size_t c = 1; c < ends.size(); ++c)
    ends[c] += ends[c - 1];
  std::ranges::sort(byCluster, {}, [&](VertexId v) { return std::pair(numberOf[v], v); });
  fillAxons(result, byCluster, ends);
  std::vector<uint64_t> sums(units.size(), 0);
  std::vector<uint32_t> blockOf = blockOfVertex();
  for (UnitId u = 0; u < units.size(); ++u)
    sums[u] = blocks[blockOf[vertexOf[u]]].carried;
  fillLinks(network, sums, result);
  return result;
}

} // namespace spindle
