#include "sim/chip/pins/NetworkInterface.h"

namespace spindle::pins {

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, const spindle::Router &router,
                                   PacketBook &packets)
    : sc_module(name), timing(router), book(packets), channel(router.virtualChannels - 1),
      capacity(router.bufferFlits), credits(router.virtualChannels, router.bufferFlits),
      underWay(router.virtualChannels) {
  SC_HAS_PROCESS(NetworkInterface);
  SC_METHOD(tick);
  sensitive << clock.pos();
  dont_initialize();
  SC_METHOD(takeFlit);
  sensitive << clock.neg();
  dont_initialize();
}

bool NetworkInterface::isQuiet() const {
  for (uint32_t left : credits)
    if (left != capacity)
      return false;
  return sentFlits == 0 && flits.isEmpty() && freed.isEmpty();
}

uint64_t NetworkInterface::nextMadeCycle() const {
  return waiting.empty() ? UINT64_MAX : book.packets[waiting.front()].madeCycle;
}

void NetworkInterface::tick() {
  const uint64_t cycle = cycleNow();
  if (out.credit.read())
    ++credits[out.creditChannel.read()];
  if (nextMadeCycle() <= cycle && readyCycle <= cycle)
    sendFlit(cycle);
  flits.drive(cycle, out.valid, out.flit);
  freed.drive(cycle, in.credit, in.creditChannel);
}

/// Half a cycle early, as the flit's cycle begins with the next edge.
void NetworkInterface::takeFlit() {
  if (!in.valid.read())
    return;
  const uint64_t cycle = cycleNow() + 1;
  FlitFields flit = unpack(in.flit.read());
  if (flit.head)
    underWay[flit.channel].headCycle = cycle;
  if (flit.tail)
    book.receive(flit.packet, 0, {underWay[flit.channel].headCycle, cycle});
  freed.put(static_cast<uint8_t>(flit.channel), cycle + timing.tileCredit);
}

void NetworkInterface::sendFlit(uint64_t cycle) {
  bool isHead = sentFlits == 0;
  if (isHead ? !chooseChannel() : credits[channel] == 0)
    return;
  Packet &packet = book.packets[waiting.front()];
  bool isTail = ++sentFlits == packet.flits;
  if (isHead)
    packet.injectedCycle = cycle;
  --credits[channel];
  readyCycle = cycle + timing.interval;
  flits.put(pack({isHead, isTail, channel, packet.target, waiting.front()}), cycle + timing.inject);
  if (!isTail)
    return;
  sentFlits = 0;
  waiting.pop_front();
}

bool NetworkInterface::chooseChannel() {
  auto channels = static_cast<uint32_t>(credits.size());
  for (uint32_t turn = 1; turn <= channels; ++turn) {
    uint32_t next = (channel + turn) % channels;
    if (credits[next] == 0)
      continue;
    channel = next;
    return true;
  }
  return false;
}

} // namespace spindle::pins
