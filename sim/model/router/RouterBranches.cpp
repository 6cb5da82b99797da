// Multicast in a router: one packet at the front of a buffer goes on through several outputs.
#include "sim/model/router/MeshNetwork.h"

#include <algorithm>

namespace spindle {

void MeshNetwork::startBranches(const Input &input) {
  Channel &buffer = buffers[input.buffer];
  buffer.state = Channel::kBranching;
  buffer.branches = treeNodes[place(input.buffer, buffer.front).flit.target].outputs;
  buffer.leftFlits = 0;
  for (uint32_t output = 0; output < kPorts; ++output)
    branch(input.buffer, output) = {};
}

/// Every branch asks for a channel ahead, and then for the switch, as a packet of its own would.
/// The switch copies the flit at the front to all branches that want it and are granted.
void MeshNetwork::askForBranches(const Input &input) {
  const Channel &buffer = buffers[input.buffer];
  uint8_t furthestBack = 0; // branches that ask for the switch for the flit at the front
  for (uint32_t left = buffer.branches; left != 0; left &= left - 1) {
    auto output = static_cast<uint32_t>(std::countr_zero(left));
    const Branch &one = branch(input.buffer, output);
    if (one.readyCycle > cycle) {
      agenda.add(input.tile, one.readyCycle);
      continue;
    }
    if (!one.hasChannel) {
      if (!isChannelStageFree(input.tile))
        continue;
      uint64_t free = freeChannels(
          input.tile, {static_cast<uint8_t>(output), 0, static_cast<uint8_t>(channels - 1), 0});
      if (free == 0)
        continue;
      askForOneOf(free << (output * channels), input);
      if (timing.stages.speculative && isLinkFree(input.tile, output) &&
          hasCredit(input.tile, output, free)) {
        requestSwitch(input, output, /*isSpeculative=*/true);
        furthestBack |= static_cast<uint8_t>(1u << output);
      }
      continue;
    }
    uint32_t ahead = one.sentFlits - buffer.leftFlits; // of the front
    if (ahead >= buffer.count || placeAfterFront(input.buffer, ahead).cycle > cycle ||
        !isSwitchFree(input.tile))
      continue;
    if (!isLinkFree(input.tile, output) ||
        !hasPlace(bufferBehind(input.tile, output, one.ahead), input.tile))
      continue;
    requestSwitch(input, output, /*isSpeculative=*/false);
    if (ahead == 0)
      furthestBack |= static_cast<uint8_t>(1u << output);
  }
  switchRequests.shareFlit(input.port, furthestBack);
}

/// A branch sends the next flit that it has not sent; what all have sent leaves the buffer.
void MeshNetwork::forwardBranch(const Input &input, uint32_t output) {
  Channel &buffer = buffers[input.buffer];
  Branch &one = branch(input.buffer, output);
  Flit flit = placeAfterFront(input.buffer, one.sentFlits - buffer.leftFlits).flit;
  bool isTail = flit.tail;
  uint32_t sentByAll = packetTable[flit.packet].flits;
  if (!portAt(input.tile, output).isTile)
    flit.target = treeNodes[flit.target].next[output];
  sendFlit(input.tile, output, one.ahead, flit);
  ++one.sentFlits;
  one.readyCycle = cycle + timing.stages.switchAllocation;
  if (isTail) {
    giveFree(input.tile, output, one.ahead);
    buffer.branches &= static_cast<uint8_t>(~(1u << output));
  }
  for (uint32_t left = buffer.branches; left != 0; left &= left - 1) {
    const Branch &other = branch(input.buffer, static_cast<uint32_t>(std::countr_zero(left)));
    sentByAll = std::min<uint32_t>(sentByAll, other.sentFlits);
  }
  for (; buffer.leftFlits < sentByAll; ++buffer.leftFlits)
    leaveBuffer(input);
  if (buffer.branches == 0) {
    buffer.state = Channel::kIdle;
    buffer.readyCycle = cycle + timing.stages.switchAllocation;
  }
}

} // namespace spindle
