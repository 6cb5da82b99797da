// Random loop bodies: loads, stores, pipelined and combinational arithmetic, recurrences.
#pragma once

#include "core/support/CounterRandom.h"
#include "hw/hls/schedule/problem/Problem.h"

#include <algorithm>

namespace spindle::hls {

struct LoopShape {
  unsigned operations = 20;
  unsigned recurrences = 1;
  unsigned ports = 2;      // of the one memory
  bool hasUnits = true;    // adders and multipliers are limited, too
  bool hasDivider = false; // one, busy for several cycles
};

/// A body of `operations` operations, each using one or two earlier ones, closed by `recurrences`
/// values that a later iteration uses.
inline Problem randomLoop(uint64_t seed, const LoopShape &shape) {
  CounterRandom random(seed);
  Problem problem;
  problem.name = "loop" + std::to_string(seed);
  enum Type : unsigned { Load, Store, AddF, MulF, Add, Select, Divide };
  problem.operatorTypes = {{"load", 1, 2, 3.5}, {"store", 1, 2, 0},    {"addf", 4, 7, 3},
                           {"mulf", 3, 6, 4},   {"addi", 0, 2.5, 2.5}, {"select", 0, 1.5, 1.5},
                           {"divf", 8, 5, 5}};
  problem.resources = {{"port", shape.ports},
                       {"adder", 1 + random.below(3)},
                       {"multiplier", 1 + random.below(2)},
                       {"divider", 1}};
  std::vector<std::vector<unsigned>> inputs(shape.operations);
  for (unsigned o = 0; o < shape.operations; ++o) {
    static constexpr unsigned kinds[] = {Load, Load, Load, Store, AddF,
                                         AddF, MulF, Add,  Add,   Select};
    unsigned type = o < 2 ? Load : kinds[random.below(10)];
    if (shape.hasDivider && o % 8 == 5)
      type = Divide;
    ProblemOperation operation{problem.operatorTypes[type].name + std::to_string(o), type, {}, 1};
    if (type == Load || type == Store)
      operation.uses = {0};
    if (type == AddF && shape.hasUnits)
      operation.uses = {1};
    if (type == MulF && shape.hasUnits)
      operation.uses = {2};
    if (type == Divide) {
      operation.uses = {3};
      operation.busy = 3;
    }
    unsigned wanted = o < 2 ? 0 : 1 + random.below(2);
    for (unsigned i = 0; i < wanted; ++i) {
      unsigned from = o - 1 - random.below(std::min(o, 12u));
      if (problem.operations[from].type == Store)
        continue;
      inputs[o].push_back(from);
      problem.dependences.push_back({from, o, 0, std::nullopt});
    }
    problem.operations.push_back(operation);
  }
  for (unsigned r = 0; r < shape.recurrences; ++r) {
    // From the end of a path back to its beginning.
    unsigned last = random.below(shape.operations), first = last;
    for (unsigned steps = random.below(8); steps > 0 && !inputs[first].empty(); --steps)
      first = inputs[first][random.below(static_cast<uint32_t>(inputs[first].size()))];
    problem.dependences.push_back({last, first, 1 + random.below(3), std::nullopt});
  }
  return problem;
}

} // namespace spindle::hls
