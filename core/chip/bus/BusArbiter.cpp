#include "core/chip/bus/BusArbiter.h"

#include <cassert>

namespace spindle {

void BusArbiter::ask(uint32_t place, BusSpan span, uint64_t cycles) {
  assert(span.first <= place && place <= span.last && span.segments() > 0 && cycles > 0);
  assert(!waiting.waits(place));
  requests[place] = {span, cycles};
  waiting.set(place, 0);
}

uint64_t BusArbiter::nextCycle() const {
  uint64_t next = claim ? claim->cycle : kNever;
  if (!waiting.isEmpty() && !transfers.empty())
    next = std::min(next, transfers.top().endCycle);
  return next;
}

const std::vector<BusArbiter::Grant> &BusArbiter::serve(uint64_t cycle) {
  now = cycle;
  grants.clear();
  endTransfers();
  if (claim && claim->cycle == now) {
    grant(claim->place, claim->lane);
    claim.reset();
  }
  const uint32_t begin = turn;
  servePlaces(begin, static_cast<uint32_t>(requests.size()));
  servePlaces(0, begin);
  return grants;
}

void BusArbiter::endTransfers() {
  freed.clear();
  for (; !transfers.empty() && transfers.top().endCycle <= now; transfers.pop()) {
    freed.push_back(transfers.top().taken);
    lanes[freed.back().lane].free(freed.back().span);
  }
  for (LaneSpan &area : freed)
    area.span = lanes[area.lane].freeAround(area.span);
  std::ranges::sort(freed, {}, &LaneSpan::key);
  freed.erase(std::unique(freed.begin(), freed.end()), freed.end());
}

/// Looks at the places from one to another, in ascending order.
void BusArbiter::servePlaces(uint32_t first, uint32_t end) {
  for (; !claim; ++first) {
    first = waiting.firstFrom(first, WaitingPlaces::kNone - 1);
    if (first >= end)
      return;
    look(first);
  }
  for (uint32_t place = first; (place = waiting.firstFrom(place, 0)) < end; ++place)
    candidates.push({place, {}});
  for (const LaneSpan &area : freed)
    addCandidates(area, first, end);
  while (!candidates.empty()) {
    Candidate next = candidates.top();
    candidates.pop();
    if (waiting.waits(next.place))
      look(next.place);
    addCandidates(next.free, next.place + 1, end);
  }
}

/// For each piece of an area that is still free, the first place with a span inside of it.
void BusArbiter::addCandidates(const LaneSpan &area, uint32_t first, uint32_t end) {
  auto addInside = [&](BusSpan free) {
    uint32_t place = std::max(first, free.first), last = std::min(end, free.last + 1);
    while ((place = waiting.firstFrom(place, free.segments())) < last &&
           !free.covers(requests[place].span))
      ++place;
    if (place < last)
      candidates.push({place, {area.lane, free}});
  };
  lanes[area.lane].visitFree(area.span, [&](BusSpan free) {
    if (!claim || claim->lane != area.lane || !free.meets(requests[claim->place].span))
      return addInside(free);
    BusSpan claimed = requests[claim->place].span;
    if (free.first < claimed.first)
      addInside({free.first, claimed.first});
    if (claimed.last < free.last)
      addInside({claimed.last, free.last});
  });
}

void BusArbiter::look(uint32_t place) {
  BusSpan span = requests[place].span;
  if (std::optional<uint32_t> lane = freeLane(span))
    grant(place, *lane);
  else if (!claim)
    makeClaim(place);
  else
    waiting.set(place, span.segments());
}

std::optional<uint32_t> BusArbiter::freeLane(BusSpan span) const {
  for (uint32_t lane = 0; lane < lanes.size(); ++lane) {
    bool isKept = claim && claim->lane == lane && requests[claim->place].span.meets(span);
    if (!isKept && lanes[lane].isFree(span))
      return lane;
  }
  return std::nullopt;
}

void BusArbiter::makeClaim(uint32_t place) {
  claim = {place, 0, kNever};
  for (uint32_t lane = 0; lane < lanes.size(); ++lane)
    if (uint64_t free = lanes[lane].freeCycle(requests[place].span); free < claim->cycle)
      claim = {place, lane, free};
  turn = place + 1 == requests.size() ? 0 : place + 1;
  waiting.set(place, WaitingPlaces::kNone);
}

void BusArbiter::grant(uint32_t place, uint32_t lane) {
  const auto &[span, cycles] = requests[place];
  assert(lanes[lane].isFree(span));
  lanes[lane].take(span, now + cycles);
  transfers.push({now + cycles, {lane, span}});
  waiting.set(place, WaitingPlaces::kNone);
  grants.push_back({place, lane});
}

} // namespace spindle
