// Tiles that run the actors of a data-flow graph, and the connections between them.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

using SdfTileId = uint32_t;

/// A processor that goes to its users in turn (time-division multiple access): in every round of
/// `wheel` time units an application has a slice of so many. Sizes are in bits, bandwidths in bits
/// per time unit.
struct SdfTile {
  std::string name, processor; // the kind of processor, which actors name
  uint64_t wheel = 0;          // 0: the processor is not shared
  uint64_t memory = 0, connections = 0, inBandwidth = 0, outBandwidth = 0;
  bool operator==(const SdfTile &) const = default;
};

struct SdfConnection {
  std::string name;
  SdfTileId source, target;
  uint64_t delay = 0; // time units from the first bit in to the first bit out
  bool operator==(const SdfConnection &) const = default;
};

struct SdfArchitecture {
  std::string name;
  std::vector<SdfTile> tiles;
  std::vector<SdfConnection> connections;
  bool operator==(const SdfArchitecture &) const = default;

  /// The first connection from one tile to another.
  const SdfConnection *between(SdfTileId source, SdfTileId target) const;
  std::optional<SdfTileId> find(const std::string &tileName) const;
};

/// The `architectureGraph` of a file of SDF3: tiles with processor, memory and network interface,
/// and their connections. Its `network` of routers and links is skipped: a connection's delay
/// stands for the way through it. Errors carry file:line:column.
llvm::Expected<SdfArchitecture> readSdf3Architecture(const std::string &path);

} // namespace spindle
