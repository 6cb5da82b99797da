#include "hw/hls/schedule/bounds/Components.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace spindle::hls {

std::vector<Component> componentsOf(const Precedences &precedences) {
  size_t count = precedences.spans.size();
  std::vector<std::pair<unsigned, unsigned>> arcs;
  for (const Precedence &precedence : precedences.all)
    arcs.emplace_back(precedence.from, precedence.to);
  boost::compressed_sparse_row_graph<boost::directedS> graph(boost::edges_are_unsorted_multi_pass,
                                                             arcs.begin(), arcs.end(), count);
  std::vector<size_t> componentOf(count);
  size_t components = boost::strong_components(
      graph, boost::make_iterator_property_map(componentOf.begin(),
                                               boost::get(boost::vertex_index, graph)));
  // Tarjan numbers a component after all that it reaches.
  std::vector<Component> result(components);
  for (unsigned o : precedences.order)
    result[components - 1 - componentOf[o]].operations.push_back(o);
  for (Component &component : result)
    component.isCircle = component.operations.size() > 1;
  return result;
}

} // namespace spindle::hls
