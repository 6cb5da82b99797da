#include "hw/hls/schedule/problem/ReservationTable.h"

#include <algorithm>

namespace spindle::hls {

ReservationTable::ReservationTable(const Problem &scheduled, unsigned initiationInterval)
    : problem(&scheduled), interval(initiationInterval) {
  // No more instances of a resource can be taken at once than there are uses of it.
  std::vector<unsigned> uses(problem->resources.size(), 0);
  for (const Operation &operation : problem->operations)
    for (unsigned use : operation.uses)
      ++uses[use];
  for (size_t r = 0; r < uses.size(); ++r) {
    firstColumn.push_back(columns);
    columns += std::min(problem->resources[r].count, uses[r]);
  }
  firstColumn.push_back(columns);
  taken.assign(size_t(interval) * columns, free);
}

size_t ReservationTable::rowOf(int64_t cycle) const {
  if (!interval)
    return static_cast<size_t>(cycle);
  int64_t rest = cycle % int64_t(interval);
  return static_cast<size_t>(rest < 0 ? rest + interval : rest);
}

int ReservationTable::occupant(unsigned resource, unsigned instance, int64_t cycle) const {
  size_t cell = rowOf(cycle) * columns + firstColumn[resource] + instance;
  return cell < taken.size() ? taken[cell] : free;
}

bool ReservationTable::isFree(unsigned resource, unsigned instance, int64_t cycle,
                              unsigned busy) const {
  for (unsigned i = 0; i < busy; ++i)
    if (occupant(resource, instance, cycle + i) != free)
      return false;
  return true;
}

std::optional<std::vector<unsigned>> ReservationTable::find(unsigned operation,
                                                            int64_t cycle) const {
  const Operation &placed = problem->operations[operation];
  std::vector<unsigned> instances;
  if (interval && placed.busy > interval && !placed.uses.empty())
    return std::nullopt;
  for (size_t u = 0; u < placed.uses.size(); ++u) {
    unsigned resource = placed.uses[u], instance = 0;
    auto isChosen = [&](unsigned candidate) {
      for (size_t before = 0; before < u; ++before)
        if (placed.uses[before] == resource && instances[before] == candidate)
          return true;
      return false;
    };
    while (instance < instancesOf(resource) &&
           (isChosen(instance) || !isFree(resource, instance, cycle, placed.busy)))
      ++instance;
    if (instance == instancesOf(resource))
      return std::nullopt;
    instances.push_back(instance);
  }
  return instances;
}

bool ReservationTable::isLike(unsigned resource, unsigned instance, unsigned other) const {
  for (size_t cell = 0; cell < taken.size(); cell += columns)
    if ((taken[cell + firstColumn[resource] + instance] == free) !=
        (taken[cell + firstColumn[resource] + other] == free))
      return false;
  return true;
}

void ReservationTable::choose(unsigned operation, int64_t cycle, std::vector<unsigned> &chosen,
                              std::vector<std::vector<unsigned>> &choices) const {
  const Operation &placed = problem->operations[operation];
  if (chosen.size() == placed.uses.size()) {
    choices.push_back(chosen);
    return;
  }
  unsigned resource = placed.uses[chosen.size()];
  auto isChosen = [&](unsigned instance) {
    for (size_t use = 0; use < chosen.size(); ++use)
      if (placed.uses[use] == resource && chosen[use] == instance)
        return true;
    return false;
  };
  std::vector<unsigned> tried;
  for (unsigned instance = 0; instance < instancesOf(resource); ++instance) {
    auto isKnown = [&](unsigned other) { return isLike(resource, instance, other); };
    if (isChosen(instance) || !isFree(resource, instance, cycle, placed.busy) ||
        std::any_of(tried.begin(), tried.end(), isKnown))
      continue;
    tried.push_back(instance);
    chosen.push_back(instance);
    choose(operation, cycle, chosen, choices);
    chosen.pop_back();
  }
}

std::vector<std::vector<unsigned>> ReservationTable::findAll(unsigned operation,
                                                             int64_t cycle) const {
  std::vector<std::vector<unsigned>> choices;
  std::vector<unsigned> chosen;
  const Operation &placed = problem->operations[operation];
  if (!interval || placed.busy <= interval)
    choose(operation, cycle, chosen, choices);
  return choices;
}

void ReservationTable::mark(unsigned operation, int64_t cycle,
                            const std::vector<unsigned> &instances, int occupant) {
  const Operation &placed = problem->operations[operation];
  if (placed.uses.empty())
    return;
  if (!interval)
    taken.resize(std::max(taken.size(), (rowOf(cycle) + placed.busy) * columns), free);
  for (size_t u = 0; u < placed.uses.size(); ++u)
    for (unsigned i = 0; i < placed.busy; ++i)
      taken[rowOf(cycle + i) * columns + firstColumn[placed.uses[u]] + instances[u]] = occupant;
}

void ReservationTable::place(unsigned operation, int64_t cycle,
                             const std::vector<unsigned> &instances) {
  mark(operation, cycle, instances, static_cast<int>(operation));
}

void ReservationTable::remove(unsigned operation, int64_t cycle,
                              const std::vector<unsigned> &instances) {
  mark(operation, cycle, instances, free);
}

} // namespace spindle::hls
