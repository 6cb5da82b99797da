#include "lib/frontend/sanafe/SanafeImport.h"

#include "lib/frontend/sanafe/ImportNeurons.h"

#include "core/support/FreeNames.h"
#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>

namespace spindle {

namespace sanafe {
namespace {

constexpr uint32_t kStepsWithoutEnd = 100; // of networks whose inputs have no list of spikes

/// Names that network files take, no two alike.
std::vector<std::string> populationNames(const MappedNetwork &network) {
  std::vector<std::string> names;
  FreeNames taken("_");
  taken.take("recording");
  for (const NeuronGroup &group : network.groups) {
    std::string base = group.name.empty() ? "group" : group.name;
    for (char &c : base)
      if (!llvm::isAlnum(c) && c != '_')
        c = '_';
    if (llvm::isDigit(base[0]))
      base = "group" + base;
    names.push_back(taken.takeFree(base));
  }
  return names;
}

/// The model of the soma that all neurons of a group have.
llvm::Expected<std::string> modelOf(const Architecture &architecture, const MappedNetwork &network,
                                    const NeuronGroup &group) {
  std::string model;
  for (const MappedNeuron &neuron : group.neurons) {
    SPINDLE_ASSIGN(const HardwareUnit *soma, somaOf(architecture, network, group, neuron));
    if (!model.empty() && soma->model != model)
      return inputError(
          group.place,
          fmt::format("group '{}' has neurons of the models {} and {}, and a population "
                      "here is of one kind; make a group of each",
                      excerpt(group.name, 40), model, soma->model));
    model = soma->model;
  }
  return model;
}

/// Populations and projections of a network file. Inputs whose spikes are given are neurons of one
/// population, the recording; the others have sources of their own.
class NetworkText {
public:
  NetworkText(const Architecture &hardware, const MappedNetwork &mapped,
              const std::vector<SynapseKind> &kindsOfGroups, ImportedSanafe &imported)
      : architecture(hardware), network(mapped), kinds(kindsOfGroups), result(imported),
        names(populationNames(mapped)) {}

  llvm::Error add(uint32_t steps) {
    SPINDLE_RETURN_IF_ERROR(chooseSteps(steps));
    SPINDLE_RETURN_IF_ERROR(addInputs());
    SPINDLE_RETURN_IF_ERROR(addNeurons());
    SPINDLE_RETURN_IF_ERROR(addProjections());
    std::string output;
    for (size_t g = 0; g < names.size() && result.inputs > 0; ++g)
      if (models[g] != "input")
        output = fmt::format("output: {}\n", names[g]); // the last one: there are no labels
    result.network = fmt::format("# A network of SANA-FE, version 2: steps are of 1 ms.\ndt: 1\n{}"
                                 "populations:\n{}{}",
                                 output, populations, projections);
    return llvm::Error::success();
  }

private:
  llvm::Error chooseSteps(uint32_t steps) {
    uint32_t longest = 0;
    for (const NeuronGroup &group : network.groups) {
      SPINDLE_ASSIGN(std::string model, modelOf(architecture, network, group));
      models.push_back(model);
      SPINDLE_ASSIGN(uint32_t train, longestTrain(network, group));
      longest = std::max(longest, train);
    }
    result.steps = steps > 0 ? steps : longest > 0 ? longest : kStepsWithoutEnd;
    if (steps == 0 && longest == 0)
      result.notes.push_back(
          fmt::format("no input lists spikes: the flow has {} steps (--steps)", kStepsWithoutEnd));
    return llvm::Error::success();
  }

