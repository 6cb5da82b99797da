// What passes chosen links, cycle by cycle, for a viewer of waveforms.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle {

/// A link between two neighbouring tiles.
struct WatchedLink {
  TileId from, to;
  bool operator==(const WatchedLink &) const = default;
};

/// A flit at the far end of one of the watched links.
struct LinkFlit {
  uint64_t cycle;
  uint32_t link; // which of them
  uint32_t packet, channel;
  bool head, tail;
  bool operator==(const LinkFlit &) const = default;
};

/// `0-1,5-13`: the links from tile 0 to 1 and from 5 to 13. Refuses tiles that are no neighbours.
llvm::Expected<std::vector<WatchedLink>> parseLinks(const std::string &text, const Mesh &mesh);

/// A value change dump (IEEE 1364, section 18), a cycle is a nanosecond: for each link `valid`,
/// `packet`, `channel`, `head` and `tail`.
std::string vcdText(const std::vector<WatchedLink> &links, std::vector<LinkFlit> flits);

} // namespace spindle
