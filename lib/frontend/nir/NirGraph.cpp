#include "lib/frontend/nir/NirGraph.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <set>

namespace spindle {

static llvm::Error verifyGraph(const NirNode &graph, const std::string &path,
                               const std::string &place) {
  std::set<std::string> names;
  for (const NirNode &node : graph.nodes) {
    if (excerpt(node.name, node.name.size()) != node.name)
      return inputError(place, fmt::format("a node is named '{}', expected one line of text in "
                                           "UTF-8; write the file again",
                                           node.name));
    if (!names.insert(node.name).second)
      return inputError(place, fmt::format("two nodes are named '{}'", node.name));
  }
  for (const auto &[from, to] : graph.edges)
    for (const std::string &end : {from, to})
      if (!names.count(end))
        return inputError(place, fmt::format("the edge from '{}' to '{}' names node '{}', which is "
                                             "not in this graph; there are: {}; write the file "
                                             "again with the names that its nodes have",
                                             from, to, end, fmt::join(names, ", ")));
  for (const NirNode &node : graph.nodes)
    if (node.isGraph())
      SPINDLE_RETURN_IF_ERROR(
          verifyGraph(node, path,
                      place == path ? fmt::format("{}: node '{}'", path, node.name)
                                    : fmt::format("{}, node '{}' in it", place, node.name)));
  return llvm::Error::success();
}

llvm::Error verify(const NirGraph &graph, const std::string &path) {
  return verifyGraph(graph.root, path, path);
}

} // namespace spindle