  llvm::Error addInputs() {
    std::vector<std::pair<uint32_t, uint32_t>> events; // step and input
    sources = names;
    std::string drawn;
    for (size_t g = 0; g < names.size(); ++g) {
      const NeuronGroup &group = network.groups[g];
      if (models[g] != "input")
        continue;
      SPINDLE_ASSIGN(InputSpikes spikes, inputSpikes(network, group, result.steps));
      if (spikes.isDrawn) {
        drawn += fmt::format("  {}: {}\n", names[g], drawnText(spikes.hertz));
        result.notes.push_back(fmt::format("spikes of group '{}' are drawn (poisson): here other "
                                           "ones, of the same rates",
                                           excerpt(group.name, 40)));
        continue;
      }
      auto size = static_cast<uint32_t>(group.neurons.size());
      sources[g] = fmt::format("\"recording[{}:{}]\"", result.inputs, result.inputs + size);
      for (auto [step, neuron] : spikes.listed)
        events.emplace_back(step, result.inputs + neuron);
      result.inputs += size;
    }
    if (result.inputs > 0)
      populations = fmt::format("  recording: {{source: samples, encoding: events, size: {}}}\n",
                                result.inputs);
    populations += drawn;
    if (result.inputs == 0)
      return llvm::Error::success();
    std::ranges::sort(events);
    std::string text = "t_us,address\n";
    for (auto [step, input] : events)
      text += fmt::format("{},{}\n", uint64_t(step) * 1000, input);
    result.parts.push_back({"events.csv", std::move(text)});
    result.parts.push_back({"recordings.txt", "events.csv 0\n"});
    return llvm::Error::success();
  }

  llvm::Error addNeurons() {
    for (size_t g = 0; g < names.size(); ++g) {
      const NeuronGroup &group = network.groups[g];
      if (models[g] == "input")
        continue;
      SPINDLE_ASSIGN(std::string text, neuronsText(network, group, models[g]));
      populations += fmt::format("  {}: {}\n", names[g], text);
      ImportedSanafe::PlacedPopulation placed{names[g], {}};
      for (const MappedNeuron &neuron : group.neurons)
        placed.places.emplace_back(ourTile(architecture, neuron.tile),
                                   crossbarOf(architecture, neuron.tile, neuron.core));
      result.placed.push_back(std::move(placed));
    }
    return llvm::Error::success();
  }

  llvm::Error addProjections() {
    projections = network.lists.empty() ? "projections: []\n" : "projections:\n";
    for (const EdgeList &list : network.lists) {
      const NeuronGroup &target = network.groups[list.target];
      if (models[list.target] == "input")
        return inputError(target.place,
                          fmt::format("group '{}' is of inputs and has edges to it, where SANA-FE "
                                      "stops, too; leave them out",
                                      excerpt(target.name, 40)));
      std::string name = fmt::format("{}-{}.csv", names[list.source], names[list.target]);
      std::string text = "source, target, weight\n";
      for (const Edge &edge : list.edges)
        text += fmt::format("{}, {}, {}\n", edge.source, edge.target, edge.weight);
      SynapseKind kind = kinds[list.target];
      bool hasKinds =
          std::ranges::any_of(kinds, [](SynapseKind each) { return each != SynapseKind::Unknown; });
      projections +=
          fmt::format("  - {{from: {}, to: {}, connect: {{file: {}}}, {}name: {}-{}}}\n",
                      sources[list.source], names[list.target], name,
                      !hasKinds ? "" : fmt::format("kind: {}, ", kSynapseKindNames[size_t(kind)]),
                      names[list.source], names[list.target]);
      result.parts.push_back({name, std::move(text)});
    }
    if (network.doubled > 0)
      result.notes.push_back(fmt::format("{} edges join neurons that another edge joins: here they "
                                         "are one synapse of the sum of the weights, and one event",
                                         network.doubled));
    return llvm::Error::success();
  }

  const Architecture &architecture;
  const MappedNetwork &network;
  const std::vector<SynapseKind> &kinds; // per group, of its synapses
  ImportedSanafe &result;
  std::vector<std::string> names, sources, models; // per group
  std::string populations, projections;
};

} // namespace
} // namespace sanafe

llvm::Expected<ImportedSanafe> importSanafe(const SanafeSource &source) {
  ImportedSanafe result;
  SPINDLE_ASSIGN(sanafe::Architecture architecture, sanafe::readArchitecture(source.architecture));
  std::optional<sanafe::MappedNetwork> network;
  if (!source.network.empty()) {
    SPINDLE_ASSIGN(network, sanafe::readMappedNetwork(source.network));
  }
  SPINDLE_ASSIGN(sanafe::UsedCores used,
                 sanafe::usedCores(architecture, network ? &*network : nullptr, result.notes));
  result.chip = sanafe::chipText(architecture, used, result.notes);
  if (network)
    SPINDLE_RETURN_IF_ERROR(
        sanafe::NetworkText(architecture, *network, used.kinds, result).add(source.steps));
  return result;
}

} // namespace spindle
