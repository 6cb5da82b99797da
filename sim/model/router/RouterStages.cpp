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

[[gnu::flatten]] void MeshNetwork::visit(TileId tile) {
  if (busy[tile] & kSourceBit)
    inject(tile);
  if (passAll(tile))
    return;
  for (uint64_t left = busy[tile] & ~kSourceBit; left != 0; left &= left - 1)
    ask(inputAt(tile, static_cast<uint32_t>(std::countr_zero(left))));
  if (asked != 0)
    allocateChannels(tile);
  if (switchRequests.inputs != 0)
    allocateSwitch(tile);
  stalled = 0;
}

/// Most visits at once: no two of the packets with a flit here want the same port of the switch, so
/// that there is nothing to choose. False where there is more to do.
bool MeshNetwork::passAll(TileId tile) {
  if (timing.stages.channelAllocation != 1 || timing.stages.switchAllocation != 1)
    return false;
  struct Wish {
    uint8_t bit;   // of the input
    uint16_t free; // channels that a head may take; none: the packet has its own
  };
  std::array<Wish, kPorts> wishes; // by output
  uint32_t inputs = 0, outputs = 0;
  for (uint64_t left = busy[tile] & ~kSourceBit; left != 0; left &= left - 1) {
    const Input input = inputAt(tile, static_cast<uint32_t>(std::countr_zero(left)));
    const Channel &buffer = buffers[input.buffer];
    const Place &front = place(input.buffer, buffer.front);
    if (front.cycle > cycle)
      continue; // visited again when it arrives
    if (buffer.state == Channel::kIdle && !front.flit.multicast && timing.stages.routing == 0 &&
        buffer.readyCycle <= cycle)
      start(input);
    uint32_t output = buffer.output;
    uint64_t free = 0;
    if (buffer.state == Channel::kWaiting) {
      const RouteSet &options = routes[input.buffer];
      free = freeChannels(tile, *options.begin());
      output = options.begin()->port;
      if (options.count == 1 && free == 0)
        continue; // visited again when a packet gives one free
      if (options.count != 1)
        return false;
    } else if (buffer.state != Channel::kActive) {
      return false;
    }
    const uint32_t in = 1u << input.port, out = 1u << output;
    if (buffer.readyCycle > cycle || (inputs & in) != 0 || (outputs & out) != 0)
      return false;
    inputs |= in;
    outputs |= out;
    wishes[output] = {static_cast<uint8_t>(input.bit), static_cast<uint16_t>(free)};
  }
  for (; outputs != 0; outputs &= outputs - 1) {
    auto output = static_cast<uint32_t>(std::countr_zero(outputs));
    const Input input = inputAt(tile, wishes[output].bit);
    if (wishes[output].free != 0)
      takeChannel(input, output, wishes[output].free);
    else if (isLinkFree(tile, output) &&
             hasPlace(bufferBehind(tile, output, buffers[input.buffer].ahead), tile))
      passAlone(input, output, /*hasPlaceAhead=*/true);
  }
  return true;
}

/// The packet at the front of an input takes a channel that nobody else asks for, and its head
/// tries the switch in the same cycle, where routers speculate.
void MeshNetwork::takeChannel(const Input &input, uint32_t output, uint64_t free) {
  const uint32_t all = kPorts * channels;
  uint32_t choice = choices[input.buffer].choose(free << (output * channels));
  admissions[input.tile * all + choice].served(input.bit, all);
  holdChannel(input.tile, input.buffer, choice);
  if (timing.stages.speculative && isLinkFree(input.tile, output) &&
      hasCredit(input.tile, output, free))
    passAlone(input, output,
              !isFull(bufferBehind(input.tile, output, buffers[input.buffer].ahead)));
  else
    agenda.add(input.tile, cycle + 1);
}

/// The switch is granted to the only input that asks for an output. A head that speculated on
/// another channel has no place ahead.
void MeshNetwork::passAlone(const Input &input, uint32_t output, bool hasPlaceAhead) {
  switches[input.tile].serve(input.port, output);
  moveTurn(input);
  if (hasPlaceAhead)
    forward(input);
  const Channel &buffer = buffers[input.buffer];
  if (buffer.count != 0 && place(input.buffer, buffer.front).cycle <= cycle + 1)
    agenda.add(input.tile, cycle + 1);
}

/// An input's channel was served: the next one comes first now.
void MeshNetwork::moveTurn(const Input &input) {
  portAt(input.tile, input.port).turn =
      static_cast<uint16_t>(input.channel + 1 == channels ? 0 : input.channel + 1);
}

