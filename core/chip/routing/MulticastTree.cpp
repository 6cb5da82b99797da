#include "core/chip/routing/MulticastTree.h"

#include "core/chip/routing/RoutingFunction.h"

#include <map>

namespace spindle {

MulticastTree multicastTree(const Mesh &mesh, Routing order, TileId source,
                            llvm::ArrayRef<TileId> targets) {
  // Tori have no trees: elsewhere one channel is enough, and the way depends on the tiles only.
  RoutingFunction route(mesh, order, 1);
  MulticastTree tree;
  tree.nodes.push_back({source});
  tree.targets = targets.vec();
  for (uint32_t target = 0; target < targets.size(); ++target) {
    uint32_t node = 0;
    while (tree.nodes[node].tile != targets[target]) {
      TileId tile = tree.nodes[node].tile;
      uint32_t port = route(tile, targets[target], kLocal, 0).options[0].port;
      if ((tree.nodes[node].outputs >> port & 1) == 0) {
        tree.nodes[node].outputs |= static_cast<uint8_t>(1u << port);
        tree.nodes[node].next[port] = static_cast<uint32_t>(tree.nodes.size());
        tree.nodes.push_back({neighbourOf(mesh, tile, port)});
      }
      node = tree.nodes[node].next[port];
    }
    tree.nodes[node].outputs |= static_cast<uint8_t>(1u << kLocal);
    tree.nodes[node].target = target;
  }
  return tree;
}

std::vector<std::vector<TileId>> multicastPaths(const Mesh &mesh, Routing order, TileId source,
                                                llvm::ArrayRef<TileId> targets) {
  std::map<std::pair<uint32_t, bool>, std::vector<TileId>> groups; // (column, north of the source)
  for (TileId target : targets)
    if (order == Routing::YX)
      groups[{mesh.y(target), mesh.x(target) < mesh.x(source)}].push_back(target);
    else
      groups[{mesh.x(target), mesh.y(target) < mesh.y(source)}].push_back(target);
  std::vector<std::vector<TileId>> paths;
  for (auto &group : groups)
    paths.push_back(std::move(group.second));
  return paths;
}

/// The outputs, as bits, of a packet that goes straight on.
static uint32_t straightOn(const Mesh &mesh, TileId router, uint32_t input) {
  if (mesh.isTree())
    return 1u << upwards(mesh, router);
  return 1u << opposite(input);
}

void countTableEntries(const Mesh &mesh, const MulticastTree &tree,
                       std::vector<uint32_t> &entries) {
  std::vector<uint32_t> inputs(tree.nodes.size());
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) { // behind the one it comes from
    const TreeNode &at = tree.nodes[node];
    entries[at.tile] += node == 0 || at.outputs != straightOn(mesh, at.tile, inputs[node]);
    for (uint32_t port = 0; port < kPorts; ++port)
      if (at.outputs >> port & 1 && !leadsToTile(mesh, at.tile, port))
        inputs[at.next[port]] = inputBehind(mesh, at.tile, port);
  }
}

} // namespace spindle
