#include "lib/sdf/MaximumCycleRatio.h"

#include "core/support/StrongComponents.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>

namespace spindle {

namespace {

/// A strongly connected part with nodes numbered from 0.
struct Component {
  std::vector<uint32_t> nodes; // of the whole graph
  std::vector<uint64_t> times;
  std::vector<Precedence> edges; // ends are indices into `nodes`
};

/// The components that hold a cycle that takes time.
std::vector<Component> cyclicComponents(const EventGraph &graph) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const Precedence &edge : graph.edges)
    arcs.emplace_back(edge.source, edge.target);
  std::vector<uint32_t> componentOf =
      strongComponents(static_cast<uint32_t>(graph.times.size()), arcs);
  std::vector<Component> components;
  std::vector<uint32_t> local(graph.times.size());
  for (uint32_t n = 0; n < graph.times.size(); ++n) {
    components.resize(std::max<size_t>(components.size(), componentOf[n] + 1));
    Component &component = components[componentOf[n]];
    local[n] = static_cast<uint32_t>(component.nodes.size());
    component.nodes.push_back(n);
    component.times.push_back(graph.times[n]);
  }
  for (const Precedence &edge : graph.edges)
    if (componentOf[edge.source] == componentOf[edge.target])
      components[componentOf[edge.source]].edges.push_back(
          {local[edge.source], local[edge.target], edge.delay});
  std::erase_if(components, [](const Component &component) {
    auto isZero = [](uint64_t time) { return time == 0; };
    return component.edges.empty() ||
           std::all_of(component.times.begin(), component.times.end(), isZero);
  });
  return components;
}

/// The cycle of these edges, which follow each other.
CriticalCycle toCycle(const Component &component, const std::vector<Precedence> &edges) {
  CriticalCycle cycle;
  Wide time = 0, delay = 0;
  for (const Precedence &edge : edges) {
    time += component.times[edge.source];
    delay += edge.delay;
    cycle.nodes.push_back(component.nodes[edge.source]);
  }
  if (!edges.empty())
    cycle.ratio = CycleRatio::of(time, delay);
  return cycle;
}

struct Weights {
  double time;
  double delay;
};

/// Howard's algorithm; may stop short of the optimum by its tolerance. Where it finds no cycle that
/// takes time, the ratio is 0.
CriticalCycle howard(const Component &component) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                      boost::no_property, Weights>;
  Graph graph(component.nodes.size());
  for (const Precedence &edge : component.edges)
    boost::add_edge(
        edge.source, edge.target,
        Weights{static_cast<double>(component.times[edge.source]), static_cast<double>(edge.delay)},
        graph);
  std::vector<boost::graph_traits<Graph>::edge_descriptor> critical;
  boost::maximum_cycle_ratio(graph, boost::get(boost::vertex_index, graph),
                             boost::get(&Weights::time, graph), boost::get(&Weights::delay, graph),
                             &critical);
  std::vector<Precedence> edges;
  for (auto edge : critical)
    edges.push_back({static_cast<uint32_t>(boost::source(edge, graph)),
                     static_cast<uint32_t>(boost::target(edge, graph)),
                     static_cast<uint64_t>(graph[edge].delay)});
  return toCycle(component, edges);
}

/// A cycle with a ratio above `ratio`, or none. Longest paths under the weight
/// time · ratio.iterations - delay · ratio.time settle within as many rounds as there are nodes
/// unless a cycle has positive weight, which is what a greater ratio means.
std::optional<CriticalCycle> betterCycle(const Component &component, const CycleRatio &ratio) {
  std::vector<Wide> potential(component.nodes.size(), 0);
  std::vector<const Precedence *> incoming(component.nodes.size(), nullptr);
  const Precedence *changed = nullptr;
  for (size_t round = 0; round <= component.nodes.size(); ++round) {
    changed = nullptr;
    for (const Precedence &edge : component.edges) {
      Wide reached = potential[edge.source] +
                     Wide(component.times[edge.source]) * ratio.iterations -
                     Wide(edge.delay) * ratio.time;
      if (reached > potential[edge.target]) {
        potential[edge.target] = reached;
        incoming[edge.target] = changed = &edge;
      }
    }
    if (!changed)
      return std::nullopt;
  }
  uint32_t onCycle = changed->target;
  for (size_t i = 0; i < component.nodes.size(); ++i)
    onCycle = incoming[onCycle]->source;
  std::vector<Precedence> edges;
  uint32_t node = onCycle;
  do {
    edges.push_back(*incoming[node]);
    node = incoming[node]->source;
  } while (node != onCycle);
  std::reverse(edges.begin(), edges.end());
  return toCycle(component, edges);
}

} // namespace

std::optional<CriticalCycle> maximumCycleRatio(const EventGraph &graph) {
  std::optional<CriticalCycle> worst;
  for (const Component &component : cyclicComponents(graph)) {
    CriticalCycle cycle = howard(component);
    while (std::optional<CriticalCycle> better = betterCycle(component, cycle.ratio))
      cycle = *better;
    if (!worst || cycle.ratio > worst->ratio)
      worst = cycle;
  }
  return worst;
}

} // namespace spindle
