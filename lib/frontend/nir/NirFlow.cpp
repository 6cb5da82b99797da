#include "lib/frontend/nir/NirFlow.h"

#include "core/support/FreeNames.h"
#include "lib/frontend/nir/NirDelays.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <deque>
#include <set>

namespace spindle {

static constexpr size_t mostViews = 40000;            // twice the nodes that a file may have
static constexpr size_t mostCopied = size_t{1} << 26; // numbers

static const std::set<std::string> &spikingTypes() {
  static const std::set<std::string> types{"IF", "LIF", "CubaLIF", "Threshold"};
  return types;
}

bool isSpiking(const std::string &type) { return spikingTypes().count(type) != 0; }

/// Appends the nodes and edges of `graph` to `flat`, with `prefix` before their names.
static void append(const NirNode &graph, const std::string &prefix, NirNode &flat) {
  std::map<std::string, NirEdge> ends; // of inner graphs: where edges enter and leave them
  for (const NirNode &node : graph.nodes) {
    std::string name = prefix + node.name;
    ends[node.name] = {name, name};
    if (!node.isGraph()) {
      flat.nodes.push_back(node);
      flat.nodes.back().name = name;
      continue;
    }
    append(node, name + ".", flat);
    for (const NirNode &inner : node.nodes)
      if (inner.type == "Input")
        ends[node.name].first = name + "." + inner.name;
      else if (inner.type == "Output")
        ends[node.name].second = name + "." + inner.name;
  }
  for (const auto &[from, to] : graph.edges)
    flat.edges.push_back({ends[from].second, ends[to].first});
}

NirNode flatten(const NirGraph &graph) {
  NirNode flat;
  flat.type = "NIRGraph";
  append(graph.root, "", flat);
  return flat;
}

namespace {

/// The graph by numbers of nodes.
struct Numbered {
  const NirNode &flat;
  NirWiring wiring;
  NodeLists predecessors;
  size_t output = 0;

  const NirNode &node(size_t index) const { return flat.nodes[index]; }
};

llvm::Expected<size_t> findOnly(const NirNode &flat, const std::string &path,
                                const std::string &type, const std::vector<size_t> &degree) {
  std::vector<size_t> found;
  for (size_t i = 0; i < flat.nodes.size(); ++i)
    if (flat.nodes[i].type == type && degree[i] == 0)
      found.push_back(i);
  if (found.size() != 1)
    return inputError(path,
                      fmt::format("has {} nodes of type {}, expected one", found.size(), type));
  return found[0];
}

llvm::Expected<Numbered> number(const NirNode &flat, const std::string &path) {
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < flat.nodes.size(); ++i)
    if (!numbers.insert({flat.nodes[i].name, i}).second)
      return inputError(path, fmt::format("two nodes are named '{}' when graphs within the graph "
                                          "are dissolved",
                                          flat.nodes[i].name));
  size_t count = flat.nodes.size();
  Numbered graph{flat, {NodeLists(count), std::vector<bool>(count)}, NodeLists(count)};
  for (size_t i = 0; i < count; ++i)
    graph.wiring.spiking[i] = isSpiking(flat.nodes[i].type);
  std::vector<size_t> in(count), out(count);
  std::set<NirEdge> edges(flat.edges.begin(), flat.edges.end()); // sorted, each once
  for (const auto &[from, to] : edges) {
    auto source = numbers.find(from), target = numbers.find(to);
    if (source == numbers.end() || target == numbers.end())
      return inputError(path,
                        fmt::format("the edge from '{}' to '{}' leads through a graph without "
                                    "an Input or an Output",
                                    from, to));
    graph.wiring.successors[source->second].push_back(target->second);
    graph.predecessors[target->second].push_back(source->second);
    ++out[source->second];
    ++in[target->second];
  }
  for (std::vector<size_t> &sources : graph.predecessors)
    std::sort(sources.begin(), sources.end()); // the order in which they are added up
  SPINDLE_ASSIGN(graph.wiring.input, findOnly(flat, path, "Input", in));
  SPINDLE_ASSIGN(graph.output, findOnly(flat, path, "Output", out));
  return graph;
}

llvm::Error checkCycles(const Numbered &graph, const std::string &path) {
  auto edge = findSilentCycle(graph.wiring);
  if (!edge)
    return llvm::Error::success();
  const NirNode &from = graph.node(edge->first), &to = graph.node(edge->second);
  return inputError(path, fmt::format("the edge from '{}' ({}) to '{}' ({}) closes a cycle "
                                      "without a spiking population ({}), which has no "
                                      "order in a step",
                                      from.name, from.type, to.name, to.type,
                                      fmt::join(spikingTypes(), ", ")));
}

/// A node as some of its readers see it: with the spikes of some populations a step late.
struct View {
  size_t node = 0;
  std::set<size_t> late; // empty of populations, which are what they are for everyone

