#include "lib/partition/GraphExport.h"

#include "core/support/files/File.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

llvm::Error writeMetisGraph(const std::string &path, const SpikingGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  struct Edge {
    NeuronId neighbour;
    uint64_t spikes;
  };
  std::vector<std::vector<Edge>> edges(graph.neurons());
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s) {
      NeuronId source = graph.sources[s];
      if (source == n)
        continue;
      edges[n].push_back({source, graph.spikes[source]});
      edges[source].push_back({n, graph.spikes[source]});
    }
  std::string lines;
  uint64_t ends = 0;
  for (std::vector<Edge> &list : edges) {
    std::ranges::sort(list, {}, &Edge::neighbour);
    for (size_t i = 0; i < list.size();) {
      uint64_t weight = 1;
      NeuronId neighbour = list[i].neighbour;
      for (; i < list.size() && list[i].neighbour == neighbour; ++i)
        weight += list[i].spikes;
      lines += fmt::format("{} {} ", neighbour + 1, weight);
      ++ends;
    }
    lines += '\n';
  }
  return writeFile(path, fmt::format("{} {} 001\n", graph.neurons(), ends / 2) + lines);
}

static std::string escapeXml(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

llvm::Error writeGraphMl(const std::string &path, const SpikingGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="population" for="node" attr.name="population" attr.type="string"/>
<key id="spikes" for="all" attr.name="spikes" attr.type="long"/>
<key id="weight" for="edge" attr.name="weight" attr.type="float"/>
<graph edgedefault="directed">
)";
  auto data = [](const char *key, const auto &value) {
    return fmt::format("<data key=\"{}\">{}</data>", key, value);
  };
  for (const Population &population : graph.populations)
    for (NeuronId n = population.first; n < population.first + population.size; ++n)
      text += fmt::format("<node id=\"n{}\">{}{}</node>\n", n,
                          data("population", escapeXml(population.name)),
                          data("spikes", graph.spikes[n]));
  for (NeuronId n = 0; n < graph.neurons(); ++n)
    for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
      text += fmt::format("<edge source=\"n{}\" target=\"n{}\">{}{}</edge>\n", graph.sources[s], n,
                          data("weight", graph.weights[s]),
                          data("spikes", graph.spikes[graph.sources[s]]));
  return writeFile(path, text + "</graph>\n</graphml>\n");
}

} // namespace spindle
