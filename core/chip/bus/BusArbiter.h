// Who has which segments of a segmented bus, cycle by cycle.
#pragma once

#include "core/chip/bus/BusLane.h"
#include "core/chip/bus/WaitingPlaces.h"

#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace spindle {

/// The turns of BusTransfers.h. A place asks for a span, and waits until it is granted a lane.
///
/// What a place needs comes free only where a transfer ends. So in a cycle only those that ask in
/// it are looked at, and those whose spans lie inside of what has come free, found by their place
/// and their number of segments; and if there is no claim, those before the one that makes it.
class BusArbiter {
public:
  static constexpr uint64_t kNever = UINT64_MAX;

  BusArbiter(uint32_t places, uint32_t laneCount)
      : lanes(laneCount, BusLane(places - 1)), waiting(places), requests(places) {}

  /// Asks in the cycle that is served next for a span with this place in it, which is taken for so
  /// many cycles, both at least one. The place does not wait.
  void ask(uint32_t place, BusSpan span, uint64_t cycles);

  struct Grant {
    uint32_t place, lane;
  };
  /// Those of a cycle, which ascends and is no later than `nextCycle`.
  const std::vector<Grant> &serve(uint64_t cycle);
  /// The next cycle with anything to do before another place asks, or kNever.
  uint64_t nextCycle() const;

private:
  struct Request {
    BusSpan span;
    uint64_t cycles;
  };
  struct Claim {
    uint32_t place, lane;
    uint64_t cycle; // in which it is granted
  };
  struct LaneSpan {
    uint32_t lane;
    BusSpan span;
    auto key() const { return std::tie(lane, span.first); }
    bool operator==(const LaneSpan &) const = default;
  };
  struct Transfer {
    uint64_t endCycle;
    LaneSpan taken;
    bool operator>(const Transfer &other) const { return endCycle > other.endCycle; }
  };
  /// A place that may be granted its span because something is free.
  struct Candidate {
    uint32_t place;
    LaneSpan free;
    bool operator>(const Candidate &other) const { return place > other.place; }
  };
  template <typename T> using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  void endTransfers();
  void servePlaces(uint32_t first, uint32_t end);
  void addCandidates(const LaneSpan &area, uint32_t first, uint32_t end);
  void look(uint32_t place);
  std::optional<uint32_t> freeLane(BusSpan span) const;
  void makeClaim(uint32_t place);
  void grant(uint32_t place, uint32_t lane);

  std::vector<BusLane> lanes;
  WaitingPlaces waiting;         // without the one with the claim; 0 segments: asks in this cycle
  std::vector<Request> requests; // per place
  std::optional<Claim> claim;
  uint32_t turn = 0; // the place that is looked at first
  Earliest<Transfer> transfers;
  uint64_t now = 0;

  // Of the cycle.
  std::vector<LaneSpan> freed; // and what was free on both sides
  Earliest<Candidate> candidates;
  std::vector<Grant> grants;
};

} // namespace spindle
