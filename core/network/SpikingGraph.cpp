#include "core/network/SpikingGraph.h"

#include "core/network/PopulationFile.h"
#include "core/network/synapses/SynapseRuns.h"
#include "core/support/files/File.h"
#include "core/support/formats/Hdf5.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spindle {

static constexpr FileFormat kGraphFormat = {"spindle-graph", 1};

static constexpr const char *kRestless = "populations/restless";
static constexpr const char *kProjections = "edges/network/projections"; // three numbers each

static constexpr const char *kCounts = "spikes/count", *kOffsets = "edges/network/offsets",
                            *kSources = "edges/network/source_node_id",
                            *kWeights = "edges/network/0/syn_weight";

// Where lists are shared there are no edges of SONATA.
static constexpr const char *kLists = "lists/of_neuron", *kListOffsets = "lists/offsets",
                            *kListSources = "lists/sources";

/// What is wrong with the lengths of the arrays, empty when nothing.
static std::string sizeFault(const SpikingGraph &graph) {
  if (neuronCount(graph.populations) != graph.spikes.size())
    return fmt::format("the populations hold {} neurons, spikes are given for {}",
                       neuronCount(graph.populations), graph.spikes.size());
  if (graph.sharesLists() && graph.lists.size() != graph.spikes.size())
    return fmt::format("{} neurons have a list, there are {}", graph.lists.size(),
                       graph.spikes.size());
  if (!graph.sharesLists() && graph.offsets.size() != graph.spikes.size() + 1)
    return fmt::format("{} offsets for {} neurons, expected one more than neurons",
                       graph.offsets.size(), graph.spikes.size());
  if (graph.offsets.empty() || graph.offsets.front() != 0 ||
      graph.offsets.back() != graph.sources.size())
    return fmt::format("the offsets run from {} to {}, expected 0 to {}",
                       graph.offsets.empty() ? 0 : graph.offsets.front(),
                       graph.offsets.empty() ? 0 : graph.offsets.back(), graph.sources.size());
  const char *each = graph.sharesLists() ? "list" : "neuron";
  for (size_t l = 0; l + 1 < graph.offsets.size(); ++l)
    if (graph.offsets[l] > graph.offsets[l + 1])
      return fmt::format("the offsets descend at {} {}", each, l);
  if (size_t needed = graph.sharesLists() ? 0 : graph.sources.size();
      graph.weights.size() != needed)
    return fmt::format("{} weights for {} synapses", graph.weights.size(), needed);
  return "";
}

/// What is wrong with who has which list; empty when nothing.
static std::string listFault(const SpikingGraph &graph) {
  size_t lists = graph.offsets.size() - 1;
  std::vector<size_t> populationOf(lists, SIZE_MAX);
  for (size_t p = 0; p < graph.populations.size(); ++p)
    for (uint32_t i = 0; i < graph.populations[p].size; ++i) {
      NeuronId n = graph.populations[p].first + i;
      uint32_t list = graph.lists[n];
      if (list >= lists)
        return fmt::format("neuron {} has list {}, there are {}", n, list, lists);
      if (graph.fanIn(n) == 0)
        continue; // anybody's
      if (populationOf[list] != SIZE_MAX && populationOf[list] != p)
        return fmt::format("list {} is of neurons of '{}' and of '{}', expected one population",
                           list, graph.populations[populationOf[list]].name,
                           graph.populations[p].name);
      populationOf[list] = p;
    }
  return "";
}

/// Of a list, which is a neuron's own where lists are not shared.
static std::string sourceFault(const SpikingGraph &graph, uint32_t list) {
  const char *each = graph.sharesLists() ? "list" : "neuron";
  for (uint64_t s = graph.offsets[list]; s < graph.offsets[list + 1]; ++s) {
    if (graph.sources[s] >= graph.neurons())
      return fmt::format("{} {} is driven by neuron {}, the last is {}", each, list,
                         graph.sources[s], graph.neurons() - 1);
    if (s > graph.offsets[list] && graph.sources[s - 1] >= graph.sources[s])
      return fmt::format("the sources of {} {} do not ascend at neuron {}", each, list,
                         graph.sources[s]);
  }
  return "";
}

