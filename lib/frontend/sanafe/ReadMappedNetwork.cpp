#include "lib/frontend/sanafe/MappedNetwork.h"

#include "lib/frontend/sanafe/HyperEdges.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

namespace spindle::sanafe {

namespace {

constexpr uint32_t kMostNeurons = 1 << 22;

class MappedNetworkReader {
public:
  explicit MappedNetworkReader(MappedNetwork &result) : network(result) {}
  llvm::Error read(const Field &root);

private:
  llvm::Error readGroup(const Field &part);
  llvm::Error readNeurons(const Field &list, NeuronGroup &group, uint32_t shared);
  llvm::Error addAttributes(const Field &part, NeuronAttributes &attributes);
  llvm::Error addAttribute(const std::string &key, const Field &value, NeuronAttributes &result);
  llvm::Error readEdge(const std::string &text, const Field &attributes);
  llvm::Error readMapping(const std::string &text, const Field &value);
  llvm::Expected<uint32_t> findGroup(const Field &at, llvm::StringRef name) const;
  llvm::Expected<uint32_t> findNeuron(const Field &at, uint32_t group, llvm::StringRef text) const;
  llvm::Error sortEdges();

  MappedNetwork &network;
  std::map<std::string, uint32_t> numbers; // of groups
  std::map<std::pair<uint32_t, uint32_t>, EdgeList> lists;
  std::map<MappedUnits, uint32_t> unitNumbers;
  uint64_t neurons = 0, edges = 0;
  uint32_t mappings = 0;
};

llvm::Error MappedNetworkReader::addAttribute(const std::string &key, const Field &value,
                                              NeuronAttributes &result) {
  if (key == "log_spikes" || key == "log_potential" || key == "log_u")
    return llvm::Error::success();
  for (auto [name, unit] : {std::pair{"soma_hw_name", &result.soma},
                            {"synapse_hw_name", &result.synapse},
                            {"default_synapse_hw_name", &result.synapse},
                            {"dendrite_hw_name", &result.dendrite}})
    if (key == name) {
      if (!value.isScalar())
        return value.fail(fmt::format("{} is no name", value.title()));
      *unit = value.text();
      return llvm::Error::success();
    }
  if (key == "synapse" || key == "dendrite") {
    SPINDLE_ASSIGN(auto members, value.members());
    if (members.empty())
      return llvm::Error::success();
    return members[0].second.fail(fmt::format("unknown attribute '{}' of a {}: those of neurons "
                                              "here are of their somas",
                                              excerpt(members[0].first, 40), key));
  }
  if (key == "soma")
    return addAttributes(value, result);
  result.of.insert_or_assign(key, value);
  return llvm::Error::success();
}

llvm::Error MappedNetworkReader::addAttributes(const Field &part, NeuronAttributes &attributes) {
  if (part.isEmpty())
    return llvm::Error::success();
  SPINDLE_ASSIGN(auto members, part.members());
  for (const auto &[key, value] : members)
    SPINDLE_RETURN_IF_ERROR(addAttribute(key, value, attributes));
  return llvm::Error::success();
}

/// Neurons are counted by what is listed, each id and each range as often as it is there.
llvm::Error MappedNetworkReader::readNeurons(const Field &list, NeuronGroup &group,
                                             uint32_t shared) {
  if (!list.isList())
    return list.fail(fmt::format("neurons of group '{}' are no list, expected one as in - 0..9: "
                                 "{{}}",
                                 group.name));
  struct Entry {
    IndexRange range;
    Field at;
    std::optional<Field> attributes;
  };
  std::vector<Entry> entries;
  auto add = [&](const std::string &text, const Field &at,
                 std::optional<Field> attributes) -> llvm::Error {
    SPINDLE_ASSIGN(IndexRange range, parseRange(at, text, kMostNeurons));
    if (!range.isRange && llvm::StringRef(text).getAsInteger(10, range.first))
      return at.fail(fmt::format("'{}' is no number of a neuron; SANA-FE counts them from 0",
                                 excerpt(text, 40)));
    range.last = range.isRange ? range.last : range.first;
    neurons += range.count();
    if (neurons > kMostNeurons)
      return at.fail(
          fmt::format("there are more than {} neurons, the most that are read", kMostNeurons));
    group.neurons.resize(group.neurons.size() + range.count(), {shared});
    entries.push_back({range, at, std::move(attributes)});
    return llvm::Error::success();
  };
  for (const Field &entry : list.elements()) {
    if (entry.isScalar()) {
      SPINDLE_RETURN_IF_ERROR(add(entry.text(), entry, {}));
      continue;
    }
    SPINDLE_ASSIGN(auto members, entry.members());
    for (const auto &[text, attributes] : members)
      SPINDLE_RETURN_IF_ERROR(add(text, entry, attributes));
  }
  for (const Entry &entry : entries) {
    if (entry.range.last >= group.neurons.size())
      return entry.at.fail(
          fmt::format("neuron {} of group '{}' is beyond its {} neurons, which are "
                      "numbered from 0",
                      entry.range.last, group.name, group.neurons.size()));
    if (!entry.attributes)
      continue;
    NeuronAttributes attributes = network.attributes[shared];
    SPINDLE_RETURN_IF_ERROR(addAttributes(
        entry.attributes->called(fmt::format("neuron {}.{}", group.name, entry.range.first)),
        attributes));
    for (uint32_t n = entry.range.first; n <= entry.range.last; ++n)
      group.neurons[n].attributes = static_cast<uint32_t>(network.attributes.size());
    network.attributes.push_back(std::move(attributes));
  }
  return llvm::Error::success();
}

llvm::Error MappedNetworkReader::readGroup(const Field &part) {
  NeuronGroup group;
  group.place = part.place();
  SPINDLE_ASSIGN(Field name, part.at("name"));
  if (!name.isScalar())
    return name.fail("the name of a group is no word");
  group.name = name.text();
  if (!numbers.try_emplace(group.name, network.groups.size()).second)
    return name.fail(fmt::format("group '{}' is there twice", excerpt(group.name, 40)));
  auto shared = static_cast<uint32_t>(network.attributes.size());
  network.attributes.emplace_back();
  if (part.has("attributes")) {
    SPINDLE_ASSIGN(Field attributes, part.at("attributes"));
    SPINDLE_RETURN_IF_ERROR(addAttributes(attributes.called(fmt::format("group '{}'", group.name)),
                                          network.attributes[shared]));
  }
  SPINDLE_ASSIGN(Field list, part.at("neurons"));
  SPINDLE_RETURN_IF_ERROR(readNeurons(list, group, shared));
  if (group.neurons.empty())
    return part.fail(fmt::format("group '{}' has no neurons", group.name));
  network.groups.push_back(std::move(group));
  return llvm::Error::success();
}

llvm::Expected<uint32_t> MappedNetworkReader::findGroup(const Field &at,
                                                        llvm::StringRef name) const {
  auto found = numbers.find(name.str());
  if (found == numbers.end())
    return at.fail(fmt::format("there is no group '{}'", excerpt(name, 40)));
  return found->second;
}

llvm::Expected<uint32_t> MappedNetworkReader::findNeuron(const Field &at, uint32_t group,
                                                         llvm::StringRef text) const {
  uint32_t neuron = 0;
  const NeuronGroup &of = network.groups[group];
  if (text.getAsInteger(10, neuron) || neuron >= of.neurons.size())
    return at.fail(fmt::format("'{}' is no neuron of group '{}', which has {}", excerpt(text, 40),
                               of.name, of.neurons.size()));
  return neuron;
}

llvm::Error MappedNetworkReader::readEdge(const std::string &text, const Field &attributes) {
  auto [from, to] = llvm::StringRef(text).split("->");
  auto [sourceGroup, source] = from.trim().split('.');
  auto [targetGroup, target] = to.trim().split('.');
  if (to.empty() || source.empty() != target.empty())
    return attributes.fail(fmt::format("'{}' is no edge, expected group.0 -> group.1, or group -> "
                                       "group with a type",
                                       excerpt(text, 60)));
  EdgeList list;
  SPINDLE_ASSIGN(list.source, findGroup(attributes, sourceGroup));
  SPINDLE_ASSIGN(list.target, findGroup(attributes, targetGroup));
  auto titled = attributes.called(fmt::format("edge '{}'", text));
  EdgeList &all = lists.try_emplace({list.source, list.target}, list).first->second;
  size_t before = all.edges.size();
  if (!source.empty()) {
    Edge edge{};
    SPINDLE_ASSIGN(edge.source, findNeuron(attributes, list.source, source));
    SPINDLE_ASSIGN(edge.target, findNeuron(attributes, list.target, target));
    SPINDLE_ASSIGN(edge.weight, weightOfEdge(titled));
    all.edges.push_back(edge);
  } else {
    uint32_t sources = static_cast<uint32_t>(network.groups[list.source].neurons.size()),
             targets = static_cast<uint32_t>(network.groups[list.target].neurons.size());
    SPINDLE_RETURN_IF_ERROR(addHyperEdge(titled, sources, targets, kMostEdges - edges, all.edges));
  }
  edges += all.edges.size() - before;
  if (edges > kMostEdges)
    return attributes.fail(
        fmt::format("there are more than {} edges, the most that are read", kMostEdges));
  return llvm::Error::success();
}

llvm::Error MappedNetworkReader::readMapping(const std::string &text, const Field &value) {
  auto [name, inside] = llvm::StringRef(text).split('.');
  SPINDLE_ASSIGN(uint32_t number, findGroup(value, name));
  NeuronGroup &group = network.groups[number];
  uint32_t first = 0, last = static_cast<uint32_t>(group.neurons.size()) - 1;
  if (inside.contains("..")) {
    SPINDLE_ASSIGN(IndexRange range, parseRange(value, inside.str(), kMostNeurons));
    first = range.first;
    last = range.last;
  } else if (!inside.empty()) {
    SPINDLE_ASSIGN(first, findNeuron(value, number, inside));
    last = first;
  }
  if (last >= group.neurons.size())
    return value.fail(fmt::format("'{}' is beyond the {} neurons of group '{}'", excerpt(text, 40),
                                  group.neurons.size(), group.name));
  MappedUnits units;
  std::string core;
  SPINDLE_ASSIGN(auto members, value.members());
  for (const auto &[key, word] : members) {
    std::string *to = key == "core"       ? &core
                      : key == "soma"     ? &units.soma
                      : key == "synapse"  ? &units.synapse
                      : key == "dendrite" ? &units.dendrite
                                          : nullptr;
    if (!to || !word.isScalar())
      return word.fail(fmt::format("unknown key '{}' of a mapping, expected core, soma, synapse, "
                                   "dendrite with a word each",
                                   excerpt(key, 40)));
    *to = word.text();
  }
  auto [tileText, coreText] = llvm::StringRef(core).split('.');
  MappedNeuron place;
  if (tileText.getAsInteger(10, place.tile) || coreText.getAsInteger(10, place.core))
    return value.fail(fmt::format("the core of '{}' is '{}', expected tile and core as in 1.0",
                                  excerpt(text, 40), excerpt(core, 40)));
  if (last - first >= kMostNeurons - mappings)
    return value.fail(fmt::format("more than {} neurons are mapped, one that is mapped twice "
                                  "counted twice, the most that are read",
                                  kMostNeurons));
  auto [found, isNew] = unitNumbers.try_emplace(units, network.units.size());
  if (isNew)
    network.units.push_back(units);
  for (uint32_t n = first; n <= last; ++n) {
    MappedNeuron &neuron = group.neurons[n];
    neuron.isMapped = true;
    neuron.tile = place.tile;
    neuron.core = place.core;
    neuron.units = found->second;
    neuron.order = mappings++;
  }
  return llvm::Error::success();
}

/// A neuron reaches another one by one synapse here.
llvm::Error MappedNetworkReader::sortEdges() {
  for (auto &[ends, list] : lists) {
    std::ranges::stable_sort(list.edges, {},
                             [](const Edge &edge) { return std::pair(edge.target, edge.source); });
    std::vector<Edge> once;
    for (const Edge &edge : list.edges)
      if (!once.empty() && once.back().source == edge.source && once.back().target == edge.target) {
        once.back().weight += edge.weight;
        ++network.doubled;
      } else {
        once.push_back(edge);
      }
    list.edges = std::move(once);
    if (!list.edges.empty())
      network.lists.push_back(std::move(list));
  }
  return llvm::Error::success();
}

llvm::Error MappedNetworkReader::read(const Field &root) {
  network.units.emplace_back();
  unitNumbers[{}] = 0;
  SPINDLE_ASSIGN(Field part, root.at("network"));
  SPINDLE_ASSIGN(Field groups, part.at("groups"));
  if (!groups.isList())
    return groups.fail("groups are no list, expected one of groups with names");
  for (const Field &group : groups.elements())
    SPINDLE_RETURN_IF_ERROR(readGroup(group));
  if (network.groups.empty())
    return groups.fail("there are no groups of neurons");
  SPINDLE_ASSIGN(Field all, part.at("edges"));
  if (!all.isList() && !all.isEmpty())
    return all.fail("edges are no list, expected one as in - group.0 -> group.1: {weight: 1.0}");
  for (const Field &entry : all.elements()) {
    SPINDLE_ASSIGN(auto members, entry.members());
    for (const auto &[text, attributes] : members)
      SPINDLE_RETURN_IF_ERROR(readEdge(text, attributes));
  }
  SPINDLE_RETURN_IF_ERROR(sortEdges());
  SPINDLE_ASSIGN(Field places, root.at("mappings"));
  if (!places.isList())
    return places.fail("mappings are no list, expected one as in - group.0..9: {core: 0.0}");
  for (const Field &entry : places.elements()) {
    SPINDLE_ASSIGN(auto members, entry.members());
    for (const auto &[text, value] : members)
      SPINDLE_RETURN_IF_ERROR(readMapping(text, value));
  }
  for (const NeuronGroup &group : network.groups)
    for (size_t n = 0; n < group.neurons.size(); ++n)
      if (!group.neurons[n].isMapped)
        return places.fail(fmt::format(
            "neuron {}.{} is on no core; map it, as SANA-FE wants it too", group.name, n));
  return llvm::Error::success();
}

} // namespace

const std::string &MappedNetwork::unitOf(const MappedNeuron &neuron,
                                         std::string MappedUnits::*part) const {
  const std::string &mapped = units[neuron.units].*part;
  if (!mapped.empty())
    return mapped;
  const NeuronAttributes &given = attributesOf(neuron);
  return part == &MappedUnits::soma      ? given.soma
         : part == &MappedUnits::synapse ? given.synapse
                                         : given.dendrite;
}

llvm::Expected<MappedNetwork> readMappedNetwork(const std::string &path) {
  SPINDLE_ASSIGN(YamlDocument document, YamlDocument::load(path));
  MappedNetwork network;
  network.path = path;
  network.document = std::make_shared<YamlDocument>(std::move(document));
  SPINDLE_RETURN_IF_ERROR(MappedNetworkReader(network).read(
      Field(*network.document, network.document->root(), "the file")));
  return network;
}

} // namespace spindle::sanafe
