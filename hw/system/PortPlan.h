// Which tasks may run at the same time, and which ports of an array each of them has.
#pragma once

#include "hw/system/StartOrder.h"

#include <set>

namespace spindle::hls {

/// What the circuits are to the arrays.
struct CircuitPorts {
  /// Per circuit and operand: the ports of a bank that it uses; none for scalars.
  std::vector<std::vector<std::set<uint32_t>>> used;
  /// Those of them on which it writes; where it is empty, all of them.
  std::vector<std::vector<std::set<uint32_t>>> written;
  uint32_t ports = 2;                          // of a bank
  std::vector<std::optional<uint64_t>> cycles; // per circuit; none where they depend on data
  std::vector<bool> mayBeCopied = {};          // per array; empty: those of the system
};

struct PortPlan {
  uint32_t ports = 2;
  /// Per task and operand: port p of the circuit is port (p + turn) mod ports of the array.
  std::vector<std::vector<uint32_t>> turns;
  /// Per array, how often it is there. Who writes writes to all of its copies, and reads the first.
  std::vector<uint32_t> copies;
  /// Per task and operand, the copy that it reads.
  std::vector<std::vector<uint32_t>> copyOf;
  /// Per task, those that never run at the same time as it because a circuit or a port would be
  /// needed twice; ascending. Those that the order keeps apart are not among them.
  std::vector<std::vector<uint32_t>> excludes;
  bool operator==(const PortPlan &) const = default;
};

/// Readers of one array get ports of their own while there are any. Tasks are taken in their order;
/// each takes the first turn that makes it exclude the fewest others. Where a task could begin
/// before the one that it follows is done, but that one takes all ports of an array between them,
/// to add up in it, the array gets a copy for readers. Cubic in the tasks.
PortPlan planPorts(const TaskGraph &graph, const CircuitPorts &circuits);

/// The same, and takes the delays from orders whose tasks exclude each other even so: as they never
/// run at the same time, the second one may wait for the end of the first, and then they need not
/// exclude each other where they are at different inputs.
PortPlan planPortsAndDelays(TaskGraph &graph, const CircuitPorts &circuits);

/// Whether two tasks may be at work at the same time on inputs whose numbers differ by a multiple
/// of `apart` (0 among them). `least` are the distances of `leastDistances`.
bool mayMeet(const TaskGraph &graph, const Distances &least, uint32_t a, uint32_t b,
             uint64_t apart);

} // namespace spindle::hls