static std::string projectionFault(const SpikingGraph &graph) {
  for (size_t p = 0; p < graph.projections.size(); ++p) {
    const ProjectionKind &own = graph.projections[p];
    if (std::max(own.from, own.to) >= graph.populations.size())
      return fmt::format("projection {} leads from population {} to {}, the last is {}", p,
                         own.from, own.to, int64_t(graph.populations.size()) - 1);
    if (p == 0)
      continue;
    const ProjectionKind &before = graph.projections[p - 1];
    if (std::pair(before.from, before.to) >= std::pair(own.from, own.to))
      return fmt::format("the projections do not ascend at projection {}", p);
  }
  return "";
}

static std::string faultOf(const SpikingGraph &graph) {
  if (std::string fault = populationFault(graph.populations); !fault.empty())
    return fault;
  if (std::string fault = projectionFault(graph); !fault.empty())
    return fault;
  if (!graph.restless.empty() && graph.restless.size() != graph.populations.size())
    return fmt::format("{} populations are restless or not, there are {}", graph.restless.size(),
                       graph.populations.size());
  for (size_t p = 0; p < graph.restless.size(); ++p)
    if (graph.restless[p] > 1)
      return fmt::format("data set '{}' holds {} at index {}, population '{}', expected 0 or 1",
                         kRestless, graph.restless[p], p, graph.populations[p].name);
  if (std::string fault = sizeFault(graph); !fault.empty())
    return fault;
  if (graph.sharesLists())
    if (std::string fault = listFault(graph); !fault.empty())
      return fault;
  for (const Population &population : graph.populations)
    for (NeuronId n = population.first; n < population.first + population.size; ++n) {
      if (population.kind == PopulationKind::Input && graph.fanIn(n) != 0)
        return fmt::format("neuron {} of the input population '{}' has {} synapses, expected none",
                           n, population.name, graph.fanIn(n));
      if (graph.sharesLists())
        continue;
      if (std::string fault = sourceFault(graph, n); !fault.empty())
        return fault;
    }
  for (uint32_t list = 0; graph.sharesLists() && list + 1 < graph.offsets.size(); ++list)
    if (std::string fault = sourceFault(graph, list); !fault.empty())
      return fault;
  return "";
}

uint64_t SpikingGraph::synapses() const {
  if (!sharesLists())
    return sources.size();
  uint64_t all = 0;
  for (NeuronId n = 0; n < neurons(); ++n)
    all += fanIn(n);
  return all;
}

llvm::Error needSynapses(const SpikingGraph &graph, const std::string &place,
                         const std::string &what) {
  if (!graph.sharesLists())
    return llvm::Error::success();
  return inputError(
      place, fmt::format("its {} synapses are in lists that neurons share, {} needs them one "
                         "by one, with their weights; take a smaller network",
                         graph.synapses(), what));
}

std::vector<bool> restlessNeurons(const SpikingGraph &graph) {
  std::vector<bool> restless(graph.neurons());
  for (size_t p = 0; p < graph.populations.size(); ++p)
    for (uint32_t n = 0; n < graph.populations[p].size; ++n)
      restless[graph.populations[p].first + n] = graph.isRestless(p);
  return restless;
}

llvm::Error verify(const SpikingGraph &graph) {
  std::string fault = faultOf(graph);
  return fault.empty() ? llvm::Error::success() : checkError("spiking graph", fault);
}

/// Those of SONATA: the number of the kind.
static std::vector<uint32_t> edgeTypes(const SpikingGraph &graph) {
  std::vector<uint32_t> types(graph.synapses());
  SynapseRuns runs(graph);
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    runs.forEach(n, graph.offsets[n], graph.offsets[n + 1],
                 [&](uint64_t begin, uint64_t end, SynapseKind kind) {
                   std::fill(types.begin() + ptrdiff_t(begin), types.begin() + ptrdiff_t(end),
                             uint32_t(kind));
                 });
  return types;
}

static llvm::Error writeProjections(Hdf5Writer &file, const SpikingGraph &graph) {
  std::vector<uint32_t> projections;
  for (const ProjectionKind &each : graph.projections)
    projections.insert(projections.end(), {each.from, each.to, uint32_t(each.kind)});
  return projections.empty() ? llvm::Error::success() : file.write(kProjections, projections);
}

static llvm::Error writeLists(Hdf5Writer &file, const SpikingGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(file.write(kLists, graph.lists));
  SPINDLE_RETURN_IF_ERROR(file.write(kListOffsets, graph.offsets));
  return file.write(kListSources, graph.sources);
}

