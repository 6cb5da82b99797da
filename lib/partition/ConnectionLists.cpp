#include "lib/partition/ConnectionLists.h"

#include "core/support/files/File.h"

#include "fmt/format.h"

#include <algorithm>
#include <charconv>

namespace spindle {

namespace {

struct Line {
  size_t number; // from 1
  std::vector<uint32_t> values;
};

} // namespace

/// The last id and the last step that we count: there is a line for most neurons, so files of few
/// bytes have few.
static uint32_t largestIn(size_t bytes) {
  constexpr size_t few = 4'000'000, most = 99'999'999;
  return static_cast<uint32_t>(std::clamp(bytes, few, most));
}

static llvm::Expected<Line> parseLine(const std::string &place, std::string_view text,
                                      uint32_t largest) {
  Line line{0, {}};
  const char *at = text.data(), *end = text.data() + text.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r'))
      ++at;
    if (at == end)
      return line;
    const char *wordEnd =
        std::find_if(at, end, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    uint32_t value = 0;
    auto [stop, status] = std::from_chars(at, wordEnd, value);
    if (status != std::errc() || stop != wordEnd || value > largest)
      return inputError(place, fmt::format("'{}' found, expected a whole number from 0 to {}",
                                           std::string_view(at, wordEnd), largest));
    line.values.push_back(value);
    at = wordEnd;
  }
}

/// The lines that are not blank; the first numbers, the neurons, all different.
static llvm::Expected<std::vector<Line>> readLines(const std::string &path, const std::string &text,
                                                   uint32_t largest) {
  std::vector<Line> lines;
  std::vector<size_t> lineOf; // per neuron, 0 for none
  std::string_view rest = text;
  for (size_t number = 1; !rest.empty(); ++number) {
    size_t length = std::min(rest.find('\n'), rest.size());
    std::string place = fmt::format("{}:{}", path, number);
    SPINDLE_ASSIGN(Line line, parseLine(place, rest.substr(0, length), largest));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (line.values.empty())
      continue;
    line.number = number;
    NeuronId neuron = line.values[0];
    if (neuron >= lineOf.size())
      lineOf.resize(neuron + 1, 0);
    if (lineOf[neuron] != 0)
      return inputError(place,
                        fmt::format("neuron {} has a line already, line {}; expected one line "
                                    "per neuron",
                                    neuron, lineOf[neuron]));
    lineOf[neuron] = number;
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Values after the first, ascending; `what` says of one that stands twice what is wrong.
static llvm::Error sortValues(const std::string &path, Line &line, const char *what) {
  std::sort(line.values.begin() + 1, line.values.end());
  auto twice = std::adjacent_find(line.values.begin() + 1, line.values.end());
  if (twice != line.values.end())
    return inputError(fmt::format("{}:{}", path, line.number),
                      fmt::format("neuron {} {} {} twice", line.values[0], what, *twice));
  return llvm::Error::success();
}

static uint32_t countNeurons(const std::vector<Line> &connections,
                             const std::vector<Line> &spikes) {
  uint32_t count = 0;
  for (const Line &line : connections)
    for (uint32_t neuron : line.values)
      count = std::max(count, neuron + 1);
  for (const Line &line : spikes)
    count = std::max(count, line.values[0] + 1);
  return count;
}

static std::vector<Population> populationsOf(const SpikingGraph &graph) {
  std::vector<Population> populations;
  uint32_t inputs = 0, neurons = 0;
  for (NeuronId n = 0; n < graph.neurons(); ++n) {
    auto kind = graph.fanIn(n) == 0 ? PopulationKind::Input : PopulationKind::Neuron;
    if (populations.empty() || populations.back().kind != kind) {
      bool isInput = kind == PopulationKind::Input;
      std::string name =
          fmt::format("{}{}", isInput ? "input" : "neurons", isInput ? ++inputs : ++neurons);
      populations.push_back({name, kind, {0}, n, 0});
    }
    populations.back().shape[0] = ++populations.back().size;
  }
  return populations;
}

/// Targets per source become sources per target; sources ascend because they are visited so.
static void fillSynapses(std::vector<Line> connections, SpikingGraph &graph) {
  std::ranges::sort(connections, {}, [](const Line &line) { return line.values[0]; });
  for (const Line &line : connections)
    for (size_t i = 1; i < line.values.size(); ++i)
      ++graph.offsets[line.values[i] + 1];
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    graph.offsets[n + 1] += graph.offsets[n];
  graph.sources.resize(graph.offsets.back());
  graph.weights.assign(graph.offsets.back(), 1.0f);
  std::vector<uint64_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
  for (const Line &line : connections)
    for (size_t i = 1; i < line.values.size(); ++i)
      graph.sources[next[line.values[i]]++] = line.values[0];
}

llvm::Expected<ConnectionLists> readConnectionLists(const std::string &connections,
                                                    const std::string &spikes) {
  SPINDLE_ASSIGN(std::string targetText, readMaybeGzip(connections));
  SPINDLE_ASSIGN(std::string timeText, readMaybeGzip(spikes));
  uint32_t largest = largestIn(targetText.size() + timeText.size());
  SPINDLE_ASSIGN(std::vector<Line> targets, readLines(connections, targetText, largest));
  SPINDLE_ASSIGN(std::vector<Line> times, readLines(spikes, timeText, largest));
  for (Line &line : targets)
    SPINDLE_RETURN_IF_ERROR(sortValues(connections, line, "drives neuron"));
  for (Line &line : times)
    SPINDLE_RETURN_IF_ERROR(sortValues(spikes, line, "spikes at step"));

  ConnectionLists lists;
  SpikingGraph &graph = lists.graph;
  SpikeTrace &trace = lists.trace;
  uint32_t neurons = countNeurons(targets, times);
  if (neurons == 0)
    return inputError(connections, "neither file names a neuron, expected a line per neuron");
  graph.spikes.assign(neurons, 0);
  graph.offsets.assign(size_t(neurons) + 1, 0);
  fillSynapses(std::move(targets), graph);
  graph.populations = trace.populations = populationsOf(graph);

  std::vector<Spike> &sample = trace.recorded.emplace_back();
  graph.steps = 1; // of a list without spikes
  for (const Line &line : times) {
    graph.spikes[line.values[0]] = line.values.size() - 1;
    for (size_t i = 1; i < line.values.size(); ++i)
      sample.push_back({line.values[i], line.values[0]});
    graph.steps = std::max(graph.steps, line.values.size() > 1 ? line.values.back() + 1 : 0);
  }
  std::ranges::sort(sample);
  graph.samples = 1;
  trace.samples = 1;
  trace.steps = graph.steps;
  trace.counts = graph.spikes;
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  return lists;
}

llvm::Error writeConnectionLists(const std::string &connections, const std::string &spikes,
                                 const SpikingGraph &graph, const SpikeTrace &trace) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_RETURN_IF_ERROR(verify(trace));
  if (trace.counts.size() != graph.neurons())
    return inputError(spikes, fmt::format("the trace has {} neurons, the graph {}; they must come "
                                          "from one network",
                                          trace.counts.size(), graph.neurons()));
  std::vector<std::string> targets(graph.neurons()), times(graph.neurons());
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
      targets[graph.sources[s]] += fmt::format(" {}", n);
  for (size_t sample = 0; sample < trace.recorded.size(); ++sample)
    for (const Spike &spike : trace.recorded[sample])
      times[spike.neuron] += fmt::format(" {}", uint64_t(sample) * trace.steps + spike.step);

  std::string targetText, timeText;
  for (NeuronId n = 0; n < graph.neurons(); ++n) {
    if (!targets[n].empty())
      targetText += fmt::format("{}{}\n", n, targets[n]);
    timeText += fmt::format("{}{}\n", n, times[n]);
  }
  SPINDLE_RETURN_IF_ERROR(writeFile(connections, targetText));
  return writeFile(spikes, timeText);
}

} // namespace spindle