  auto operator<=>(const View &) const = default;
};

struct Reads {
  std::vector<View> now, later;
};

Reads readsOf(const View &view, const Numbered &graph, const NirDelays &delays) {
  const std::set<size_t> &late =
      graph.wiring.spiking[view.node] ? delays.late[view.node] : view.late;
  Reads reads;
  for (size_t source : graph.predecessors[view.node]) {
    View seen{source, {}};
    if (graph.wiring.spiking[source]) {
      (late.count(source) ? reads.later : reads.now).push_back(seen);
      continue;
    }
    for (size_t population : late)
      if (delays.reaches.at(population)[source])
        seen.late.insert(population);
    reads.now.push_back(seen);
  }
  return reads;
}

/// The view that sees least late keeps the name of the node, the others are named after it.
void nameCopies(const std::map<View, size_t> &positions, const Numbered &graph, NirFlow &flow) {
  FreeNames names("");
  for (const NirNode &node : graph.flat.nodes)
    names.take(node.name);
  std::map<size_t, std::vector<std::pair<size_t, size_t>>> views; // of nodes: late ones, position
  for (const auto &[view, position] : positions)
    views[view.node].push_back({view.late.size(), position});
  for (auto &[node, copies] : views) {
    std::sort(copies.begin(), copies.end());
    for (size_t i = 1; i < copies.size(); ++i)
      flow.nodes[copies[i].second].node.name = names.takeFree(graph.node(node).name + ".late");
  }
}

} // namespace

llvm::Expected<NirFlow> orderNodes(const NirNode &flat, const std::string &path) {
  SPINDLE_ASSIGN(Numbered graph, number(flat, path));
  SPINDLE_RETURN_IF_ERROR(checkCycles(graph, path));
  SPINDLE_ASSIGN(NirDelays delays, findDelays(graph.wiring, path));

  // Depth first from the output; a population that is only read one step later is a root, too.
  std::map<View, Reads> opened;
  std::map<View, size_t> positions;
  std::vector<bool> isPlaced(flat.nodes.size());
  size_t copied = 0; // numbers of nodes that are there before
  NirFlow flow;
  std::deque<View> roots{View{graph.output, {}}};
  while (!roots.empty()) {
    std::vector<View> stack{roots.front()};
    roots.pop_front();
    while (!stack.empty()) {
      View view = stack.back();
      auto [at, isNew] = opened.try_emplace(view);
      if (isNew) {
        if (opened.size() > mostViews)
          return inputError(path, fmt::format("nodes that lead spikes to some populations at once "
                                              "and to others a step later make more than {} nodes; "
                                              "give populations nodes of their own",
                                              mostViews));
        at->second = readsOf(view, graph, delays);
        const auto &[now, later] = at->second;
        roots.insert(roots.end(), later.begin(), later.end());
        for (const View &source : now)
          if (!opened.count(source))
            stack.push_back(source);
        continue;
      }
      stack.pop_back();
      if (!positions.insert({view, flow.nodes.size()}).second)
        continue;
      const NirNode &node = flat.nodes[view.node];
      for (const auto &[name, array] : node.parameters)
        copied += isPlaced[view.node] ? array.numbers.size() : 0;
      if (copied > mostCopied)
        return inputError(path,
                          fmt::format("nodes that lead spikes to some populations at once and "
                                      "to others a step later are copied with more than {} "
                                      "numbers; give populations nodes of their own",
                                      mostCopied));
      isPlaced[view.node] = true;
      flow.nodes.push_back({node, node.name, {}, {}});
    }
  }
  auto input = positions.find(View{graph.wiring.input, {}});
  if (input == positions.end())
    return inputError(path, fmt::format("no path leads from '{}' to '{}'",
                                        graph.node(graph.wiring.input).name,
                                        graph.node(graph.output).name));
  for (const auto &[view, position] : positions) {
    NirStation &station = flow.nodes[position];
    const auto &[now, later] = opened.at(view);
    for (const View &source : now)
      station.sources.push_back(positions.at(source));
    for (const View &source : later)
      station.feedback.push_back(positions.at(source));
  }
  nameCopies(positions, graph, flow);
  flow.input = input->second;
  flow.output = positions.at(View{graph.output, {}});
  return flow;
}

} // namespace spindle
