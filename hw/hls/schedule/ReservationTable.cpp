#include "hw/hls/schedule/ReservationTable.h"

#include <algorithm>

namespace spindle::hls {

ReservationTable::ReservationTable(const Problem &scheduled, unsigned initiationInterval)
    : problem(scheduled), interval(initiationInterval) {
  // No more instances of a resource can be taken at once than there are uses of it.
  std::vector<unsigned> uses(problem.resources.size(), 0);
  for (const Operation &operation : problem.operations)
    for (unsigned use : operation.uses)
      ++uses[use];
  for (size_t r = 0; r < uses.size(); ++r) {
    firstColumn.push_back(columns);
    columns += std::min(problem.resources[r].count, uses[r]);
  }
  firstColumn.push_back(columns);
  taken.assign(size_t(interval) * columns, free);
}

size_t ReservationTable::row(int64_t cycle) const {
  return static_cast<size_t>(interval ? cycle % interval : cycle);
}

int ReservationTable::occupant(unsigned resource, unsigned instance, int64_t cycle) const {
  size_t cell = row(cycle) * columns + firstColumn[resource] + instance;
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
  const Operation &placed = problem.operations[operation];
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

void ReservationTable::mark(unsigned operation, int64_t cycle,
                            const std::vector<unsigned> &instances, int occupant) {
  const Operation &placed = problem.operations[operation];
  if (placed.uses.empty())
    return;
  if (!interval)
    taken.resize(std::max(taken.size(), (row(cycle) + placed.busy) * columns), free);
  for (size_t u = 0; u < placed.uses.size(); ++u)
    for (unsigned i = 0; i < placed.busy; ++i)
      taken[row(cycle + i) * columns + firstColumn[placed.uses[u]] + instances[u]] = occupant;
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
