#include "hw/hls/schedule/problem/ReservationTable.h"

#include <algorithm>

namespace spindle::hls {

ReservationTable::ReservationTable(const Problem &scheduled, unsigned initiationInterval)
    : problem(&scheduled), interval(initiationInterval), resources(scheduled.resources.size()) {
  // No more instances of a resource can be taken at once than there are uses of it.
  for (const ProblemOperation &operation : problem->operations)
    for (unsigned use : operation.uses)
      ++resources[use].count;
  for (size_t r = 0; r < resources.size(); ++r)
    resources[r].count = std::min(problem->resources[r].count, resources[r].count);
}

size_t ReservationTable::rowOf(int64_t cycle) const {
  if (!interval)
    return static_cast<size_t>(cycle);
  int64_t rest = cycle % int64_t(interval);
  return static_cast<size_t>(rest < 0 ? rest + interval : rest);
}

int ReservationTable::occupant(unsigned resource, unsigned instance, int64_t cycle) const {
  const Instances &all = resources[resource];
  size_t row = rowOf(cycle);
  return row < all.firstFree.size() ? all.taken[row * all.count + instance] : free;
}

bool ReservationTable::isFree(unsigned resource, unsigned instance, int64_t cycle,
                              unsigned busy) const {
  for (unsigned i = 0; i < busy; ++i)
    if (occupant(resource, instance, cycle + i) != free)
      return false;
  return true;
}

/// Each of the instances before it is taken in some of the rows.
unsigned ReservationTable::leastFree(unsigned resource, int64_t cycle, unsigned busy) const {
  const Instances &all = resources[resource];
  unsigned least = 0;
  for (unsigned i = 0; i < busy; ++i)
    if (size_t row = rowOf(cycle + i); row < all.firstFree.size())
      least = std::max(least, all.firstFree[row]);
  return least;
}

bool ReservationTable::find(unsigned operation, int64_t cycle,
                            llvm::SmallVectorImpl<unsigned> &instances) const {
  const ProblemOperation &placed = problem->operations[operation];
  if (interval && placed.busy > interval && !placed.uses.empty())
    return false;
  for (size_t u = 0; u < placed.uses.size(); ++u) {
    unsigned resource = placed.uses[u], instance = leastFree(resource, cycle, placed.busy);
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
      return false;
    instances.push_back(instance);
  }
  return true;
}

std::optional<std::vector<unsigned>> ReservationTable::find(unsigned operation,
                                                            int64_t cycle) const {
  llvm::SmallVector<unsigned, 8> instances;
  if (!find(operation, cycle, instances))
    return std::nullopt;
  return std::vector<unsigned>(instances.begin(), instances.end());
}

bool ReservationTable::fits(unsigned operation, int64_t cycle) const {
  llvm::SmallVector<unsigned, 8> instances;
  return find(operation, cycle, instances);
}

/// The first cycle of [cycle, end) whose row is full, or is not; `end` if there is none.
int64_t ReservationTable::nextCycle(const llvm::BitVector &full, bool isFull, int64_t cycle,
                                    int64_t end) const {
  while (cycle < end) {
    size_t row = rowOf(cycle), rows = full.size();
    if (row >= rows) { // nothing was taken after the last row
      if (!isFull)
        return cycle;
      if (!interval)
        return end;
      cycle += static_cast<int64_t>(interval - row);
      continue;
    }
    int64_t length = std::min(static_cast<int64_t>(rows - row), end - cycle);
    auto first = static_cast<unsigned>(row), last = static_cast<unsigned>(row + size_t(length));
    if (int found = full.find_first_in(first, last, isFull); found >= 0)
      return cycle + (found - static_cast<int64_t>(row));
    cycle += length;
  }
  return end;
}

/// The first start of [cycle, end) that takes no full row for `busy` cycles; `end` if there is
/// none.
int64_t ReservationTable::besideFull(const llvm::BitVector &full, unsigned busy, int64_t cycle,
                                     int64_t end) const {
  while (cycle < end) {
    int64_t blocked = nextCycle(full, true, cycle, cycle + busy);
    if (blocked == cycle + busy)
      return cycle;
    cycle = nextCycle(full, false, blocked + 1, end);
  }
  return end;
}

std::optional<ReservationTable::Start> ReservationTable::findFrom(unsigned operation, int64_t cycle,
                                                                  int64_t end) const {
  const ProblemOperation &placed = problem->operations[operation];
  for (; cycle < end; ++cycle) {
    for (unsigned use : placed.uses)
      cycle = besideFull(resources[use].full, placed.busy, cycle, end);
    if (cycle == end)
      return std::nullopt;
    if (std::optional<std::vector<unsigned>> instances = find(operation, cycle))
      return Start{cycle, std::move(*instances)};
  }
  return std::nullopt;
}

bool ReservationTable::isLike(unsigned resource, unsigned instance, unsigned other) const {
  const Instances &all = resources[resource];
  for (size_t row = 0; row < all.firstFree.size(); ++row)
    if ((all.taken[row * all.count + instance] == free) !=
        (all.taken[row * all.count + other] == free))
      return false;
  return true;
}

void ReservationTable::choose(unsigned operation, int64_t cycle, std::vector<unsigned> &chosen,
                              std::vector<std::vector<unsigned>> &choices) const {
  const ProblemOperation &placed = problem->operations[operation];
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
  const ProblemOperation &placed = problem->operations[operation];
  if (!interval || placed.busy <= interval)
    choose(operation, cycle, chosen, choices);
  return choices;
}

void ReservationTable::Instances::mark(size_t row, unsigned instance, int occupant) {
  if (row >= firstFree.size()) {
    taken.resize((row + 1) * count, free);
    firstFree.resize(row + 1, 0);
    full.resize(static_cast<unsigned>(row + 1));
  }
  taken[row * count + instance] = occupant;
  unsigned &first = firstFree[row];
  if (occupant == free)
    first = std::min(first, instance);
  while (first < count && taken[row * count + first] != free)
    ++first;
  full[static_cast<unsigned>(row)] = first == count;
}

void ReservationTable::mark(unsigned operation, int64_t cycle,
                            const std::vector<unsigned> &instances, int occupant) {
  const ProblemOperation &placed = problem->operations[operation];
  for (size_t u = 0; u < placed.uses.size(); ++u)
    for (unsigned i = 0; i < placed.busy; ++i)
      resources[placed.uses[u]].mark(rowOf(cycle + i), instances[u], occupant);
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