static llvm::Error writeSynapses(Hdf5Writer &file, const SpikingGraph &graph) {
  const std::string edges = "edges/network/";
  std::vector<uint64_t> sources(graph.sources.begin(), graph.sources.end()), targets;
  targets.reserve(graph.synapses());
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    targets.insert(targets.end(), graph.fanIn(n), n);
  SPINDLE_RETURN_IF_ERROR(file.write(kSources, sources));
  SPINDLE_RETURN_IF_ERROR(file.write(edges + "target_node_id", targets));
  for (const char *end : {"source_node_id", "target_node_id"})
    SPINDLE_RETURN_IF_ERROR(file.attribute(edges + end, "node_population", std::string("network")));
  SPINDLE_RETURN_IF_ERROR(file.write(edges + "edge_type_id", edgeTypes(graph)));
  SPINDLE_RETURN_IF_ERROR(file.write(kWeights, graph.weights));
  return file.write(kOffsets, graph.offsets);
}

llvm::Error writeSpikingGraph(const std::string &path, const SpikingGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_ASSIGN(Hdf5Writer file, Hdf5Writer::create(path));
  SPINDLE_RETURN_IF_ERROR(writeSonataHeader(file, kGraphFormat));
  SPINDLE_RETURN_IF_ERROR(writePopulations(file, graph.populations));
  if (!graph.restless.empty())
    SPINDLE_RETURN_IF_ERROR(file.write(kRestless, graph.restless));
  SPINDLE_RETURN_IF_ERROR(file.write(kCounts, graph.spikes));
  SPINDLE_RETURN_IF_ERROR(file.attribute("spikes", "samples", int64_t(graph.samples)));
  SPINDLE_RETURN_IF_ERROR(file.attribute("spikes", "steps", int64_t(graph.steps)));
  SPINDLE_RETURN_IF_ERROR(writeProjections(file, graph));
  SPINDLE_RETURN_IF_ERROR(graph.sharesLists() ? writeLists(file, graph)
                                              : writeSynapses(file, graph));
  return file.close();
}

static llvm::Error checkGraphHeader(const Hdf5Reader &file) {
  std::string format;
  int64_t version = 0;
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format", format));
  SPINDLE_RETURN_IF_ERROR(file.attribute("/", "format_version", version));
  if (format != kGraphFormat.name)
    return inputError(file.fileName(),
                      fmt::format("not a {} file, its format is '{}'", kGraphFormat.name, format));
  if (version != kGraphFormat.version)
    return inputError(file.fileName(),
                      fmt::format("version {} of {}, expected version {}; run the "
                                  "stage that writes it again",
                                  version, kGraphFormat.name, kGraphFormat.version));
  return llvm::Error::success();
}

static llvm::Error readCount(const Hdf5Reader &file, const char *name, uint32_t &count) {
  int64_t value = 0;
  SPINDLE_RETURN_IF_ERROR(file.attribute("spikes", name, value));
  if (value < 0 || value > UINT32_MAX)
    return inputError(file.fileName(),
                      fmt::format("spikes have {} {}, expected 0 to {}", value, name, UINT32_MAX));
  count = static_cast<uint32_t>(value);
  return llvm::Error::success();
}

/// Reads an array of as many values as the header, or an array before it, asks for: a packed file
/// of a few megabytes may declare more than memory holds.
template <typename T>
static llvm::Error readArray(const Hdf5Reader &file, const char *name, uint64_t count,
                             const char *reason, std::vector<T> &values) {
  SPINDLE_ASSIGN(std::vector<uint64_t> extents, file.shape(name));
  if (extents != std::vector<uint64_t>{count})
    return inputError(file.fileName(),
                      fmt::format("data set '{}' has the extents [{}], expected [{}], {}; write it "
                                  "again with 'spindle graph'",
                                  name, fmt::join(extents, ", "), count, reason));
  return file.read(name, values);
}

static llvm::Error readArrays(const Hdf5Reader &file, SpikingGraph &graph) {
  uint64_t neurons = neuronCount(graph.populations);
  SPINDLE_RETURN_IF_ERROR(readArray(file, kCounts, neurons, "one per neuron", graph.spikes));
  if (file.has(kLists)) {
    SPINDLE_RETURN_IF_ERROR(readArray(file, kLists, neurons, "one per neuron", graph.lists));
    SPINDLE_RETURN_IF_ERROR(file.read(kListOffsets, graph.offsets));
    uint64_t entries = graph.offsets.empty() ? 0 : graph.offsets.back();
    return readArray(file, kListSources, entries, "one per entry of the offsets", graph.sources);
  }
  SPINDLE_RETURN_IF_ERROR(
      readArray(file, kOffsets, neurons + 1, "one more than neurons", graph.offsets));
  const char *each = "one per synapse of the offsets";
  SPINDLE_RETURN_IF_ERROR(readArray(file, kSources, graph.offsets.back(), each, graph.sources));
  return readArray(file, kWeights, graph.offsets.back(), each, graph.weights);
}

