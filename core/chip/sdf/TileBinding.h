// Which tile runs which actor, in which order, in which part of its time.
#pragma once

#include "core/chip/sdf/SdfArchitecture.h"
#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

struct TileBinding {
  std::vector<SdfTileId> tiles;             // per actor
  std::vector<std::vector<ActorId>> orders; // per tile: its firings, from the first one again
  std::vector<uint64_t> slices;             // per tile: time units of its wheel; 0: not used
  bool operator==(const TileBinding &) const = default;
};

/// A tile on each line, then its actors in the order in which they fire: `0 0 1 2 3`. Both go by
/// their names; a number is the one whose name ends in it after an underscore (`actor_3`,
/// `tile_0`), as in the bindings of DFSynthesizer. `#` begins a comment. Every actor is on one
/// tile, and there as often as it fires in one round of the order. Slices are left at 0. Errors
/// carry file:line:column.
llvm::Expected<TileBinding> readTileBinding(const std::string &path, const SdfGraph &graph,
                                            const SdfArchitecture &architecture);

} // namespace spindle
