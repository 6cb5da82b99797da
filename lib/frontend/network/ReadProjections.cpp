// Projections: between which neurons, by which rule, with which weights and delays.
#include "lib/frontend/network/Description.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace spindle::network {

namespace {

constexpr double mostSynapses = 1 << 30; // of a projection
constexpr int64_t kMostDelay = 256;      // steps, where synapses differ: each delay has its sums

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
  Pairs readPairs(YamlReader &section, const Projection &projection);
  void readWeight(Projection &projection);
  void readDelay(Projection &projection);
  void readDelays(Projection &projection);
  /// Refuses a list that has not one value for each synapse of connections that are not drawn.
  void checkList(const std::string &key, size_t values, const Projection &projection);
  const Population &sourceOf(const Projection &p) const {
    return description.populations[p.source];
  }
  const Population &targetOf(const Projection &p) const {
    return description.populations[p.target];
  }

  YamlReader &reader;
  Description &description;
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

Pairs ProjectionReader::readPairs(YamlReader &section, const Projection &projection) {
  Pairs pairs;
  section.require("sources");
  section.require("targets");
  section.read("sources", pairs.sources);
  section.read("targets", pairs.targets);
  if (pairs.sources.size() != pairs.targets.size()) {
    section.fail("targets", fmt::format("targets has {} neurons, sources {}; expected as many",
                                        pairs.targets.size(), pairs.sources.size()));
    return {};
  }
  std::set<std::pair<int64_t, int64_t>> seen;
  for (auto [source, target] : llvm::zip(pairs.sources, pairs.targets)) {
    for (auto [key, neuron, range] : {std::tuple("sources", source, projection.ends.sources),
                                      std::tuple("targets", target, projection.ends.targets)})
      if (!range.contains(neuron)) {
        section.fail(key, fmt::format("{} names neuron {}, expected {} to {}", key, neuron,
                                      range.begin, range.end - 1));
        return {};
      }
    if (!seen.insert({source, target}).second)
      section.fail("sources",
                   fmt::format("neuron {} is joined with neuron {} twice", source, target));
  }
  return pairs;
}

/// {probability}, {fan_in}, {fan_out} or {sources, targets}.
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
    projection.rule = readPairs(section, projection);
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
    static constexpr const char *kWays[] = {"probability", "fan_in", "fan_out", "sources"};
    if (llvm::count_if(kWays, [&](const char *key) { return section.has(key); }) != 1) {
      section.keys();
      reader.fail("connect", "connect is a mapping, expected one of probability, fan_in, fan_out, "
                             "or sources with targets");
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

void ProjectionReader::checkList(const std::string &key, size_t values,
                                 const Projection &projection) {
  double synapses = expectedSynapses(projection.rule, projection.ends);
  bool isRandom = std::holds_alternative<WithProbability>(projection.rule) ||
                  std::holds_alternative<FanIn>(projection.rule) ||
                  std::holds_alternative<FanOut>(projection.rule);
  if (isRandom)
    reader.fail(key, fmt::format("{} is a list, but the connections are drawn; expected one value, "
                                 "uniform or normal",
                                 key));
  else if (projection.ends.avoidsSelf && std::holds_alternative<AllToAll>(projection.rule))
    reader.fail(key,
                fmt::format("{} is a list, which goes with autapses: true or listed pairs", key));
  else if (static_cast<double>(values) != synapses)
    reader.fail(key, fmt::format("{} has {} values, expected 1 or {}, one per synapse", key, values,
                                 synapses));
}

void ProjectionReader::readWeight(Projection &projection) {
  reader.require("weight");
  projection.weight.numbers = {0};
  if (!readValues(reader, "weight", projection.weight))
    return;
  const Values &weight = projection.weight;
  if (weight.kind == Values::Kind::Listed && !weight.isOne())
    checkList("weight", weight.numbers.size(), projection);
  bool isNegative = weight.kind == Values::Kind::Uniform
                        ? weight.numbers[0] < 0
                        : weight.kind == Values::Kind::Listed &&
                              llvm::any_of(weight.numbers, [](double w) { return w < 0; });
  if (isNegative && targetOf(projection).neurons()->takesConductances)
    reader.fail("weight", "weight is negative, but it is a conductance; inhibition comes from the "
                          "receptor and its e_inh");
}

void ProjectionReader::readDelay(Projection &projection) {
  auto *samples = std::get_if<SampleSource>(&sourceOf(projection).contents);
  bool isConstant = samples && samples->encoding == SampleSource::Encoding::Direct;
  projection.delay = isConstant ? 0 : 1;
  std::vector<double> listed;
  if (!reader.isMapping("delay"))
    reader.read("delay", listed);
  if (reader.isMapping("delay") || listed.size() > 1)
    return readDelays(projection);
  readSteps(reader, "delay", description.dtMs, 0, projection.delay);
  if (isConstant && projection.delay != 0)
    reader.fail("delay", fmt::format("delay is given, but the samples of '{}' are a constant "
                                     "current; leave it out or choose another encoding",
                                     sourceOf(projection).name));
}

/// Listed delays are whole steps, drawn ones are rounded to them. All are a step at least.
void ProjectionReader::readDelays(Projection &projection) {
  Values delays;
  if (!readValues(reader, "delay", delays))
    return;
  double shortest = delays.kind == Values::Kind::Listed
                        ? *std::min_element(delays.numbers.begin(), delays.numbers.end())
                        : delays.numbers[0];
  if (delays.kind == Values::Kind::Normal)
    return reader.fail("delay", "delay is normal, which has no shortest one; expected one value, a "
                                "list or {uniform: [from, to]}");
  if (std::holds_alternative<SampleSource>(sourceOf(projection).contents))
    return reader.fail("delay", fmt::format("delay differs between synapses, but '{}' is the "
                                            "samples; expected one value",
                                            sourceOf(projection).name));
  if (delays.kind == Values::Kind::Listed)
    checkList("delay", delays.numbers.size(), projection);
  for (double &ms : delays.numbers) {
    std::optional<int64_t> steps = wholeSteps(ms, description.dtMs);
    if (!steps || *steps < 1 || *steps > kMostDelay)
      return reader.fail("delay",
                         fmt::format("delay has {} ms, expected multiples of dt, {} to {} ms", ms,
                                     description.dtMs, description.dtMs * double(kMostDelay)));
    ms = static_cast<double>(*steps);
  }
  projection.delay = *wholeSteps(shortest, description.dtMs);
  projection.delays = delays;
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
  bool hasRule = readRule(projection);
  readDelay(projection);
  readWeight(projection);
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
