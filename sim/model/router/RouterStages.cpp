// What a router does in a cycle: heads are routed and ask for a virtual channel, flits ask for the
// switch, then both are allocated.
#include "sim/model/router/MeshNetwork.h"

#include <algorithm>

namespace spindle {

namespace {

/// The cycle in which a stage takes up what comes to it in `comes`; `start` is that of its last
/// batch.
uint64_t joinBatch(int64_t &start, uint64_t cycle, uint32_t cycles) {
  auto comes = static_cast<int64_t>(cycle);
  if (comes > start)
    start = std::max(comes, start + cycles);
  return static_cast<uint64_t>(start);
}

/// Whether a stage that takes what is there now begins in `cycle`, or has begun in it.
bool beginsBatch(int64_t &start, uint64_t cycle, uint32_t cycles) {
  auto now = static_cast<int64_t>(cycle);
  if (now > start && now < start + cycles)
    return false;
  start = now;
  return true;
}

} // namespace

void MeshNetwork::visit(TileId tile) {
  if (busy[tile] & kSourceBit)
    inject(tile);
  for (uint64_t left = busy[tile] & ~kSourceBit; left != 0; left &= left - 1) {
    auto bit = static_cast<uint32_t>(std::countr_zero(left));
    ask(tile, bit / channels, bit % channels);
  }
  if (asked != 0)
    allocateChannels(tile);
  if (switchRequests.inputs != 0)
    allocateSwitch(tile);
  stalled = 0;
}

/// What the packet at the front of a buffer needs next.
void MeshNetwork::ask(TileId tile, uint32_t input, uint32_t channel) {
  uint32_t index = at(tile, input, channel);
  Channel &buffer = buffers[index];
  if (place(index, buffer.front).cycle > cycle)
    return; // visited again when it arrives
  if (buffer.state == Channel::kIdle && buffer.readyCycle <= cycle)
    start(tile, input, channel);
  if (buffer.readyCycle > cycle)
    agenda.add(tile, buffer.readyCycle);
  else if (buffer.state == Channel::kWaiting)
    askForChannel(tile, input, channel);
  else if (buffer.state == Channel::kBranching)
    askForBranches(tile, input, channel);
  else
    askForSwitch(tile, input, channel);
}

void MeshNetwork::start(TileId tile, uint32_t input, uint32_t channel) {
  uint32_t index = at(tile, input, channel);
  Channel &buffer = buffers[index];
  Flit head = place(index, buffer.front).flit;
  if (head.multicast) {
    startBranches(tile, input, channel);
  } else {
    buffer.route = route(tile, head.target, input, channel);
    buffer.state = Channel::kWaiting;
  }
  if (uint32_t cycles = timing.stages.routing)
    buffer.readyCycle = joinBatch(batches[tile].routing, cycle, cycles) + cycles;
}

/// The channels of an option that no packet holds, as bits.
uint64_t MeshNetwork::freeChannels(TileId tile, const RouteOption &option) const {
  uint64_t range = ((uint64_t(2) << option.last) - 1) & ~((uint64_t(1) << option.first) - 1);
  uint64_t free = freeAhead[tile * kPorts + option.port] & range;
  if (timing.stages.switchAllocation > 1)
    for (uint64_t left = free; left != 0; left &= left - 1)
      if (freedCycle[at(tile, option.port, static_cast<uint32_t>(std::countr_zero(left)))] > cycle)
        free &= ~(left & -left);
  return free;
}

/// Whether the stage takes requests in this cycle; if not, they come again.
bool MeshNetwork::isChannelStageFree(TileId tile) {
  uint32_t cycles = timing.stages.channelAllocation;
  if (cycles == 1)
    return true;
  agenda.add(tile, cycle + 1);
  return beginsBatch(batches[tile].channel, cycle, cycles);
}

bool MeshNetwork::isSwitchFree(TileId tile) {
  uint32_t cycles = timing.stages.switchAllocation;
  if (cycles == 1)
    return true;
  agenda.add(tile, cycle + 1);
  return beginsBatch(batches[tile].allocation, cycle, cycles);
}

void MeshNetwork::askForChannel(TileId tile, uint32_t input, uint32_t channel) {
  if (!isChannelStageFree(tile))
    return;
  uint32_t index = at(tile, input, channel);
  uint64_t wanted = 0; // (output port, channel) bits of the highest priority
  uint32_t priority = 0;
  for (const RouteOption &option : buffers[index].route) {
    uint64_t free = freeChannels(tile, option);
    if (timing.stages.speculative) {
      if (hasCredit(tile, option.port, free))
        switchRequests.add(input, channel, option.port, true, turns[tile * kPorts + input],
                           channels);
      else
        stalled |= uint64_t(1) << (input * channels + channel);
    }
    if (free == 0 || (wanted != 0 && option.priority < priority))
      continue;
    if (option.priority > priority)
      wanted = 0;
    priority = option.priority;
    wanted |= free << (option.port * channels);
  }
  if (wanted != 0) // else visited again when a packet gives one free
    askForOneOf(wanted, index, uint64_t(1) << (input * channels + channel));
}

/// Whether one of the free channels behind an output has a place.
bool MeshNetwork::hasCredit(TileId tile, uint32_t output, uint64_t free) const {
  for (; free != 0; free &= free - 1)
    if (!isFull(bufferBehind(tile, output, static_cast<uint32_t>(std::countr_zero(free)))))
      return true;
  return false;
}

/// The buffer, which is `asker` among those of the tile, asks for one of the (output port, channel)
/// bits.
void MeshNetwork::askForOneOf(uint64_t wanted, uint32_t buffer, uint64_t asker) {
  uint32_t choice = choices[buffer].choose(wanted);
  askers[choice] |= asker;
  asked |= uint64_t(1) << choice;
}

void MeshNetwork::askForSwitch(TileId tile, uint32_t input, uint32_t channel) {
  if (!isSwitchFree(tile))
    return;
  const Channel &buffer = buffers[at(tile, input, channel)];
  if (hasPlace(bufferBehind(tile, buffer.output, buffer.ahead), tile))
    switchRequests.add(input, channel, buffer.output, false, turns[tile * kPorts + input],
                       channels);
}

/// Every input channel has asked for one channel ahead; each of those takes one of them.
void MeshNetwork::allocateChannels(TileId tile) {
  for (; asked != 0; asked &= asked - 1) {
    auto choice = static_cast<uint32_t>(std::countr_zero(asked));
    uint32_t admitted =
        admissions[tile * kPorts * channels + choice].pick(askers[choice], kPorts * channels);
    askers[choice] = 0;
    uint32_t index = tile * kPorts * channels + admitted;
    choices[index].served(choice, kPorts * channels);
    auto output = static_cast<uint8_t>(choice / channels);
    auto ahead = static_cast<uint8_t>(choice % channels);
    uint64_t readyCycle = cycle + timing.stages.channelAllocation;
    freeAhead[tile * kPorts + output] &= static_cast<uint16_t>(~(1u << ahead));
    Channel &buffer = buffers[index];
    if (buffer.state == Channel::kBranching) {
      branch(index, output) = {true, ahead, 0, readyCycle};
      continue;
    }
    buffer.state = Channel::kActive;
    buffer.output = output;
    buffer.ahead = ahead;
    buffer.readyCycle = readyCycle;
  }
  agenda.add(tile, cycle + 1); // for the switch, or to ask again
}

/// Flits pass the switch. A speculative request counts where its channel was allocated, too, and
/// has a place.
void MeshNetwork::allocateSwitch(TileId tile) {
  switches[tile].allocate(allocation, switchRequests, [&](uint32_t input, uint32_t output) {
    uint32_t channel = switchRequests.channel[input][output];
    if (stalled >> (input * channels + channel) & 1)
      return;
    turns[tile * kPorts + input] = static_cast<uint8_t>(channel + 1 == channels ? 0 : channel + 1);
    uint32_t index = at(tile, input, channel);
    const Channel &buffer = buffers[index];
    bool isBranching = buffer.state == Channel::kBranching;
    if (switchRequests.speculative[input] >> output & 1) {
      bool isAllocated = isBranching ? branch(index, output).hasChannel
                                     : buffer.state == Channel::kActive && buffer.output == output;
      uint32_t ahead = isBranching ? branch(index, output).ahead : buffer.ahead;
      if (!isAllocated || isFull(bufferBehind(tile, output, ahead)))
        return;
    }
    if (isBranching)
      forwardBranch(tile, input, channel, output);
    else
      forward(tile, input, channel);
  });
  switchRequests.clear();
  if (busy[tile] != 0)
    agenda.add(tile, cycle + 1); // next flits, and those that were not served
}

/// The flit at the front of a buffer passes switch and link.
void MeshNetwork::forward(TileId tile, uint32_t input, uint32_t channel) {
  uint32_t index = at(tile, input, channel);
  Channel &buffer = buffers[index];
  Flit flit = place(index, buffer.front).flit;
  leaveBuffer(tile, input, channel);
  sendFlit(tile, buffer.output, buffer.ahead, flit);
  buffer.readyCycle = cycle + timing.stages.switchAllocation;
  if (!flit.tail)
    return;
  giveFree(tile, buffer.output, buffer.ahead);
  buffer.state = Channel::kIdle;
}

void MeshNetwork::sendFlit(TileId tile, uint32_t output, uint32_t ahead, Flit flit) {
  uint64_t arrival = arrivalCycle(tile, output);
  if (output == kLocal)
    receive(tile, ahead, flit, arrival);
  else
    push(neighbour(tile, output), opposite(output), ahead, flit, arrival);
  ++flitsOut[tile * kPorts + output];
  if (watchedAs.empty())
    return;
  if (uint32_t link = watchedAs[tile * kPorts + output]; link != kUnwatched)
    seenFlits.push_back({arrival, link, flit.packet, ahead, flit.head != 0, flit.tail != 0});
}

/// A packet's tail has left: the channel is there for another one when the switch has done its
/// work.
void MeshNetwork::giveFree(TileId tile, uint32_t output, uint32_t ahead) {
  freeAhead[tile * kPorts + output] |= static_cast<uint16_t>(1u << ahead);
  uint64_t freeCycle = cycle + timing.stages.switchAllocation;
  freedCycle[at(tile, output, ahead)] = freeCycle;
  agenda.add(tile, freeCycle);
}

/// When a flit that is granted the switch now is behind the link of `output`.
uint64_t MeshNetwork::arrivalCycle(TileId tile, uint32_t output) {
  uint64_t usual = cycle + (output == kLocal ? timing.eject : timing.forward);
  uint32_t cycles = timing.stages.switchTraversal;
  if (cycles <= 1)
    return usual;
  // The switch is a stage of batches, too; behind it flits wait for their link.
  uint64_t enters = cycle + timing.stages.switchAllocation;
  uint64_t leaves = joinBatch(batches[tile].traversal, enters, cycles) + cycles - 1;
  uint64_t &sent = batches[tile].sentCycle[output];
  sent = std::max(leaves, sent + 1);
  return usual + (sent - (enters + cycles - 1));
}

} // namespace spindle
