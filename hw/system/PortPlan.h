// Which tasks may run at the same time, and which ports of an array each of them has.
#pragma once

#include "core/kernel/TaskGraph.h"

#include <set>

namespace spindle::hls {

/// What the circuits are to the arrays.
struct CircuitPorts {
  /// Per circuit and operand: the ports of a bank that it uses; none for scalars.
  std::vector<std::vector<std::set<uint32_t>>> used;
  uint32_t ports = 2; // of a bank
};

struct PortPlan {
  uint32_t ports = 2;
  /// Per task and operand: port p of the circuit is port (p + turn) mod ports of the array.
  std::vector<std::vector<uint32_t>> turns;
  /// Per task, those that never run at the same time as it because a circuit or a port would be
  /// needed twice; ascending. Those that the order keeps apart are not among them.
  std::vector<std::vector<uint32_t>> excludes;
  bool operator==(const PortPlan &) const = default;
};

/// Readers of one array get ports of their own while there are any. Tasks are taken in their order;
/// each takes the first turn that makes it exclude the fewest others. Cubic in the tasks.
PortPlan planPorts(const TaskGraph &graph, const CircuitPorts &circuits);

/// Whether two tasks may be at work at the same time on inputs whose numbers differ by a multiple
/// of `apart` (0 among them). `least` are the distances of `leastDistances`.
using Distances = std::vector<std::vector<uint64_t>>;
bool mayMeet(const TaskGraph &graph, const Distances &least, uint32_t a, uint32_t b,
             uint64_t apart);

/// By task and task: input n of the second begins after input n - distance of the first, also by
/// way of others. Never: kNeverWaits.
constexpr uint64_t kNeverWaits = ~uint64_t(0) / 4;
Distances leastDistances(const TaskGraph &graph);

} // namespace spindle::hls
