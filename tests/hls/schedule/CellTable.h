// A reservation table that looks at every cell: slow and plain, for others to be held against.
#pragma once

#include "hw/hls/schedule/problem/Problem.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace spindle::hls {

class CellTable {
public:
  CellTable(const Problem &scheduled, unsigned initiationInterval)
      : problem(scheduled), interval(initiationInterval) {}

  /// For every use the first free instance, nothing where one is lacking.
  std::optional<std::vector<unsigned>> find(unsigned operation, int64_t cycle) const {
    const ProblemOperation &placed = problem.operations[operation];
    std::vector<unsigned> instances;
    if (interval && placed.busy > interval && !placed.uses.empty())
      return std::nullopt;
    for (unsigned use : placed.uses) {
      unsigned instance = 0;
      while (instance < problem.resources[use].count &&
             !isFree(placed, instances, use, instance, cycle))
        ++instance;
      if (instance == problem.resources[use].count)
        return std::nullopt;
      instances.push_back(instance);
    }
    return instances;
  }

  void place(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances) {
    const ProblemOperation &placed = problem.operations[operation];
    for (size_t u = 0; u < placed.uses.size(); ++u)
      for (unsigned i = 0; i < placed.busy; ++i)
        taken[{placed.uses[u], instances[u], rowOf(cycle + i)}] = operation;
  }

  void remove(unsigned operation) {
    for (auto cell = taken.begin(); cell != taken.end();)
      cell = cell->second == operation ? taken.erase(cell) : std::next(cell);
  }

private:
  int64_t rowOf(int64_t cycle) const {
    int64_t rows = interval;
    return rows ? ((cycle % rows) + rows) % rows : cycle;
  }

  bool isFree(const ProblemOperation &placed, const std::vector<unsigned> &chosen,
              unsigned resource, unsigned instance, int64_t cycle) const {
    for (size_t u = 0; u < chosen.size(); ++u)
      if (placed.uses[u] == resource && chosen[u] == instance)
        return false;
    for (unsigned i = 0; i < placed.busy; ++i)
      if (taken.count({resource, instance, rowOf(cycle + i)}))
        return false;
    return true;
  }

  const Problem &problem;
  unsigned interval;
  std::map<std::tuple<unsigned, unsigned, int64_t>, unsigned> taken; // resource, instance, row
};

} // namespace spindle::hls
