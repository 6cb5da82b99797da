#include "lib/frontend/sanafe/SanafeExport.h"

#include "core/chip/work/ColumnOrder.h"
#include "core/network/SpikeTrace.h"
#include "core/network/synapses/SynapseRuns.h"
#include "core/support/FreeNames.h"
#include "lib/frontend/sanafe/ExportArchitecture.h"
#include "lib/frontend/sanafe/SomaParameters.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>

namespace spindle {

namespace sanafe {
namespace {

constexpr uint32_t kMostNeuronsOfACore = 1024; // of the units leaky_integrate_fire and accumulator

/// Names of groups: SANA-FE parts them from neurons by dots, and from each other by arrows.
std::vector<std::string> groupNames(const std::vector<TimedPopulation> &populations) {
  std::vector<std::string> names;
  FreeNames taken("_");
  for (const TimedPopulation &population : populations) {
    std::string base = population.name;
    for (char &c : base)
      if (!llvm::isAlnum(c) && c != '_')
        c = '_';
    names.push_back(taken.takeFree(base));
  }
  return names;
}

class NetworkWriter {
public:
  NetworkWriter(const MappedRun &given, std::vector<TimedPopulation> timed, uint32_t chosen)
      : run(given), populations(std::move(timed)), names(groupNames(populations)), sample(chosen) {}

  llvm::Error check() const;
  /// Works out what every neuron is.
  llvm::Error prepare();
  std::string text();
  const ExtraUnits &units() const { return extra; }
  uint32_t lastShift() const;
  void addNotes(std::vector<std::string> &notes) const;

private:
  bool isReplayed(size_t p) const { return isInput(p) || populations[p].isDriven; }
  bool isInput(size_t p) const { return run.graph.populations[p].kind == PopulationKind::Input; }
  void countEvents();
  std::string synapseUnitOf(size_t p) const;
  double extent(size_t p, const std::vector<SomaParameters> &somas) const;
  std::string attributes(size_t p, size_t n) const;
  std::string spikeList(size_t p, size_t n) const;
  void addGroups(std::string &out) const;
  void addEdges(std::string &out) const;
  void addMappings(std::string &out) const;