/// What the packet at the front of a buffer needs next.
void MeshNetwork::ask(const Input &input) {
  Channel &buffer = buffers[input.buffer];
  if (place(input.buffer, buffer.front).cycle > cycle)
    return; // visited again when it arrives
  if (buffer.state == Channel::kIdle && buffer.readyCycle <= cycle)
    start(input);
  if (buffer.readyCycle > cycle)
    agenda.add(input.tile, buffer.readyCycle);
  else if (buffer.state == Channel::kActive)
    askForSwitch(input);
  else if (buffer.state == Channel::kWaiting)
    askForChannel(input);
  else
    askForBranches(input);
}

void MeshNetwork::start(const Input &input) {
  Channel &buffer = buffers[input.buffer];
  Flit head = place(input.buffer, buffer.front).flit;
  if (head.multicast) {
    startBranches(input);
  } else {
    routes[input.buffer] = route(input.tile, head.target, input.port, input.channel);
    buffer.state = Channel::kWaiting;
  }
  if (uint32_t cycles = timing.stages.routing)
    buffer.readyCycle = joinBatch(batches[input.tile].routing, cycle, cycles) + cycles;
}

/// The channels of an option that no packet holds, as bits.
uint64_t MeshNetwork::freeChannels(TileId tile, const RouteOption &option) const {
  uint64_t range = ((uint64_t(2) << option.last) - 1) & ~((uint64_t(1) << option.first) - 1);
  uint64_t free = portAt(tile, option.port).freeAhead & range;
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

void MeshNetwork::askForChannel(const Input &input) {
  if (!isChannelStageFree(input.tile))
    return;
  uint64_t wanted = 0; // (output port, channel) bits of the highest priority
  uint32_t priority = 0;
  for (const RouteOption &option : routes[input.buffer]) {
    uint64_t free = freeChannels(input.tile, option);
    if (timing.stages.speculative) {
      if (isLinkFree(input.tile, option.port) && hasCredit(input.tile, option.port, free))
        requestSwitch(input, option.port, /*isSpeculative=*/true);
      else
        stalled |= uint64_t(1) << input.bit;
    }
    if (free == 0 || (wanted != 0 && option.priority < priority))
      continue;
    if (option.priority > priority)
      wanted = 0;
    priority = option.priority;
    wanted |= free << (option.port * channels);
  }
  if (wanted != 0) // else visited again when a packet gives one free
    askForOneOf(wanted, input);
}

/// Whether one of the free channels behind an output has a place.
bool MeshNetwork::hasCredit(TileId tile, uint32_t output, uint64_t free) const {
  for (; free != 0; free &= free - 1)
    if (!isFull(bufferBehind(tile, output, static_cast<uint32_t>(std::countr_zero(free)))))
      return true;
  return false;
}

/// Asks for one of the (output port, channel) bits.
void MeshNetwork::askForOneOf(uint64_t wanted, const Input &input) {
  uint32_t choice = choices[input.buffer].choose(wanted);
  askers[choice] |= uint64_t(1) << input.bit;
  asked |= uint64_t(1) << choice;
}

/// Whether a flit may go onto the link of an output now; if not, the router is visited when it may.
bool MeshNetwork::isLinkFree(TileId tile, uint32_t output) {
  if (!areLinksSlow)
    return true;
  uint64_t freeCycle = portAt(tile, output).freeCycle;
  if (freeCycle > cycle)
    agenda.add(tile, freeCycle);
  return freeCycle <= cycle;
}

void MeshNetwork::askForSwitch(const Input &input) {
  if (!isSwitchFree(input.tile))
    return;
  const Channel &buffer = buffers[input.buffer];
  if (isLinkFree(input.tile, buffer.output) &&
      hasPlace(bufferBehind(input.tile, buffer.output, buffer.ahead), input.tile))
    requestSwitch(input, buffer.output, /*isSpeculative=*/false);
}

void MeshNetwork::requestSwitch(const Input &input, uint32_t output, bool isSpeculative) {
  switchRequests.add(input.port, input.channel, output, isSpeculative,
                     portAt(input.tile, input.port).turn, channels);
}

/// Every input channel has asked for one channel ahead; each of those takes one of them.
void MeshNetwork::allocateChannels(TileId tile) {
  const uint32_t first = tile * kPorts * channels;
  for (; asked != 0; asked &= asked - 1) {
    auto choice = static_cast<uint32_t>(std::countr_zero(asked));
    uint32_t index = first + admissions[first + choice].pick(askers[choice], kPorts * channels);
    askers[choice] = 0;
    holdChannel(tile, index, choice);
  }
  agenda.add(tile, cycle + 1); // for the switch, or to ask again
}

/// The packet at the front of a buffer holds an (output port, channel) from now on.
void MeshNetwork::holdChannel(TileId tile, uint32_t index, uint32_t choice) {
  choices[index].served(choice, kPorts * channels);
  uint8_t output = portOfBit[choice];
  auto ahead = static_cast<uint8_t>(choice - output * channels);
  uint64_t readyCycle = cycle + timing.stages.channelAllocation;
  portAt(tile, output).freeAhead &= static_cast<uint16_t>(~(1u << ahead));
  Channel &buffer = buffers[index];
  if (buffer.state == Channel::kBranching) {
    branch(index, output) = {true, ahead, 0, readyCycle};
    return;
  }
  buffer.state = Channel::kActive;
  buffer.output = output;
  buffer.ahead = ahead;
  buffer.readyCycle = readyCycle;
}

/// Flits pass the switch. A speculative request counts where its channel was allocated, too, and
/// has a place.
void MeshNetwork::allocateSwitch(TileId tile) {
  switches[tile].allocate(allocation, switchRequests, [&](uint32_t port, uint32_t output) {
    uint32_t channel = switchRequests.channel[port][output];
    Input input = inputAt(tile, port * channels + channel);
    if (stalled >> input.bit & 1)
      return;
    moveTurn(input);
    const Channel &buffer = buffers[input.buffer];
    bool isBranching = buffer.state == Channel::kBranching;
    if (switchRequests.speculative[port] >> output & 1) {
      bool isAllocated = isBranching ? branch(input.buffer, output).hasChannel
                                     : buffer.state == Channel::kActive && buffer.output == output;
      uint32_t ahead = isBranching ? branch(input.buffer, output).ahead : buffer.ahead;
      if (!isAllocated || isFull(bufferBehind(tile, output, ahead)))
        return;
    }
    if (isBranching)
      forwardBranch(input, output);
    else
      forward(input);
  });
  switchRequests.clear();
  if (busy[tile] != 0)
    agenda.add(tile, cycle + 1); // next flits, and those that were not served
}

/// The flit at the front of a buffer passes switch and link.
void MeshNetwork::forward(const Input &input) {
  Channel &buffer = buffers[input.buffer];
  Flit flit = place(input.buffer, buffer.front).flit;
  leaveBuffer(input);
  sendFlit(input.tile, buffer.output, buffer.ahead, flit);
  buffer.readyCycle = cycle + timing.stages.switchAllocation;
  if (!flit.tail)
    return;
  giveFree(input.tile, buffer.output, buffer.ahead);
  buffer.state = Channel::kIdle;
}

void MeshNetwork::sendFlit(TileId tile, uint32_t output, uint32_t ahead, Flit flit) {
  Port &port = portAt(tile, output);
  uint64_t arrival = arrivalCycle(tile, output);
  if (port.isTile)
    receive(port.firstBehind + ahead, flit, arrival);
  else
    push(port.neighbour, port.firstBehind + ahead, flit, arrival);
  ++port.sentFlits;
  if (areLinksSlow)
    port.freeCycle = cycle + port.intervalCycles;
  if (isWatched && port.watchedAs != kUnwatched &&
      packetTable[flit.packet].madeCycle < watchedBefore)
    seenFlits.push_back(
        {arrival, port.watchedAs, flit.packet, ahead, flit.head != 0, flit.tail != 0});
}

/// A packet's tail has left: the channel is there for another one when the switch has done its
/// work.
void MeshNetwork::giveFree(TileId tile, uint32_t output, uint32_t ahead) {
  portAt(tile, output).freeAhead |= static_cast<uint16_t>(1u << ahead);
  uint32_t cycles = timing.stages.switchAllocation;
  if (cycles > 1)
    freedCycle[at(tile, output, ahead)] = cycle + cycles;
  agenda.add(tile, cycle + cycles);
}

/// When a flit that is granted the switch now is behind the link of `output`.
uint64_t MeshNetwork::arrivalCycle(TileId tile, uint32_t output) {
  const Port &port = portAt(tile, output);
  uint64_t usual = cycle + port.forwardCycles;
  uint32_t cycles = timing.stages.switchTraversal;
  if (cycles <= 1)
    return usual;
  // The switch is a stage of batches, too; behind it flits wait for their link.
  uint64_t enters = cycle + timing.stages.switchAllocation;
  uint64_t leaves = joinBatch(batches[tile].traversal, enters, cycles) + cycles - 1;
  uint64_t &sent = batches[tile].sentCycle[output];
  sent = std::max(leaves, sent + port.intervalCycles);
  return usual + (sent - (enters + cycles - 1));
}

} // namespace spindle
