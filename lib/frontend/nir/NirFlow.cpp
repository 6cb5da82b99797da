#include "lib/frontend/nir/NirFlow.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <deque>
#include <set>

namespace spindle {

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

using Lists = std::vector<std::vector<size_t>>;

/// The graph by numbers of nodes.
struct Numbered {
  const NirNode &flat;
  Lists successors;
  size_t input = 0, output = 0;

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
  Numbered graph{flat, Lists(flat.nodes.size())};
  std::vector<size_t> in(flat.nodes.size()), out(flat.nodes.size());
  std::set<NirEdge> edges(flat.edges.begin(), flat.edges.end()); // sorted, each once
  for (const auto &[from, to] : edges) {
    auto source = numbers.find(from), target = numbers.find(to);
    if (source == numbers.end() || target == numbers.end())
      return inputError(path,
                        fmt::format("the edge from '{}' to '{}' leads through a graph without "
                                    "an Input or an Output",
                                    from, to));
    graph.successors[source->second].push_back(target->second);
    ++out[source->second];
    ++in[target->second];
  }
  SPINDLE_ASSIGN(graph.input, findOnly(flat, path, "Input", in));
  SPINDLE_ASSIGN(graph.output, findOnly(flat, path, "Output", out));
  return graph;
}

bool reaches(const Lists &successors, size_t from, size_t to) {
  std::vector<bool> seen(successors.size());
  std::vector<size_t> open{from};
  while (!open.empty()) {
    size_t node = open.back();
    open.pop_back();
    if (node == to)
      return true;
    if (seen[node])
      continue;
    seen[node] = true;
    open.insert(open.end(), successors[node].begin(), successors[node].end());
  }
  return false;
}

/// Nodes by their distance from the input; those that it does not reach come last.
std::vector<size_t> breadthFirst(const Numbered &graph) {
  std::vector<size_t> order;
  std::vector<bool> seen(graph.successors.size());
  auto spread = [&](size_t start) {
    std::deque<size_t> open{start};
    while (!open.empty()) {
      size_t node = open.front();
      open.pop_front();
      if (seen[node])
        continue;
      seen[node] = true;
      order.push_back(node);
      open.insert(open.end(), graph.successors[node].begin(), graph.successors[node].end());
    }
  };
  spread(graph.input);
  for (size_t node = 0; node < seen.size(); ++node)
    spread(node);
  return order;
}

/// The edges of a step without cycles, and those that wait for the next step.
struct Cut {
  Lists kept, delayed;
};

llvm::Expected<Cut> cutCycles(const Numbered &graph, const std::string &path) {
  std::vector<size_t> order = breadthFirst(graph);
  size_t count = graph.successors.size();
  Cut cut{Lists(count), Lists(count)};
  for (bool spiking : {false, true})
    for (size_t from : order) {
      if (isSpiking(graph.node(from).type) != spiking)
        continue;
      for (size_t to : graph.successors[from]) {
        bool closes = reaches(cut.kept, to, from);
        if (closes && !spiking)
          return inputError(path, fmt::format("the edge from '{}' ({}) to '{}' ({}) closes a cycle "
                                              "without a spiking population ({}), which has no "
                                              "order in a step",
                                              graph.node(from).name, graph.node(from).type,
                                              graph.node(to).name, graph.node(to).type,
                                              fmt::join(spikingTypes(), ", ")));
        (closes ? cut.delayed : cut.kept)[from].push_back(to);
      }
    }
  return cut;
}

Lists reversed(const Lists &successors) {
  Lists predecessors(successors.size());
  for (size_t from = 0; from < successors.size(); ++from)
    for (size_t to : successors[from])
      predecessors[to].push_back(from);
  return predecessors;
}

} // namespace

llvm::Expected<NirFlow> orderNodes(const NirNode &flat, const std::string &path) {
  SPINDLE_ASSIGN(Numbered graph, number(flat, path));
  SPINDLE_ASSIGN(Cut cut, cutCycles(graph, path));
  Lists sources = reversed(cut.kept), feedback = reversed(cut.delayed);

  // Depth first from the output; a population that is only read one step later is a root, too.
  enum class Mark { New, Open, Placed };
  std::vector<Mark> marks(flat.nodes.size(), Mark::New);
  std::vector<size_t> position(flat.nodes.size());
  NirFlow flow;
  std::deque<size_t> roots{graph.output};
  while (!roots.empty()) {
    std::vector<size_t> stack{roots.front()};
    roots.pop_front();
    while (!stack.empty()) {
      size_t node = stack.back();
      if (marks[node] == Mark::New) {
        marks[node] = Mark::Open;
        roots.insert(roots.end(), feedback[node].begin(), feedback[node].end());
        for (size_t source : sources[node])
          if (marks[source] == Mark::New)
            stack.push_back(source);
        continue;
      }
      stack.pop_back();
      if (marks[node] == Mark::Placed)
        continue;
      marks[node] = Mark::Placed;
      position[node] = flow.nodes.size();
      flow.nodes.push_back({flat.nodes[node], sources[node], feedback[node]});
    }
  }
  if (marks[graph.input] == Mark::New)
    return inputError(path,
                      fmt::format("no path leads from '{}' to '{}'", graph.node(graph.input).name,
                                  graph.node(graph.output).name));
  for (NirStation &station : flow.nodes)
    for (std::vector<size_t> *list : {&station.sources, &station.feedback})
      for (size_t &source : *list)
        source = position[source];
  flow.input = position[graph.input];
  flow.output = position[graph.output];
  return flow;
}

} // namespace spindle