  const MappedRun &run;
  std::vector<TimedPopulation> populations;
  std::vector<std::string> names;
  uint32_t sample;
  std::vector<std::vector<SomaParameters>> somas; // per population: one per neuron; none: replayed
  std::vector<bool> isExact;                      // per population: of the unit `exact`
  /// Per population: units that work its synapses here, with the events of each in all samples; the
  /// general one has no name.
  std::vector<std::map<std::string, uint64_t>> synapseUnits;
  std::vector<std::vector<uint32_t>> times; // per neuron that is replayed
  ExtraUnits extra;
  std::vector<uint32_t> unitOf; // per neuron: which of the units for given spikes
};

llvm::Error NetworkWriter::check() const {
  const Clustering &clustering = run.clustering;
  bool isOne = run.graph.populations.size() == populations.size() &&
               run.trace.populations == run.graph.populations &&
               clustering.neurons == run.graph.neurons() && run.mapping.mesh == run.chip.mesh;
  if (!isOne)
    return inputError("", "the stage files are of different networks or chips; run the flow again");
  if (sample >= run.trace.recorded.size())
    return inputError("", fmt::format("sample {} is not recorded, the run has 0 to {}; set "
                                      "emulation.record_samples",
                                      sample, int64_t(run.trace.recorded.size()) - 1));
  for (const Unit &unit : clustering.units)
    if (unit.carryTo != kNone)
      return inputError(run.chip.path,
                        fmt::format("neuron {} is divided among several columns, as it has more "
                                    "sources than a crossbar has rows, and SANA-FE knows whole "
                                    "neurons; use crossbars of more rows",
                                    unit.neuron));
  for (size_t p = 0; p < populations.size(); ++p)
    for (uint32_t n = 0; n < run.graph.populations[p].size && isReplayed(p); ++n)
      if (run.graph.fanIn(run.graph.populations[p].first + n) > 0)
        return inputError(placeOf(populations[p].op),
                          fmt::format("{} hears spikes and a current that the host computes, and "
                                      "SANA-FE knows one of the two",
                                      populations[p].name));
  for (const Cluster &cluster : clustering.clusters)
    if (cluster.units > kMostNeuronsOfACore)
      return inputError(run.chip.path,
                        fmt::format("{} neurons are in one crossbar, and units of SANA-FE hold {}; "
                                    "use crossbars of fewer columns",
                                    cluster.units, kMostNeuronsOfACore));
  return llvm::Error::success();
}

/// How far from its rest a membrane may ever be: all that it may take in over all steps, and what a
/// leak leaves of that.
double NetworkWriter::extent(size_t p, const std::vector<SomaParameters> &all) const {
  const Population &population = run.graph.populations[p];
  double most = 0, steps = run.trace.steps + lastShift();
  for (uint32_t n = 0; n < population.size; ++n) {
    const SomaParameters &soma = all[n];
    double sum = 0,
           longest = soma.leakDecay == 1 ? steps : std::min(steps, 1 / (1 - soma.leakDecay));
    uint64_t first = run.graph.offsets[population.first + n],
             last = run.graph.offsets[population.first + n + 1];
    for (uint64_t k = first; k < last; ++k)
      sum += std::abs(double(run.graph.weights[k]));
    sum *= std::abs(soma.gain) / (1 - std::min(soma.inputDecay, 1 - 1 / steps));
    most = std::max({most, (sum + std::abs(soma.bias)) * longest + std::abs(soma.potential),
                     std::abs(soma.reset), soma.threshold < 1e29 ? soma.threshold : 0});
  }
  return most;
}

void NetworkWriter::countEvents() {
  SynapseRuns runs(run.graph);
  for (const Population &population : run.graph.populations) {
    std::map<std::string, uint64_t> &units = synapseUnits.emplace_back();
    for (uint32_t n = population.first; n < population.first + population.size; ++n)
      runs.forEach(n, run.graph.offsets[n], run.graph.offsets[n + 1],
                   [&](uint64_t first, uint64_t last, SynapseKind kind) {
                     uint64_t &events = units[run.chip.prices(kind) ? synapseUnit(kind) : ""];
                     for (uint64_t s = first; s < last; ++s)
                       events += run.graph.spikes[run.graph.sources[s]];
                   });
  }
}

/// The one that works most.
std::string NetworkWriter::synapseUnitOf(size_t p) const {
  std::string unit;
  uint64_t most = 0;
  for (const auto &[name, events] : synapseUnits[p])
    if (events >= most) {
      most = events;
      unit = name;
    }
  return unit;
}

void NetworkWriter::addNotes(std::vector<std::string> &notes) const {
  for (size_t p = 0; p < populations.size(); ++p) {
    const std::map<std::string, uint64_t> &units = synapseUnits[p];
    if (isReplayed(p) || units.size() < 2)
      continue;
    std::string chosen = synapseUnitOf(p);
    uint64_t all = 0;
    for (const auto &[name, events] : units)
      all += events;
    notes.push_back(fmt::format(
        "neurons of SANA-FE have synapses of one kind, and {} hears several: all of them are of "
        "the unit '{}' there, which works {:.3g} % of their events here",
        populations[p].name, chosen.empty() ? "synapses" : chosen,
        all == 0 ? 0 : 100 * double(units.at(chosen)) / double(all)));
  }
}

uint32_t NetworkWriter::lastShift() const {
  uint32_t last = 0;
  for (const TimedPopulation &population : populations)
    last = std::max(last, population.shift);
  return last;
}

llvm::Error NetworkWriter::prepare() {
  countEvents();
  const std::vector<Population> &all = run.graph.populations;
  somas.resize(all.size());
  isExact.assign(all.size(), true);
  for (size_t p = 0; p < all.size(); ++p) {
    if (isReplayed(p))
      continue;
    auto neurons = llvm::cast<snn::NeuronOp>(populations[p].op);
    snn::NeuronModel model = neurons.neuronModel();
    for (uint32_t n = 0; n < all[p].size; ++n) {
      SPINDLE_ASSIGN(SomaParameters soma, somaParameters(populations[p], model, n));
      somas[p].push_back(soma);
      isExact[p] = isExact[p] && soma.fitsExactUnit();
    }
    if (isExact[p])
      continue;
    double scale = scaleFor(extent(p, somas[p]));
    for (SomaParameters &soma : somas[p]) {
      soma = scaled(soma, scale);
      soma.threshold = std::nextafter(soma.threshold, -INFINITY); // spikes above it, ours at it
    }
  }
  times.resize(run.graph.neurons());
  for (const Spike &spike : run.trace.recorded[sample])
    times[spike.neuron].push_back(spike.step);
  unitOf.assign(run.graph.neurons(), 0);
  extra.replayed.assign(size_t(run.chip.mesh.tiles()) * run.chip.crossbarsPerTile, 0);
  for (size_t p = 0; p < all.size(); ++p)
    for (uint32_t n = 0; n < all[p].size && isInput(p); ++n)
      unitOf[all[p].first + n] = extra.inputs++;
  std::vector<bool> isGiven(run.graph.neurons());
  for (size_t p = 0; p < all.size(); ++p)
    std::fill_n(isGiven.begin() + all[p].first, all[p].size, isReplayed(p));
  for (const Unit &unit : run.clustering.units)
    if (isGiven[unit.neuron]) {
      const Placement &place = run.mapping.placements[unit.cluster];
      unitOf[unit.neuron] =
          extra.replayed[size_t(place.tile) * run.chip.crossbarsPerTile + place.crossbar]++;
    }
  return llvm::Error::success();
}

std::string NetworkWriter::spikeList(size_t p, size_t n) const {
  const std::vector<uint32_t> &steps = times[run.graph.populations[p].first + n];
  std::string list;
  uint32_t next = 0, shift = populations[p].shift;
  for (uint32_t step : steps) {
    for (; next < step + shift; ++next)
      list += "0, ";
    list += "1, ";
    ++next;
  }
  list.resize(list.size() - std::min<size_t>(2, list.size()));
  return list;
}

std::string NetworkWriter::attributes(size_t p, size_t n) const {
  if (isReplayed(p)) {
    std::string list = spikeList(p, n);
    return list.empty() ? "" : fmt::format("soma: {{spikes: [{}]}}", list);
  }
  const SomaParameters &soma = somas[p][n];
  std::string text = fmt::format("threshold: {}, reset_mode: {}", digits(soma.threshold),
                                 soma.isSoft ? "soft" : "hard");
  if (!soma.isSoft)
    text += fmt::format(", reset: {}", digits(soma.reset));
  if (soma.bias != 0)
    text += fmt::format(", bias: {}", digits(soma.bias));
  if (isExact[p])
    return fmt::format("soma: {{{}}}", text);
  text += fmt::format(", leak_decay: {}", digits(soma.leakDecay));
  if (soma.inputDecay != 0)
    text += fmt::format(", input_decay: {}", digits(soma.inputDecay));
  if (soma.potential != 0)
    text += fmt::format(", potential: {}", digits(soma.potential));
  if (soma.refractoryDelay != 0)
    text += fmt::format(", refractory_delay: {}", soma.refractoryDelay);
  return fmt::format("soma: {{{}}}", text);
}

/// Neurons that follow each other and are alike stand in one line.
void NetworkWriter::addGroups(std::string &out) const {
  for (size_t p = 0; p < names.size(); ++p) {
    out += fmt::format("    - name: {}\n      attributes: {{log_spikes: true}}\n      neurons:\n",
                       names[p]);
    uint32_t size = run.graph.populations[p].size;
    for (uint32_t begin = 0, end; begin < size; begin = end) {
      std::string text = attributes(p, begin);
      for (end = begin + 1; end < size && attributes(p, end) == text;)
        ++end;
      out += fmt::format("        - {}..{}: {{{}}}\n", begin, end - 1, text);
    }
  }
}

/// A list of pairs and one of weights for each two groups.
void NetworkWriter::addEdges(std::string &out) const {
  const SpikingGraph &graph = run.graph;
  std::vector<size_t> groupOf(graph.neurons());
  for (size_t p = 0; p < names.size(); ++p)
    std::fill_n(groupOf.begin() + graph.populations[p].first, graph.populations[p].size, p);
  for (size_t p = 0; p < names.size(); ++p) {
    const Population &target = graph.populations[p];
    struct Lists {
      std::string pairs, weights;
      size_t count = 0;
    };
    std::map<size_t, Lists> bySource;
    for (uint32_t n = 0; n < target.size && !isReplayed(p); ++n)
      for (uint64_t k = graph.offsets[target.first + n]; k < graph.offsets[target.first + n + 1];
           ++k) {
        size_t from = groupOf[graph.sources[k]];
        Lists &lists = bySource[from];
        const char *between = lists.count == 0        ? ""
                              : lists.count % 16 == 0 ? ",\n          "
                                                      : ", ";
        ++lists.count;
        lists.pairs +=
            fmt::format("{}[{}, {}]", between, graph.sources[k] - graph.populations[from].first, n);
        lists.weights +=
            fmt::format("{}{}", between, digits(double(graph.weights[k]) * somas[p][n].gain));
      }
    for (const auto &[from, lists] : bySource)
      out +=
          fmt::format("    - {} -> {}:\n        type: sparse\n        source_target_pairs: [{}]\n"
                      "        weight: [{}]\n",
                      names[from], names[p], lists.pairs, lists.weights);
  }
}

/// In the order of columns, in which cores work.
void NetworkWriter::addMappings(std::string &out) const {
  const std::vector<Population> &all = run.graph.populations;
  uint32_t hostTile = tileNumber(run.chip.mesh, run.chip.mesh.hostTiles.front());
  std::vector<size_t> groupOf(run.graph.neurons());
  for (size_t p = 0; p < all.size(); ++p) {
    std::fill_n(groupOf.begin() + all[p].first, all[p].size, p);
    for (uint32_t n = 0; n < all[p].size && isInput(p); ++n)
      out += fmt::format("  - {}.{}: {{core: {}.{}, soma: \"inputs[{}]\"}}\n", names[p], n,
                         hostTile, run.chip.crossbarsPerTile, unitOf[all[p].first + n]);
  }
  std::vector<Unit> units; // in which SANA-FE updates the neurons of a core
  for (UnitId unit : columnOrder(run.clustering))
    units.push_back(run.clustering.units[unit]);
  if (run.clustering.order != ColumnOrder::Neurons)
    std::ranges::stable_sort(units, {}, &Unit::cluster);
  for (size_t begin = 0, end; begin < units.size(); begin = end) {
    size_t p = groupOf[units[begin].neuron];
    const Placement &place = run.mapping.placements[units[begin].cluster];
    std::string core = fmt::format("{}.{}", tileNumber(run.chip.mesh, place.tile), place.crossbar);
    uint32_t first = units[begin].neuron - all[p].first;
    end = begin + 1;
    if (isReplayed(p)) {
      out += fmt::format("  - {}.{}: {{core: {}, soma: \"replay[{}]\"}}\n", names[p], first, core,
                         unitOf[units[begin].neuron]);
      continue;
    }
    while (end < units.size() && units[end].cluster == units[begin].cluster &&
           groupOf[units[end].neuron] == p && units[end].neuron == units[end - 1].neuron + 1)
      ++end;
    std::string unit = synapseUnitOf(p);
    out += fmt::format("  - {}.{}..{}: {{core: {}, soma: {}{}}}\n", names[p], first,
                       units[end - 1].neuron - all[p].first, core, isExact[p] ? "exact" : "leaky",
                       unit.empty() ? "" : ", synapse: " + unit);
  }
}

std::string NetworkWriter::text() {
  std::string out = "network:\n  name: network\n  groups:\n";
  addGroups(out);
  std::string edges;
  addEdges(edges);
  out += edges.empty() ? "  edges: []\n" : "  edges:\n" + edges;
  out += "mappings:\n";
  addMappings(out);
  return out;
}

} // namespace
} // namespace sanafe

llvm::Expected<SanafeFiles> exportSanafe(const MappedRun &run, uint32_t sample) {
  SPINDLE_ASSIGN(std::vector<sanafe::TimedPopulation> populations,
                 sanafe::timedPopulations(run.snn));
  bool isReplayed = false;
  for (size_t p = 0; p < populations.size(); ++p)
    isReplayed |= populations[p].isDriven && p < run.graph.populations.size() &&
                  run.graph.populations[p].kind == PopulationKind::Neuron;
  sanafe::NetworkWriter writer(run, std::move(populations), sample);
  SPINDLE_RETURN_IF_ERROR(writer.check());
  SPINDLE_RETURN_IF_ERROR(writer.prepare());
  SanafeFiles files;
  SPINDLE_ASSIGN(files.architecture,
                 sanafe::architectureText(run.chip, run.mapping, writer.units(), files.notes));
  if (isReplayed)
    files.notes.push_back("neurons whose current the host computes spike in SANA-FE as they did "
                          "here, at the prices of inputs: an update is charged with a spike alone");
  writer.addNotes(files.notes);
  files.network = writer.text();
  files.steps = run.trace.steps + writer.lastShift();
  return files;
}

} // namespace spindle
