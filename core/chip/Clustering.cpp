#include "core/chip/Clustering.h"

#include "core/chip/file/ClusteringArrays.h"
#include "core/network/SpikingGraph.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace spindle {

static constexpr FileFormat kClustersFormat = {"spindle-clusters", 1};

static std::string nameOfUnit(UnitId unit) {
  return unit == kNone ? "none" : fmt::format("unit {}", unit);
}

UnitId carryTarget(FanInShape shape, UnitId unit, UnitId last) {
  UnitId left = last - unit;
  if (left == 0)
    return kNone;
  return shape == FanInShape::Tree ? last - (left & (left - 1)) : unit + 1;
}

/// The units of one neuron are a run that ends with `last`.
static std::string unitFault(const Clustering &clustering, UnitId u, UnitId last) {
  const std::vector<Unit> &units = clustering.units;
  const Unit &unit = units[u];
  if (unit.neuron >= clustering.neurons)
    return fmt::format("unit {} belongs to neuron {}, but the network has {} neurons", u,
                       unit.neuron, clustering.neurons);
  if (unit.cluster >= clustering.clusters.size())
    return fmt::format("unit {} lies in cluster {}, but there are {} clusters", u, unit.cluster,
                       clustering.clusters.size());
  if (u + 1 < units.size() && units[u + 1].neuron < unit.neuron)
    return fmt::format("the neurons of the units descend at unit {}", u + 1);
  UnitId target = carryTarget(clustering.shape, u, last);
  if (unit.carryTo != target && clustering.shape == FanInShape::Tree)
    return fmt::format("unit {} breaks the tree of neuron {}: it carries to {}, expected {}", u,
                       unit.neuron, nameOfUnit(unit.carryTo), nameOfUnit(target));
  if (unit.carryTo != target)
    return fmt::format("unit {} breaks the chain of neuron {}: every unit of a neuron carries to "
                       "the next, the last one to none",
                       u, unit.neuron);
  return "";
}

static std::string clusterFault(const Clustering &clustering, ClusterId c) {
  const Cluster &cluster = clustering.clusters[c];
  if (cluster.units == 0)
    return fmt::format("cluster {} is empty", c);
  if (cluster.units > clustering.columns || cluster.axons.size() > clustering.rows)
    return fmt::format("cluster {} uses {} rows and {} columns of a crossbar of {}x{}", c,
                       cluster.axons.size(), cluster.units, clustering.rows, clustering.columns);
  uint64_t synapses = 0;
  for (size_t a = 0; a < cluster.axons.size(); ++a) {
    const Axon &axon = cluster.axons[a];
    if (axon.neuron >= clustering.neurons)
      return fmt::format("an axon of cluster {} belongs to neuron {}, but the network has {} "
                         "neurons",
                         c, axon.neuron, clustering.neurons);
    if (a > 0 && cluster.axons[a - 1].neuron >= axon.neuron)
      return fmt::format("the axons of cluster {} do not ascend at neuron {}", c, axon.neuron);
    uint32_t cells = axon.synapses.all();
    if (cells == 0 || cells > cluster.units)
      return fmt::format("axon {} of cluster {} drives {} cells of {} columns", axon.neuron, c,
                         cells, cluster.units);
    synapses += cells;
  }
  if (synapses != cluster.synapses)
    return fmt::format("the axons of cluster {} drive {} cells, it counts {} synapses", c, synapses,
                       cluster.synapses);
  return "";
}

static std::string linkFault(const Clustering &clustering) {
  uint64_t cut = 0;
  for (size_t l = 0; l < clustering.links.size(); ++l) {
    const ClusterLink &link = clustering.links[l];
    size_t count = clustering.clusters.size();
    if ((link.from >= count && link.from != kNone) || link.to >= count || link.from == link.to)
      return fmt::format("link {} has ends that are not two of the {} clusters", l, count);
    if (l > 0) {
      const ClusterLink &before = clustering.links[l - 1];
      if (std::pair(before.from, before.to) >= std::pair(link.from, link.to))
        return fmt::format("the links do not ascend at link {}", l);
    }
    cut += link.from == kNone ? 0 : link.spikes;
  }
  if (cut != clustering.cutSpikes)
    return fmt::format("the links between clusters carry {} spikes, the cut counts {}", cut,
                       clustering.cutSpikes);
  return "";
}

