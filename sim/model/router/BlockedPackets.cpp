// The watchdog: which packets wait for each other when nothing moves any more.
#include "sim/model/router/MeshNetwork.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

static constexpr uint32_t kNoBuffer = UINT32_MAX;

/// The buffer of `tile` whose packet has a channel behind an output.
uint32_t MeshNetwork::holderOf(TileId tile, uint32_t output, uint32_t channel) const {
  for (uint32_t index = at(tile, 0, 0); index < at(tile + 1, 0, 0); ++index) {
    const Channel &buffer = buffers[index];
    bool holds =
        buffer.state == Channel::kActive && buffer.output == output && buffer.ahead == channel;
    if (buffer.state == Channel::kBranching && buffer.branches >> output & 1) {
      const Branch &one = branches[index * kPorts + output];
      holds = one.hasChannel && one.ahead == channel;
    }
    if (holds)
      return index;
  }
  return kNoBuffer;
}

/// The buffer that has to move before the packet at the front of this one, or in it, does.
std::optional<uint32_t> MeshNetwork::blockedBy(uint32_t index) const {
  const Channel &buffer = buffers[index];
  TileId tile = index / channels / kPorts;
  uint32_t input = index / channels % kPorts;
  auto behind = [&](uint32_t output, uint32_t channel) -> std::optional<uint32_t> {
    uint32_t next = bufferBehind(tile, output, channel);
    if (portAt(tile, output).isTile || buffers[next].count < capacity)
      return std::nullopt;
    return next;
  };
  if (buffer.count == 0) { // the rest of its packet is where it came from
    uint32_t before =
        portAt(tile, input).isTile
            ? kNoBuffer
            : holderOf(neighbour(tile, input), inputBehind(mesh, tile, input), index % channels);
    return before == kNoBuffer ? std::nullopt : std::optional(before);
  }
  if (buffer.state == Channel::kActive)
    return behind(buffer.output, buffer.ahead);
  if (buffer.state == Channel::kBranching)
    for (uint32_t output = 0; output < kPorts; ++output) {
      const Branch &one = branches[index * kPorts + output];
      if (buffer.branches >> output & 1 && one.hasChannel)
        if (std::optional<uint32_t> next = behind(output, one.ahead))
          return next;
    }
  if (buffer.state == Channel::kWaiting)
    for (const RouteOption &option : routes[index])
      if (uint32_t holder = holderOf(tile, option.port, option.first);
          holder != kNoBuffer && holder != index)
        return holder;
  return std::nullopt;
}

std::vector<LinkChannel> MeshNetwork::blockedCycle() const {
  std::vector<uint32_t> foundFrom(routers * kPorts * channels, kNoBuffer); // by which start
  for (uint32_t start = 0; start < foundFrom.size(); ++start) {
    std::optional<uint32_t> index = start;
    while (index && foundFrom[*index] == kNoBuffer) {
      foundFrom[*index] = start;
      index = blockedBy(*index);
    }
    if (!index || foundFrom[*index] != start)
      continue; // ends, or leads to what an earlier start came to
    std::vector<LinkChannel> links;
    uint32_t first = *index;
    do {
      TileId tile = *index / channels / kPorts;
      uint32_t input = *index / channels % kPorts;
      if (!portAt(tile, input).isTile)
        links.push_back(
            {neighbour(tile, input), inputBehind(mesh, tile, input), *index % channels});
      index = blockedBy(*index);
    } while (*index != first);
    return links;
  }
  return {};
}

std::string MeshNetwork::stuckText() const {
  std::string text = fmt::format("{} of {} packets delivered, the others are stuck",
                                 deliveredPackets, packetTable.size());
  if (std::vector<LinkChannel> links = blockedCycle(); !links.empty())
    text += fmt::format(": the links {} wait for each other in a circle (tile and direction)",
                        linkNames(links, channels > 1));
  return text;
}

} // namespace spindle
