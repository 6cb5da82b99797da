// The whole file, and the populations that are sources.
#include "lib/frontend/network/Description.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <set>

namespace spindle::network {

constexpr int64_t mostNeurons = 1 << 24; // of a population

int64_t Population::size() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

bool Population::checkCount(YamlReader &reader, const std::string &key, size_t count) const {
  int64_t channels = shape[0], found = static_cast<int64_t>(count);
  if (found == 1 || found == channels || found == size())
    return true;
  std::string perChannel =
      channels == size() ? "" : fmt::format(", {}, one per channel,", channels);
  reader.fail(key, fmt::format("{} has {} values, expected 1{} or {}, one per neuron", key, count,
                               perChannel, size()));
  return false;
}

std::optional<size_t> Description::samples() const {
  for (size_t p = 0; p < populations.size(); ++p)
    if (std::holds_alternative<SampleSource>(populations[p].contents))
      return p;
  return std::nullopt;
}

/// `size`, or `shape`.
static void readShape(YamlReader &reader, Population &population) {
  if (reader.has("size") == reader.has("shape")) {
    reader.fail("size", reader.has("size") ? "size and shape are both given, expected one of them"
                                           : "size is missing: the number of neurons, or a shape");
    return;
  }
  int64_t size = 1;
  reader.read("size", size, 1, mostNeurons);
  population.shape = {size};
  if (!reader.has("shape"))
    return;
  reader.read("shape", population.shape);
  if (population.shape.empty()) {
    reader.fail("shape", "shape is empty, expected one extent or more");
    population.shape = {1};
    return;
  }
  int64_t product = 1;
  for (int64_t extent : population.shape) {
    if (extent < 1 || extent > mostNeurons / product) {
      reader.fail("shape", fmt::format("shape is [{}], expected extents of at least one, and at "
                                       "most {} neurons",
                                       fmt::join(population.shape, ", "), mostNeurons));
      population.shape = {1};
      return;
    }
    product *= extent;
  }
}

static SampleSource readSamples(YamlReader &reader, double dtMs) {
  SampleSource source;
  reader.readEnum("encoding", source.encoding, kInputEncodingNames);
  reader.read("maximum", source.maximum, 1e-30, 1e30);
  bool isLatency = source.encoding == InputEncoding::Latency;
  if (isLatency)
    reader.require("window");
  else if (reader.has("window"))
    reader.fail("window", "window belongs to the encoding latency; leave it out");
  readSteps(reader, "window", dtMs, 1, source.window);
  return source;
}

static PoissonSource readPoisson(YamlReader &reader, const Description &description,
                                 const Population &population) {
  Values rate;
  reader.require("rate");
  if (!readValues(reader, "rate", description.path, rate))
    return {{0}};
  PoissonSource source;
  auto size = static_cast<size_t>(population.size());
  for (double hertz : numbersOf(rate, size, description.seed, population.name + ".rate")) {
    double probability = hertz * description.dtMs / 1000;
    if (probability < 0 || probability > 1) {
      reader.fail("rate", fmt::format("rate is {:.6g} Hz, expected 0 to {:.6g} Hz, one spike per "
                                      "step of {} ms",
                                      hertz, 1000 / description.dtMs, description.dtMs));
      return {{0}};
    }
    source.probability.push_back(static_cast<float>(probability));
  }
  population.checkCount(reader, "rate", source.probability.size());
  return source;
}

static SpikeSource readSpikes(YamlReader &reader, const Description &description,
                              const Population &population) {
  double dtMs = description.dtMs;
  SpikeSource source;
  source.place = reader.place("times");
  std::vector<double> times;
  reader.require("neurons");
  reader.require("times");
  readList(reader, "neurons", description.path, source.neurons);
  readList(reader, "times", description.path, times);
  if (source.neurons.size() != times.size())
    reader.fail("times", fmt::format("times has {} values, neurons {}; expected a time for each",
                                     times.size(), source.neurons.size()));
  for (int64_t neuron : source.neurons)
    if (neuron < 0 || neuron >= population.size())
      reader.fail("neurons",
                  fmt::format("neurons names {}, expected 0 to {}", neuron, population.size() - 1));
  std::set<std::pair<int64_t, int64_t>> seen;
  for (size_t k = 0; k < std::min(times.size(), source.neurons.size()); ++k) {
    std::optional<int64_t> end = wholeSteps(times[k], dtMs);
    if (!end || *end < 1 || *end > 1'000'000) {
      reader.fail("times", fmt::format("times holds {} ms, expected multiples of dt, {} ms, from "
                                       "the first to the millionth",
                                       times[k], dtMs));
      break;
    }
    if (!seen.insert({source.neurons[k], *end}).second)
      reader.fail("times",
                  fmt::format("neuron {} spikes twice at {} ms", source.neurons[k], times[k]));
    source.steps.push_back(*end - 1); // a step's spikes have the time of its end
  }
  source.neurons.resize(source.steps.size());
  return source;
}

void readPopulation(YamlReader &reader, Description &description, Population &population) {
  enum class Source { Samples, Poisson, Spikes };
  if (reader.has("neuron") == reader.has("source"))
    return reader.fail(reader.has("neuron") ? "source" : "neuron",
                       reader.has("neuron") ? "neuron and source are both given, expected one"
                                            : "neuron is missing: a model of neurons, or a source");
  readShape(reader, population);
  if (reader.has("neuron"))
    return readNeurons(reader, description, population);
  Source source = Source::Poisson;
  reader.readEnum("source", source, {"samples", "poisson", "spikes"});
  if (source == Source::Samples) {
    if (description.samples())
      reader.fail("source", fmt::format("source is 'samples' as in '{}', a network has one of them",
                                        description.populations[*description.samples()].name));
    population.contents = readSamples(reader, description.dtMs);
  } else if (source == Source::Poisson) {
    population.contents = readPoisson(reader, description, population);
  } else {
    population.contents = readSpikes(reader, description, population);
  }
}

static void readPopulations(YamlReader &reader, Description &description) {
  reader.require("populations");
  YamlReader section = reader.section("populations");
  for (const std::string &name : section.keys()) {
    if (name.empty() || name.find_first_of("/[]") != std::string::npos)
      section.fail(name, fmt::format("a population is called '{}', expected a name without '/', "
                                     "'[' and ']'",
                                     name));
    Population population;
    population.name = name;
    population.shape = {1};
    YamlReader inner = section.section(name);
    readPopulation(inner, description, population);
    description.populations.push_back(std::move(population));
  }
  for (const Population &population : description.populations)
    if (std::string taken = timesOf(population.name);
        std::holds_alternative<SpikeSource>(population.contents) && section.has(taken))
      section.fail(taken, fmt::format("a population is called '{}', as the listed times of '{}' "
                                      "are, expected another name",
                                      taken, population.name));
  if (section.keys().empty())
    reader.fail("populations", "populations is empty, expected at least one");
}

/// What answers the labels of a data set, where there is one.
static void readOutput(YamlReader &reader, Description &description) {
  std::string name;
  reader.read("output", name);
  if (!description.samples()) {
    if (reader.has("output"))
      reader.fail("output", "output names what answers the labels of samples, and no population "
                            "has 'source: samples'; leave it out");
    return;
  }
  reader.require("output");
  std::vector<std::string> known;
  for (size_t p = 0; p < description.populations.size(); ++p) {
    if (!description.populations[p].neurons())
      continue;
    known.push_back(description.populations[p].name);
    if (known.back() == name)
      description.output = p;
  }
  if (reader.has("output") && !description.output)
    reader.fail("output", fmt::format("output is '{}', expected a population of neurons: {}", name,
                                      fmt::join(known, ", ")));
}

/// A slice without quotes ends a mapping in braces, which yaml-cpp says in its own way.
static llvm::Expected<YamlDocument> load(const std::string &path) {
  llvm::Expected<YamlDocument> document = YamlDocument::load(path);
  if (document)
    return document;
  return llvm::handleErrors(document.takeError(), [](const SpindleError &error) {
    bool isBrace = llvm::StringRef(error.message).contains("end of map flow not found");
    return llvm::make_error<SpindleError>(
        error.kind, error.place,
        error.message +
            (isBrace ? ": a brace is missing, or quotes of a slice as in {from: \"a[0:10]\"}"
                     : ""));
  });
}

llvm::Expected<Description> readDescription(const std::string &path, std::optional<int64_t> seed) {
  SPINDLE_ASSIGN(YamlDocument document, load(path));
  YamlReader reader(document);
  Description description;
  description.path = path;
  if (!reader.has("dt")) // every time would be wrong
    return inputError(path, "key 'dt' is missing, the duration of a step in ms");
  description.dtMs = 1;
  reader.read("dt", description.dtMs, 1e-6, 1e6);
  int64_t written = 1;
  reader.read("seed", written, 0);
  description.seed = static_cast<uint64_t>(seed.value_or(written));
  readPopulations(reader, description);
  readProjections(reader, description);
  readOutput(reader, description);
  SPINDLE_RETURN_IF_ERROR(reader.finish());
  return description;
}

} // namespace spindle::network
