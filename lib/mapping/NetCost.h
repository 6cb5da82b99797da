// The cost of a placement of nets, kept while clusters move.
#pragma once

#include "lib/mapping/NetProblem.h"

namespace spindle {

class NetCost {
public:
  NetCost(const NetProblem &nets, const Slots &slots);

  double cost() const { return total; }
  TileId tileOf(uint32_t node) const { return tiles[node]; }

  /// Moves clusters to tiles; `undo` takes the last call back. Looks at their nets alone.
  void move(ClusterId a, TileId to);
  void swap(ClusterId a, ClusterId b);
  void undo();

private:
  void change(std::span<const std::pair<ClusterId, TileId>> moves);
  void take(uint32_t net); // out of the total
  void put(uint32_t net);  // with the tiles as they are now
  void collectTiles(const Net &net);
  template <typename Visit> void visitSources(const Net &net, Visit visit) const;
  double priceOf(const Net &net);
  void load(const Net &net, double flits); // onto links and ports, with the squares in the total

  const NetProblem &problem;
  std::vector<TileId> tiles; // per cluster
  std::vector<double> costs; // per net
  std::vector<double> loads; // per router: its four links, its tile's ports in and out of the mesh
  std::vector<TileId> heard; // of the net at hand: ascending within a source, without the sources'
  std::vector<TileId> local; // … where a packet of it stays in the source's tile
  std::vector<uint64_t> stampOf; // likewise
  uint64_t stamp = 0;
  double total = 0;
  std::vector<uint32_t> touched; // nets of the last change
  std::vector<double> oldCosts;  // of those
  std::vector<std::pair<ClusterId, TileId>> oldTiles;
};

} // namespace spindle
