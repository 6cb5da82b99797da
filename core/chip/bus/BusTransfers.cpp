#include "core/chip/bus/BusTransfers.h"

#include <algorithm>
#include <cassert>

namespace spindle {

BusTransfers::BusTransfers(const Mesh &mesh, const Router &router)
    : line(mesh.bus()), endCycles(router.endCycles), interval(router.linkIntervalCycles),
      wires(router.bus), arbiter(mesh.tiles(), router.bus.lanes), sources(mesh.tiles()) {
  assert(mesh.isBus() && interval > 0 && router.bus.lanes > 0);
}

uint32_t BusTransfers::add(TileId source, BusSpan span, uint32_t flits, uint64_t madeCycle) {
  assert(source < sources.size() && flits > 0);
  assert(madeCycle >= (transfers.empty() ? cycle : transfers.back().madeCycle));
  transfers.push_back({line.placeOf(source), span, flits, madeCycle});
  return static_cast<uint32_t>(transfers.size() - 1);
}

bool BusTransfers::runUntil(uint64_t endCycle, Sent sent) {
  uint64_t next;
  while ((next = nextCycle()) < endCycle) {
    cycle = next;
    releaseMade();
    while (!ready.empty() && ready.top().cycle <= cycle) {
      uint32_t place = ready.top().place;
      ready.pop();
      start(place, sent);
    }
    for (const BusArbiter::Grant &grant : arbiter.serve(cycle))
      transfer(grant.place, grant.lane, sent);
  }
  return next != BusArbiter::kNever;
}

/// The next one in which a packet may be sent, or claim a lane.
uint64_t BusTransfers::nextCycle() const {
  uint64_t next = arbiter.nextCycle();
  if (!ready.empty())
    next = std::min(next, ready.top().cycle);
  if (released < transfers.size())
    next = std::min(next, std::max(cycle, transfers[released].madeCycle));
  return next;
}

void BusTransfers::releaseMade() {
  for (; released < transfers.size() && transfers[released].madeCycle <= cycle; ++released) {
    uint32_t place = transfers[released].place;
    Source &source = sources[place];
    if (source.served == source.queue.size())
      ready.push({std::max(cycle, source.freeCycle), place});
    source.queue.push_back(released);
  }
}

/// The packet at the front asks for its span.
void BusTransfers::start(uint32_t place, Sent sent) {
  const auto &[source, span, flits, made] = transfers[sources[place].front()];
  if (span.segments() == 0)
    return transfer(place, 0, sent);
  uint64_t farthest = wireCycles(std::max(place - span.first, span.last - place));
  arbiter.ask(place, span, uint64_t(flits) * interval + farthest - 1);
}

/// The packet at the front is sent now.
void BusTransfers::transfer(uint32_t place, uint32_t lane, Sent sent) {
  Source &source = sources[place];
  uint32_t number = source.front();
  source.freeCycle = cycle + uint64_t(transfers[number].flits) * interval;
  if (++source.served < source.queue.size())
    ready.push({source.freeCycle, place});
  sent(number, lane, cycle);
}

void BusTransfers::forget() {
  assert(released == transfers.size());
  transfers.clear();
  released = 0;
  for (Source &source : sources) {
    assert(source.served == source.queue.size());
    source.queue.clear();
    source.served = 0;
  }
}

} // namespace spindle
