#include "core/support/StrongComponents.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

namespace spindle {

std::vector<uint32_t> strongComponents(uint32_t nodes,
                                       const std::vector<std::pair<uint32_t, uint32_t>> &arcs) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Graph graph(arcs.begin(), arcs.end(), nodes);
  std::vector<uint32_t> component(nodes);
  boost::strong_components(graph, boost::make_iterator_property_map(
                                      component.begin(), boost::get(boost::vertex_index, graph)));
  return component;
}

} // namespace spindle