static std::string faultOf(const Clustering &clustering) {
  std::vector<Cluster> counted(clustering.clusters.size());
  UnitId end = 0; // behind the units of the neuron at hand
  for (UnitId u = 0; u < clustering.units.size(); ++u) {
    if (u == end)
      while (end < clustering.units.size() &&
             clustering.units[end].neuron == clustering.units[u].neuron)
        ++end;
    if (std::string fault = unitFault(clustering, u, end - 1); !fault.empty())
      return fault;
    Cluster &cluster = counted[clustering.units[u].cluster];
    ++cluster.units;
    cluster.neurons += clustering.units[u].carryTo == kNone;
  }
  for (ClusterId c = 0; c < counted.size(); ++c) {
    const Cluster &cluster = clustering.clusters[c];
    if (counted[c].units != cluster.units || counted[c].neurons != cluster.neurons)
      return fmt::format("cluster {} counts {} units and {} neurons, {} and {} lie in it", c,
                         cluster.units, cluster.neurons, counted[c].units, counted[c].neurons);
    if (std::string fault = clusterFault(clustering, c); !fault.empty())
      return fault;
  }
  return linkFault(clustering);
}

llvm::Error verify(const Clustering &clustering) {
  std::string fault = faultOf(clustering);
  return fault.empty() ? llvm::Error::success() : checkError("clustering", fault);
}

uint64_t partialSumPackets(const Clustering &clustering, const ClusterLink &link) {
  if (clustering.sums != PartialSums::Vector)
    return link.partialSums;
  return std::min(link.partialSums, uint64_t(clustering.samples) * clustering.steps);
}

std::vector<uint64_t> unitOffsets(const SpikingGraph &graph, const std::vector<Unit> &units) {
  std::vector<uint64_t> offsets;
  offsets.reserve(units.size() + 1);
  for (UnitId begin = 0, end; begin < units.size(); begin = end) {
    NeuronId neuron = units[begin].neuron;
    for (end = begin; end < units.size() && units[end].neuron == neuron;)
      ++end;
    uint64_t fanIn = graph.fanIn(neuron), parts = end - begin;
    uint64_t isPairs = parts > 1 && parts + 1 == fanIn;
    for (uint64_t part = 0; part < parts; ++part)
      offsets.push_back(graph.offsets[neuron] + fanIn * part / parts + (part > 0 ? isPairs : 0));
  }
  offsets.push_back(graph.synapses());
  return offsets;
}

static void describe(auto &file, MaybeConst<Unit> auto &unit) {
  file.entries(unit.neuron, unit.cluster, orNull(unit.carryTo, kNone));
}

namespace {

/// All cells of an axon, whatever their kind.
template <typename Cells> struct AllCells {
  Cells &cells;
  Json toJson() const { return jsonOf(cells.all()); }
  void readFrom(const Json &json) {
    uint32_t all = 0;
    readInto(json, all);
    cells = all;
  }
};

/// How many cells of each axon are of a kind, which file have beside the axons: `all`, or a list.
template <typename Axons> struct CellsOfKind {
  Axons &axons;
  SynapseKind kind;
  bool areAll() const {
    return std::ranges::all_of(
        axons, [&](const Axon &axon) { return axon.synapses[kind] == axon.synapses.all(); });
  }
  Json toJson() const {
    if (areAll())
      return "all";
    Json counts = Json::array();
    for (const Axon &axon : axons)
      counts.push_back(axon.synapses[kind]);
    return counts;
  }
  void readFrom(const Json &json) {
    bool isAll = json.is_string();
    if (isAll ? textValue(json) != "all" : listValue(json).size() != axons.size())
      refuseValue(json, fmt::format("all, or a number for each of {} axons", axons.size()));
    for (size_t a = 0; a < axons.size(); ++a) {
      SynapsesByKind<uint32_t> &cells = axons[a].synapses;
      uint32_t &unknown = cells[SynapseKind::Unknown];
      uint32_t count = isAll ? unknown : 0;
      if (!isAll)
        readInto(json[a], count);
      if (isAll && count < cells.all())
        refuseValue(json,
                    fmt::format("a list, as {} of the {} cells of axon {} are of another kind",
                                cells.all() - count, cells.all(), a));
      if (count > unknown)
        refuseValue(json[a], fmt::format("at most the {} cells of its axon", unknown));
      unknown -= count;
      cells[kind] += count;
    }
  }
};

} // namespace