/// Graphs of older versions have none.
static llvm::Error readProjections(const Hdf5Reader &file, SpikingGraph &graph) {
  if (!file.has(kProjections))
    return llvm::Error::success();
  SPINDLE_ASSIGN(std::vector<uint64_t> extents, file.shape(kProjections));
  uint64_t most = graph.populations.size() * graph.populations.size();
  if (extents.size() != 1 || extents[0] % 3 != 0 || extents[0] / 3 > most)
    return inputError(file.fileName(),
                      fmt::format("data set '{}' has the extents [{}], expected three numbers for "
                                  "each of at most {} pairs of populations; write it again with "
                                  "'spindle graph'",
                                  kProjections, fmt::join(extents, ", "), most));
  std::vector<uint32_t> numbers;
  SPINDLE_RETURN_IF_ERROR(file.read(kProjections, numbers));
  for (size_t p = 0; p < numbers.size(); p += 3) {
    if (numbers[p + 2] >= std::size(kSynapseKinds))
      return inputError(file.fileName(),
                        fmt::format("data set '{}' holds {} at index {}, expected a kind of 0 to "
                                    "{}; write it again with 'spindle graph'",
                                    kProjections, numbers[p + 2], p + 2,
                                    std::size(kSynapseKinds) - 1));
    graph.projections.push_back({numbers[p], numbers[p + 1], SynapseKind(numbers[p + 2])});
  }
  return llvm::Error::success();
}

/// Sums of spikes over neurons and synapses stay exact in doubles and in JSON.
static constexpr double kMostSpikes = 1ull << 53;

/// What no emulation counts and no crossbar holds, in the words of the data sets; empty when
/// nothing. Requires a graph without a fault.
static std::string valueFault(const SpikingGraph &graph) {
  for (uint64_t s = 0; s < graph.weights.size(); ++s)
    if (!std::isfinite(graph.weights[s]))
      return fmt::format("data set '{}' holds {} at index {}, expected finite numbers", kWeights,
                         graph.weights[s], s);
  // As often in a step as a spike trace may say.
  double most = double(graph.samples) * graph.steps * UINT32_MAX, sum = 0;
  for (NeuronId n = 0; n < graph.neurons(); ++n) {
    if (double(graph.spikes[n]) > most)
      return fmt::format("data set '{}' holds {} at index {}, expected at most {} in each of {} "
                         "steps of {} samples",
                         kCounts, graph.spikes[n], n, UINT32_MAX, graph.steps, graph.samples);
    sum += double(graph.spikes[n]);
  }
  std::vector<double> ofList(graph.offsets.size() - 1);
  for (size_t list = 0; list < ofList.size(); ++list)
    for (uint64_t s = graph.offsets[list]; s < graph.offsets[list + 1]; ++s)
      ofList[list] += double(graph.spikes[graph.sources[s]]);
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    sum += ofList[graph.listOf(n)];
  if (sum > kMostSpikes)
    return fmt::format("data set '{}' makes {:.4g} spikes, counted at every neuron and every "
                       "synapse, expected at most {:.0f}",
                       kCounts, sum, kMostSpikes);
  return "";
}

llvm::Expected<SpikingGraph> readSpikingGraph(const std::string &path) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  SPINDLE_RETURN_IF_ERROR(checkGraphHeader(file));
  SpikingGraph graph;
  SPINDLE_ASSIGN(graph.populations, readPopulations(file));
  SPINDLE_RETURN_IF_ERROR(readCount(file, "samples", graph.samples));
  SPINDLE_RETURN_IF_ERROR(readCount(file, "steps", graph.steps));
  SPINDLE_RETURN_IF_ERROR(readArrays(file, graph));
  SPINDLE_RETURN_IF_ERROR(readProjections(file, graph));
  if (file.has(kRestless)) // older graphs do not say
    SPINDLE_RETURN_IF_ERROR(
        readArray(file, kRestless, graph.populations.size(), "one per population", graph.restless));
  if (std::string fault = faultOf(graph); !fault.empty())
    return inputError(path, "not a valid graph: " + fault);
  if (std::string fault = valueFault(graph); !fault.empty())
    return inputError(path, fault + "; write it again with 'spindle graph'");
  return graph;
}

} // namespace spindle
