// A data-flow graph whose actors share tiles, as a data-flow graph.
#pragma once

#include "core/chip/sdf/Sdf3Xml.h"
#include "core/chip/sdf/TileBinding.h"
#include "lib/sdf/TimeWheel.h"

namespace spindle {

/// What channels get of the tiles; in their order.
struct ChannelResources {
  std::vector<uint64_t> capacities;     // tokens, on one tile; 0 for one of an actor to itself
  std::vector<uint64_t> source, target; // tokens at both ends of a connection
  std::vector<uint64_t> tokenTimes;     // time units that a token takes of a connection
};

/// `graph` holds the actors of the application first and in their order, with their times on their
/// tiles, then those of connections. A channel between tiles is an actor that passes one token at a
/// time, with buffers at both ends, and one that waits until the slice of its target begins (wheels
/// of tiles are not in step). A channel on one tile is bounded. Firings of a tile follow each other
/// in its order: each entry is a phase of its actor, so a round of the order is one turn.
/// Stuijk, Basten, Geilen & Corporaal, "Multiprocessor resource allocation for
/// throughput-constrained synchronous dataflow graphs", DAC 2007.
struct BoundGraph {
  SdfGraph graph;
  std::vector<TimeWheel> wheels; // per actor
  std::vector<SdfTileId> tiles;  // per actor of the application
};

/// `binding` may have no orders (empty lists): then nothing keeps firings of a tile apart, which is
/// what a scheduler starts from. Every actor has a processor of its tile's type, and tiles that
/// exchange tokens are connected.
BoundGraph bindGraph(const SdfApplication &application, const SdfArchitecture &architecture,
                     const TileBinding &binding, const ChannelResources &resources, WheelRule rule);

} // namespace spindle