static void describe(auto &file, MaybeConst<Axon> auto &axon) {
  file.entries(axon.neuron, AllCells{axon.synapses}, axon.spikes);
}

static void describe(auto &file, MaybeConst<Cluster> auto &cluster) {
  file.field("units", cluster.units);
  file.field("neurons", cluster.neurons);
  file.field("synapses", cluster.synapses);
  file.field("axons", cluster.axons);
  for (SynapseKind kind : llvm::ArrayRef(kSynapseKinds).drop_front()) {
    const char *name = kSynapseKindNames[size_t(kind)];
    bool isThere = std::ranges::any_of(cluster.axons,
                                       [&](const Axon &axon) { return axon.synapses[kind] > 0; });
    if (file.has(name, isThere))
      file.field(name, CellsOfKind{cluster.axons, kind});
  }
}

static void describe(auto &file, MaybeConst<ClusterLink> auto &link) {
  file.field("from", orNull(link.from, kNone));
  file.field("to", link.to);
  file.field("spikes", link.spikes);
  file.field("partial_sums", link.partialSums);
}

/// `arrays`: of its lists, where they lie beside the file; what is read always has a place for it.
static void describe(auto &file, MaybeConst<Clustering> auto &clustering, auto &arrays) {
  file.field("algorithm", clustering.algorithm);
  file.field("rows", clustering.rows);
  file.field("columns", clustering.columns);
  file.field("neurons", clustering.neurons);
  file.field("samples", clustering.samples);
  file.field("steps", clustering.steps);
  if (file.has("fan_in_shape", clustering.shape != FanInShape::Rows))
    file.field("fan_in_shape", wordOf(clustering.shape, kFanInShapeNames, "rows, tree or pairs"));
  else
    file.assume(clustering.shape, FanInShape::Rows);
  if (file.has("partial_sums", clustering.sums != PartialSums::Packets))
    file.field("partial_sums",
               wordOf(clustering.sums, kPartialSumsNames, "packets, vector or tile"));
  else
    file.assume(clustering.sums, PartialSums::Packets);
  if (file.has("column_order", clustering.order != ColumnOrder::Neurons))
    file.field("column_order",
               wordOf(clustering.order, kColumnOrderNames, "neurons or spikes_first"));
  else
    file.assume(clustering.order, ColumnOrder::Neurons);
  file.field("cut_spikes", clustering.cutSpikes);
  file.optional("arrays", arrays);
  if (arrays)
    return;
  file.field("units", clustering.units);
  file.field("clusters", clustering.clusters);
  file.field("links", clustering.links);
}

static uint64_t entriesOf(const Clustering &clustering) {
  uint64_t entries = clustering.units.size() + clustering.links.size();
  for (const Cluster &cluster : clustering.clusters)
    entries += cluster.axons.size();
  return entries;
}

llvm::Error writeClustering(const std::string &path, const Clustering &clustering, ListsIn lists) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  std::optional<ArraysOf> arrays;
  if (areArrays(lists, entriesOf(clustering))) {
    SPINDLE_RETURN_IF_ERROR(writeClusteringArrays(arraysPath(path), clustering));
    SPINDLE_ASSIGN(arrays, ArraysOf::written(path));
  }
  return writeDescribed(path, kClustersFormat, clustering, arrays);
}

llvm::Error writePart(const std::string &path, const Clustering &clustering) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  std::string text;
  for (const Unit &unit : clustering.units)
    text += fmt::format("{}\n", unit.cluster);
  return writeFile(path, text);
}

llvm::Expected<Clustering> readClustering(const std::string &path) {
  SPINDLE_ASSIGN(Clustering clustering,
                 readWithArrays<Clustering>(path, kClustersFormat, "units", readClusteringArrays));
  if (std::string fault = faultOf(clustering); !fault.empty())
    return inputError(path, "not a valid clustering: " + fault);
  return clustering;
}

} // namespace spindle
