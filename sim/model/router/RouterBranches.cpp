// Multicast in a router: one packet at the front of a buffer goes on through several outputs.
#include "sim/model/router/MeshNetwork.h"

#include <algorithm>

namespace spindle {

void MeshNetwork::startBranches(TileId tile, uint32_t input, uint32_t channel) {
  uint32_t index = at(tile, input, channel);
  Channel &buffer = buffers[index];
  buffer.state = Channel::kBranching;
  buffer.branches = treeNodes[place(index, buffer.front).flit.target].outputs;
  buffer.leftFlits = 0;
  for (uint32_t output = 0; output < kPorts; ++output)
    branch(index, output) = {};
}

/// Every branch asks for a channel ahead, and then for the switch, as a packet of its own would.
void MeshNetwork::askForBranches(TileId tile, uint32_t input, uint32_t channel) {
  uint32_t index = at(tile, input, channel);
  const Channel &buffer = buffers[index];
  const uint32_t turn = turns[tile * kPorts + input];
  for (uint32_t left = buffer.branches; left != 0; left &= left - 1) {
    auto output = static_cast<uint32_t>(std::countr_zero(left));
    const Branch &one = branch(index, output);
    if (one.readyCycle > cycle) {
      agenda.add(tile, one.readyCycle);
      continue;
    }
    if (!one.hasChannel) {
      if (!isChannelStageFree(tile))
        continue;
      uint64_t free = freeChannels(
          tile, {static_cast<uint8_t>(output), 0, static_cast<uint8_t>(channels - 1), 0});
      if (free == 0)
        continue;
      askForOneOf(free << (output * channels), index, uint64_t(1) << (input * channels + channel));
      if (timing.stages.speculative && hasCredit(tile, output, free))
        switchRequests.add(input, channel, output, true, turn, channels);
      continue;
    }
    uint32_t ahead = one.sentFlits - buffer.leftFlits; // of the front
    if (ahead >= buffer.count || place(index, (buffer.front + ahead) % capacity).cycle > cycle ||
        !isSwitchFree(tile))
      continue;
    if (hasPlace(bufferBehind(tile, output, one.ahead), tile))
      switchRequests.add(input, channel, output, false, turn, channels);
  }
}

/// A branch sends the next flit that it has not sent; what all have sent leaves the buffer.
void MeshNetwork::forwardBranch(TileId tile, uint32_t input, uint32_t channel, uint32_t output) {
  uint32_t index = at(tile, input, channel);
  Channel &buffer = buffers[index];
  Branch &one = branch(index, output);
  Flit flit = place(index, (buffer.front + one.sentFlits - buffer.leftFlits) % capacity).flit;
  bool isTail = flit.tail;
  uint32_t flits = packetTable[flit.packet].flits;
  if (output != kLocal)
    flit.target = treeNodes[flit.target].next[output];
  sendFlit(tile, output, one.ahead, flit);
  ++one.sentFlits;
  one.readyCycle = cycle + timing.stages.switchAllocation;
  if (isTail) {
    giveFree(tile, output, one.ahead);
    buffer.branches &= static_cast<uint8_t>(~(1u << output));
  }
  uint32_t sentByAll = flits;
  for (uint32_t left = buffer.branches; left != 0; left &= left - 1)
    sentByAll = std::min<uint32_t>(
        sentByAll, branch(index, static_cast<uint32_t>(std::countr_zero(left))).sentFlits);
  for (; buffer.leftFlits < sentByAll; ++buffer.leftFlits)
    leaveBuffer(tile, input, channel);
  if (buffer.branches == 0) {
    buffer.state = Channel::kIdle;
    buffer.readyCycle = cycle + timing.stages.switchAllocation;
  }
}

} // namespace spindle
