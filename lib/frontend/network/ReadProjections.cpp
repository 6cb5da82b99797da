// Projections: between which neurons, by which rule.
#include "core/support/files/DataPath.h"
#include "lib/frontend/network/Description.h"
#include "lib/frontend/network/SynapseFile.h"
#include "lib/frontend/network/SynapseValues.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace spindle::network {

namespace {

constexpr double mostSynapses = 1 << 30; // of a projection

class ProjectionReader {
public:
  ProjectionReader(YamlReader &yaml, Description &network) : reader(yaml), description(network) {}

  std::optional<Projection> read();

private:
  std::optional<size_t> readEnd(const std::string &key, Range &range);
  bool readBound(const std::string &key, llvm::StringRef text, int64_t &bound);
  void readReceptor(Projection &projection);
  bool readRule(Projection &projection);
  void readCounted(YamlReader &section, Projection &projection);
  Pairs readPairs(YamlReader &section);
  void readFile(YamlReader &section);
  void checkPairs(YamlReader &section, const Pairs &pairs, const Ends &ends);
  const Population &sourceOf(const Projection &p) const {
    return description.populations[p.source];
  }
  const Population &targetOf(const Projection &p) const {
    return description.populations[p.target];
  }

  YamlReader &reader;
  Description &description;
  ListedSynapses listed; // where a file lists them
};

bool ProjectionReader::readBound(const std::string &key, llvm::StringRef text, int64_t &bound) {
  int64_t value = bound;
  if (!text.empty() && (text.getAsInteger(10, value) || value < 0))
    return reader.fail(key, fmt::format("{} has the bound '{}', expected neurons as in "
                                        "name[0:100]",
                                        key, text.str())),
           false;
  bound = value;
  return true;
}

/// `name`, or `name[begin:end]` with either of them left out.
std::optional<size_t> ProjectionReader::readEnd(const std::string &key, Range &range) {
  std::string text;
  reader.require(key);
  reader.read(key, text);
  if (text.empty())
    return std::nullopt;
  auto [name, slice] = llvm::StringRef(text).split('[');
  std::vector<std::string> known;
  for (const Population &population : description.populations)
    known.push_back(population.name);
  auto found = llvm::find(known, name);
  if (found == known.end())
    return reader.fail(key, fmt::format("{} is '{}', expected one of the populations {}", key,
                                        name.str(), fmt::join(known, ", "))),
           std::nullopt;
  auto index = static_cast<size_t>(found - known.begin());
  range = {0, description.populations[index].size()};
  if (name.size() == text.size())
    return index;
  auto [begin, end] = slice.split(':');
  if (!slice.contains(':') || !end.consume_back("]"))
    return reader.fail(key,
                       fmt::format("{} is '{}', expected a slice as in name[0:100]", key, text)),
           std::nullopt;
  int64_t size = range.end;
  if (!readBound(key, begin, range.begin) || !readBound(key, end, range.end))
    return std::nullopt;
  if (range.begin >= range.end || range.end > size)
    return reader.fail(key, fmt::format("{} is '{}', expected an ascending slice of {} neurons",
                                        key, text, size)),
           std::nullopt;
  return index;
}

/// The receptor, and the name that follows from it.
void ProjectionReader::readReceptor(Projection &projection) {
  static constexpr const char *kReceptors[] = {"excitatory", "inhibitory"};
  const Neurons &neurons = *targetOf(projection).neurons();
  projection.name = sourceOf(projection).name + "-" + targetOf(projection).name;
  if (neurons.receptors == 2) {
    reader.require("receptor");
    reader.readEnum("receptor", projection.receptor, kReceptors);
    projection.name += std::string(".") + kReceptors[projection.receptor];
    return;
  }
  if (!reader.has("receptor"))
    return;
  reader.fail("receptor", fmt::format("receptor is given, but {} neurons have only one; leave it "
                                      "out",
                                      neurons.kind));
}

Pairs ProjectionReader::readPairs(YamlReader &section) {
  Pairs pairs;
  section.require("sources");
  section.require("targets");
  readList(section, "sources", description.path, pairs.sources);
  readList(section, "targets", description.path, pairs.targets);
  if (pairs.sources.size() == pairs.targets.size())
    return pairs;
  section.fail("targets", fmt::format("targets has {} neurons, sources {}; expected as many",
                                      pairs.targets.size(), pairs.sources.size()));
  return {};
}

void ProjectionReader::readFile(YamlReader &section) {
  std::string name;
  section.read("file", name);
  auto read = [&]() -> llvm::Expected<ListedSynapses> {
    SPINDLE_ASSIGN(std::string path, PathResolver(description.path).find(name, ""));
    return readSynapses(path);
  };
  if (llvm::Expected<ListedSynapses> found = read())
    listed = std::move(*found);
  else
    llvm::handleAllErrors(found.takeError(), [&](const SpindleError &error) {
      section.fail("file", error.place.empty() ? error.message
                                               : fmt::format("{}: {}", error.place, error.message));
    });
}

void ProjectionReader::checkPairs(YamlReader &section, const Pairs &pairs, const Ends &ends) {
  std::vector<std::pair<int64_t, int64_t>> sorted;
  bool isFile = section.has("file");
  for (auto [source, target] : llvm::zip(pairs.sources, pairs.targets)) {
    for (auto [key, neuron, range] :
         {std::tuple("sources", source, ends.sources), std::tuple("targets", target, ends.targets)})
      if (!range.contains(neuron))
        return section.fail(isFile ? "file" : key,
                            fmt::format("{} names neuron {}, expected {} to {}", key, neuron,
                                        range.begin, range.end - 1));
    sorted.push_back({source, target});
  }
  llvm::sort(sorted);
  const char *key = isFile ? "file" : "sources";
  for (size_t k = 0; k < sorted.size(); ++k) {
    auto [source, target] = sorted[k];
    if (k > 0 && sorted[k] == sorted[k - 1])
      return section.fail(key,
                          fmt::format("neuron {} is joined with neuron {} twice", source, target));
    if (ends.avoidsSelf && source == target)
      return section.fail(key, fmt::format("neuron {} is joined with itself, but autapses are "
                                           "excluded; leave one of the two out",
                                           source));
  }
}

/// {probability}, {fan_in}, {fan_out}, {sources, targets} or {file}.
void ProjectionReader::readCounted(YamlReader &section, Projection &projection) {
  const Ends &ends = projection.ends;
  auto most = [&](const Range &candidates, const Range &others) {
    bool meets = ends.avoidsSelf && candidates.begin < others.end && others.begin < candidates.end;
    return candidates.size() - meets;
  };
  auto readCount = [&](const char *key, int64_t candidates) {
    int64_t count = 0;
    section.read(key, count, 0, candidates);
    return count;
  };
  if (section.has("probability")) {
    WithProbability rule;
    section.read("probability", rule.probability, 0, 1);
    projection.rule = rule;
  } else if (section.has("fan_in")) {
    projection.rule = FanIn{readCount("fan_in", most(ends.sources, ends.targets))};
  } else if (section.has("fan_out")) {
    projection.rule = FanOut{readCount("fan_out", most(ends.targets, ends.sources))};
  } else {
    if (section.has("file"))
      readFile(section);
    else
      listed.pairs = readPairs(section);
    checkPairs(section, listed.pairs, ends);
    projection.rule = std::move(listed.pairs);
  }
}

bool ProjectionReader::readRule(Projection &projection) {
  Ends &ends = projection.ends;
  bool autapses = true, isRecurrent = projection.source == projection.target;
  reader.read("autapses", autapses);
  if (reader.has("autapses") && !isRecurrent)
    reader.fail("autapses", "autapses are between a population and itself; leave it out");
  ends.avoidsSelf = isRecurrent && !autapses;
  reader.require("connect");
  if (!reader.has("connect"))
    return false;
  if (reader.isMapping("connect")) {
    YamlReader section = reader.section("connect");
    static constexpr const char *kWays[] = {"probability", "fan_in", "fan_out", "sources", "file"};
    if (llvm::count_if(kWays, [&](const char *key) { return section.has(key); }) != 1) {
      section.keys();
      reader.fail("connect", "connect is a mapping, expected one of probability, fan_in, fan_out, "
                             "file, or sources with targets");
      return false;
    }
    readCounted(section, projection);
    return true;
  }
  enum class Word { AllToAll, OneToOne } word = Word::AllToAll;
  reader.readEnum("connect", word, {"all_to_all", "one_to_one"});
  if (word == Word::OneToOne) {
    projection.rule = OneToOne{};
    if (ends.sources.size() != ends.targets.size())
      reader.fail("connect", fmt::format("connect is one_to_one, but there are {} sources and {} "
                                         "targets; expected as many",
                                         ends.sources.size(), ends.targets.size()));
    if (ends.avoidsSelf && ends.sources.begin == ends.targets.begin)
      reader.fail("connect", "connect is one_to_one within a population, which makes only "
                             "autapses, but these are excluded");
    ends.avoidsSelf = false;
  }
  return true;
}

std::optional<Projection> ProjectionReader::read() {
  Projection projection;
  projection.place = reader.place("from");
  std::optional<size_t> source = readEnd("from", projection.ends.sources);
  std::optional<size_t> target = readEnd("to", projection.ends.targets);
  if (!source || !target)
    return reader.keys(), std::nullopt;
  projection.source = *source;
  projection.target = *target;
  projection.ends.targetCount = targetOf(projection).size();
  const Population &from = sourceOf(projection), &to = targetOf(projection);
  if (!to.neurons())
    return reader.fail("to", fmt::format("to is '{}', a source, expected a population of neurons",
                                         to.name)),
           reader.keys(), std::nullopt;
  if (from.neurons() && !from.neurons()->spikes)
    return reader.fail("from", fmt::format("from is '{}', whose neurons ({}) never spike; expected "
                                           "a population that does",
                                           from.name, from.neurons()->kind)),
           reader.keys(), std::nullopt;
  readReceptor(projection);
  reader.read("name", projection.name);
  if (reader.has("kind"))
    reader.readEnum("kind", projection.kind.emplace(), kSynapseKindNames);
  bool hasRule = readRule(projection);
  readDelay(reader, description, listed, projection);
  readWeight(reader, description, listed, projection);
  if (hasRule && expectedSynapses(projection.rule, projection.ends) > mostSynapses)
    reader.fail("connect",
                fmt::format("connect makes {:.3g} synapses, expected at most {:.3g}",
                            expectedSynapses(projection.rule, projection.ends), mostSynapses));
  return projection;
}

} // namespace

void readProjections(YamlReader &reader, Description &description) {
  std::set<std::string> names;
  for (YamlReader &each : reader.sequence("projections")) {
    std::optional<Projection> projection = ProjectionReader(each, description).read();
    if (!projection)
      continue;
    if (!names.insert(projection->name).second)
      each.fail("name", fmt::format("two projections are called '{}', but the name decides on the "
                                    "random numbers; give this one another name",
                                    projection->name));
    description.projections.push_back(std::move(*projection));
  }
}

} // namespace spindle::network
