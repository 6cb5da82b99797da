#include "core/chip/SdfGraph.h"

#include "core/chip/Sdf3Xml.h"
#include "core/support/files/File.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace spindle {

namespace {

constexpr FileFormat kSdfGraphFormat = {"spindle-sdf-graph", 1};

/// The first fault of the graph, or nothing.
std::optional<std::string> faultOf(const SdfGraph &graph) {
  for (size_t c = 0; c < graph.channels.size(); ++c) {
    const SdfChannel &channel = graph.channels[c];
    for (auto [end, actor] : {std::pair{"source", channel.source}, {"target", channel.target}})
      if (actor >= graph.actors.size())
        return fmt::format("channel {} has {} {}, but the graph has {} actors", c, end, actor,
                           graph.actors.size());
    for (auto [name, rate] : {std::pair{"produce", channel.produce}, {"consume", channel.consume}})
      if (rate == 0)
        return fmt::format("channel {} ({} -> {}) has {} rate 0, expected at least 1", c,
                           graph.actors[channel.source].name, graph.actors[channel.target].name,
                           name);
  }
  return std::nullopt;
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

llvm::Error verify(const SdfGraph &graph) {
  if (std::optional<std::string> fault = faultOf(graph))
    return checkError(fmt::format("data-flow graph '{}'", graph.name), *fault);
  return llvm::Error::success();
}

static void describe(auto &file, MaybeConst<SdfActor> auto &actor) {
  file.field("name", actor.name);
  file.field("execution_time", actor.executionTime);
}

static void describe(auto &file, MaybeConst<SdfChannel> auto &channel) {
  file.field("source", channel.source);
  file.field("target", channel.target);
  file.field("produce", channel.produce);
  file.field("consume", channel.consume);
  file.field("initial_tokens", channel.initialTokens);
  file.field("token_bits", channel.tokenBits);
}

static void describe(auto &file, MaybeConst<SdfGraph> auto &graph) {
  file.field("name", graph.name);
  file.field("actors", graph.actors);
  file.field("channels", graph.channels);
}

llvm::Error writeSdfGraph(const std::string &path, const SdfGraph &graph) {
  return writeDescribed(path, kSdfGraphFormat, graph);
}

llvm::Expected<SdfGraph> readSdfGraph(const std::string &path) {
  if (isSdf3Xml(path))
    return readSdf3Xml(path);
  SPINDLE_ASSIGN(SdfGraph graph, readDescribed<SdfGraph>(path, kSdfGraphFormat));
  if (std::optional<std::string> fault = faultOf(graph))
    return inputError(path, *fault);
  return graph;
}

llvm::Error writeSdfDot(const std::string &path, const SdfGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  std::string dot = fmt::format("digraph \"{}\" {{\n", dotText(graph.name));
  for (size_t a = 0; a < graph.actors.size(); ++a)
    dot += fmt::format("  a{} [label=\"{}\\n{}\"];\n", a, dotText(graph.actors[a].name),
                       graph.actors[a].executionTime);
  for (const SdfChannel &channel : graph.channels)
    dot += fmt::format("  a{} -> a{} [taillabel=\"{}\", headlabel=\"{}\", label=\"{}\"];\n",
                       channel.source, channel.target, channel.produce, channel.consume,
                       channel.initialTokens ? std::to_string(channel.initialTokens) : "");
  return writeFile(path, dot + "}\n");
}

} // namespace spindle
