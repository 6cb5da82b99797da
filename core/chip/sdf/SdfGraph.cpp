#include "core/chip/sdf/SdfGraph.h"

#include "core/chip/file/ArraysBeside.h"
#include "core/chip/sdf/Sdf3Xml.h"
#include "core/chip/sdf/SdfArrays.h"
#include "core/support/files/File.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace spindle {

namespace {

constexpr FileFormat kSdfGraphFormat = {"spindle-sdf-graph", 1};

std::optional<std::string> faultOfRate(const SdfGraph &graph, size_t c, const char *name,
                                       const PerPhase<uint32_t> &rate) {
  if (rate.total() > 0)
    return std::nullopt;
  const SdfChannel &channel = graph.channels[c];
  return fmt::format("channel {} ({} -> {}) has {} rate 0{}, expected at least 1", c,
                     graph.actors[channel.source].name, graph.actors[channel.target].name, name,
                     rate.phases() > 1 ? " in all phases" : "");
}

/// Whether firings of the actor wait for each other.
bool firesOneAtATime(const SdfGraph &graph, ActorId actor) {
  return std::any_of(graph.channels.begin(), graph.channels.end(), [&](const SdfChannel &channel) {
    return channel.source == actor && channel.target == actor && channel.produce == 1 &&
           channel.consume == 1 && channel.initialTokens == 1;
  });
}

/// The first fault of the graph, or nothing.
std::optional<std::string> faultOf(const SdfGraph &graph) {
  for (size_t c = 0; c < graph.channels.size(); ++c) {
    const SdfChannel &channel = graph.channels[c];
    for (auto [end, actor] : {std::pair{"source", channel.source}, {"target", channel.target}})
      if (actor >= graph.actors.size())
        return fmt::format("channel {} has {} {}, but the graph has {} actors", c, end, actor,
                           graph.actors.size());
    for (auto [name, rate] :
         {std::pair{"produce", &channel.produce}, {"consume", &channel.consume}})
      if (std::optional<std::string> fault = faultOfRate(graph, c, name, *rate))
        return fault;
  }
  std::vector<uint64_t> phases = phasesOf(graph);
  for (ActorId a = 0; a < graph.actors.size(); ++a) {
    if (phases[a] > kMaximumPhases)
      return fmt::format("actor '{}' has more than {} phases; give its lists of rates and times "
                         "one length",
                         graph.actors[a].name, kMaximumPhases);
    if (phases[a] > 1 && !firesOneAtATime(graph, a))
      return fmt::format("actor '{}' has {} phases, expected a channel to itself with rates 1 and "
                         "one initial token: phases come one after the other",
                         graph.actors[a].name, phases[a]);
  }
  return std::nullopt;
}

/// `2,0,1`.
template <typename T> std::string listText(const PerPhase<T> &numbers) {
  return fmt::format("{}", fmt::join(numbers.list(), ","));
}

/// The text between the quotes of a DOT string.
std::string dotText(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '"' || c == '\\')
      escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

} // namespace

std::vector<uint64_t> phasesOf(const SdfGraph &graph) {
  std::vector<uint64_t> phases;
  for (const SdfActor &actor : graph.actors)
    phases.push_back(actor.executionTime.phases());
  auto add = [&](ActorId actor, size_t length) {
    if (phases[actor] <= kMaximumPhases)
      phases[actor] = std::lcm(phases[actor], uint64_t(length));
  };
  for (const SdfChannel &channel : graph.channels) {
    add(channel.source, channel.produce.phases());
    add(channel.target, channel.consume.phases());
  }
  return phases;
}

llvm::Error verify(const SdfGraph &graph) {
  if (std::optional<std::string> fault = faultOf(graph))
    return checkError(fmt::format("data-flow graph '{}'", graph.name), *fault);
  return llvm::Error::success();
}

/// A number, or a list with one for each phase.
template <typename T> struct NumberOrPhases {
  T &value;
  Json toJson() const { return value.phases() == 1 ? Json(value[0]) : jsonOf(value.list()); }
  void readFrom(const Json &json) {
    std::vector<std::decay_t<decltype(value[0])>> numbers(1);
    if (!json.is_array())
      readInto(json, numbers.front());
    else if (json.empty() || json.size() > kMaximumPhases)
      refuseValue(json, fmt::format("a number, or a list of 1 to {}", kMaximumPhases));
    else
      readInto(json, numbers);
    value = std::move(numbers);
  }
};
template <typename T> static NumberOrPhases<T> numberOrPhases(T &value) { return {value}; }

static void describe(auto &file, MaybeConst<SdfActor> auto &actor) {
  file.field("name", actor.name);
  file.field("execution_time", numberOrPhases(actor.executionTime));
}

static void describe(auto &file, MaybeConst<SdfChannel> auto &channel) {
  file.field("source", channel.source);
  file.field("target", channel.target);
  file.field("produce", numberOrPhases(channel.produce));
  file.field("consume", numberOrPhases(channel.consume));
  file.field("initial_tokens", channel.initialTokens);
  file.field("token_bits", channel.tokenBits);
}

/// `arrays`: of its lists, where they lie beside the file; what is read always has a place for it.
static void describe(auto &file, MaybeConst<SdfGraph> auto &graph, auto &arrays) {
  file.field("name", graph.name);
  file.optional("arrays", arrays);
  if (arrays)
    return;
  file.field("actors", graph.actors);
  file.field("channels", graph.channels);
}

llvm::Error writeSdfGraph(const std::string &path, const SdfGraph &graph, ListsIn lists) {
  std::optional<ArraysOf> arrays;
  if (areArrays(lists, graph.actors.size() + graph.channels.size()) && hasSinglePhases(graph)) {
    SPINDLE_RETURN_IF_ERROR(writeSdfArrays(arraysPath(path), graph));
    SPINDLE_ASSIGN(arrays, ArraysOf::written(path));
  }
  return writeDescribed(path, kSdfGraphFormat, graph, arrays);
}

llvm::Expected<SdfGraph> readSdfGraph(const std::string &path) {
  SPINDLE_ASSIGN(SdfGraph graph,
                 isSdf3Xml(path)
                     ? readSdf3Xml(path)
                     : readWithArrays<SdfGraph>(path, kSdfGraphFormat, "channels", readSdfArrays));
  if (std::optional<std::string> fault = faultOf(graph))
    return inputError(path, *fault);
  return graph;
}

llvm::Error writeSdfDot(const std::string &path, const SdfGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  std::string dot = fmt::format("digraph \"{}\" {{\n", dotText(graph.name));
  for (size_t a = 0; a < graph.actors.size(); ++a)
    dot += fmt::format("  a{} [label=\"{}\\n{}\"];\n", a, dotText(graph.actors[a].name),
                       listText(graph.actors[a].executionTime));
  for (const SdfChannel &channel : graph.channels)
    dot += fmt::format("  a{} -> a{} [taillabel=\"{}\", headlabel=\"{}\", label=\"{}\"];\n",
                       channel.source, channel.target, listText(channel.produce),
                       listText(channel.consume),
                       channel.initialTokens ? std::to_string(channel.initialTokens) : "");
  return writeFile(path, dot + "}\n");
}

} // namespace spindle
