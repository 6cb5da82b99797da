#include "hw/hls/schedule/Placement.h"

#include <algorithm>
#include <cassert>

namespace spindle::hls {

Placement::Placement(const Problem &scheduled, const Precedences &constraints, unsigned interval)
    : problem(&scheduled), precedences(&constraints), initiationInterval(interval),
      starts(scheduled.operations.size(), unplaced), instances(scheduled.operations.size()),
      table(scheduled, interval) {}

Placement::Placement(const Problem &scheduled, const Precedences &constraints,
                     const Schedule &schedule)
    : Placement(scheduled, constraints, schedule.interval) {
  starts.assign(schedule.start.begin(), schedule.start.end());
  instances = schedule.instance;
  for (unsigned o = 0; o < starts.size(); ++o)
    table.place(o, starts[o], instances[o]);
}

int64_t Placement::depth() const {
  int64_t cycles = 0;
  for (unsigned o = 0; o < starts.size(); ++o)
    if (isPlaced(o))
      cycles = std::max(cycles, starts[o] + precedences->spans[o]);
  return cycles;
}

int64_t Placement::earliest(unsigned operation) const {
  int64_t cycle = 0;
  for (unsigned p : precedences->incoming[operation]) {
    const Precedence &precedence = precedences->all[p];
    if (binds(precedence, initiationInterval) && isPlaced(precedence.from) &&
        precedence.from != operation)
      cycle = std::max(cycle, starts[precedence.from] + lengthOf(precedence, initiationInterval));
  }
  return cycle;
}

int64_t Placement::latest(unsigned operation) const {
  int64_t cycle = unlimited;
  for (unsigned p : precedences->outgoing[operation]) {
    const Precedence &precedence = precedences->all[p];
    if (binds(precedence, initiationInterval) && isPlaced(precedence.to) &&
        precedence.to != operation)
      cycle = std::min(cycle, starts[precedence.to] - lengthOf(precedence, initiationInterval));
  }
  return cycle;
}

void Placement::place(unsigned operation, int64_t cycle, std::vector<unsigned> chosen) {
  assert(!isPlaced(operation));
  table.place(operation, cycle, chosen);
  starts[operation] = cycle;
  instances[operation] = std::move(chosen);
}

bool Placement::tryPlace(unsigned operation, int64_t cycle) {
  std::optional<std::vector<unsigned>> found = table.find(operation, cycle);
  if (found)
    place(operation, cycle, std::move(*found));
  return found.has_value();
}

bool Placement::tryPlaceFrom(unsigned operation, int64_t cycle, int64_t end) {
  std::optional<ReservationTable::Start> found = table.findFrom(operation, cycle, end);
  if (found)
    place(operation, found->cycle, std::move(found->instances));
  return found.has_value();
}

std::vector<unsigned> Placement::force(unsigned operation, int64_t cycle,
                                       const std::vector<int64_t> &importance) {
  const ProblemOperation &placed = problem->operations[operation];
  std::vector<unsigned> driven;
  auto weightOf = [&](unsigned resource, unsigned instance) {
    int64_t weight = -1;
    for (unsigned i = 0; i < placed.busy; ++i)
      if (int other = table.occupant(resource, instance, cycle + i); other >= 0)
        weight = std::max(weight, importance[other]);
    return weight;
  };
  // Once the cheapest instances are empty, the ordinary search takes them or others that are.
  for (size_t u = 0; u < placed.uses.size(); ++u) {
    unsigned resource = placed.uses[u];
    auto earlier = std::count(placed.uses.begin(), placed.uses.begin() + u, resource);
    std::vector<std::pair<int64_t, unsigned>> byWeight;
    for (unsigned i = 0; i < table.instancesOf(resource); ++i)
      byWeight.emplace_back(weightOf(resource, i), i);
    std::nth_element(byWeight.begin(), byWeight.begin() + earlier, byWeight.end());
    // Instances emptied for an earlier use of the same resource come first.
    unsigned instance = byWeight[earlier].second;
    for (unsigned i = 0; i < placed.busy; ++i)
      if (int other = table.occupant(resource, instance, cycle + i); other >= 0) {
        driven.push_back(static_cast<unsigned>(other));
        remove(driven.back());
      }
  }
  bool isPlacedNow = tryPlace(operation, cycle);
  assert(isPlacedNow);
  static_cast<void>(isPlacedNow);
  return driven;
}

void Placement::remove(unsigned operation) {
  table.remove(operation, starts[operation], instances[operation]);
  starts[operation] = unplaced;
}

llvm::Expected<Schedule> Placement::finish() const {
  Schedule schedule;
  schedule.interval = initiationInterval;
  for (int64_t cycle : starts) {
    assert(cycle >= 0 && cycle <= UINT32_MAX);
    schedule.start.push_back(static_cast<unsigned>(cycle));
  }
  schedule.offsetNs = chainOffsets(*problem, schedule.start, initiationInterval);
  schedule.instance = instances;
  SPINDLE_RETURN_IF_ERROR(verify(*problem, schedule));
  return schedule;
}

} // namespace spindle::hls
