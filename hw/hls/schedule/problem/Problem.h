// What is to be scheduled: operations, what they wait for and what they occupy.
#pragma once

#include "core/support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// Identical instances: functional units of a kind, or the ports of a memory.
struct Resource {
  std::string name;
  unsigned count = 1;
  bool operator==(const Resource &) const = default;
};

/// Latency 0: combinational; its delay is `delayInNs`, and `delayOutNs` is the same. Otherwise the
/// inputs are there `delayInNs` before the end of the first cycle, and the result stands
/// `delayOutNs` after the beginning of the cycle `latency` later.
struct OperatorType {
  std::string name;
  unsigned latency = 0;
  double delayInNs = 0, delayOutNs = 0;
  bool operator==(const OperatorType &) const = default;
};

struct ProblemOperation {
  std::string name;
  unsigned type = 0;          // into the operator types
  std::vector<unsigned> uses; // resources; one instance for each entry
  unsigned busy = 1;          // cycles from its start for which the instances are taken
  bool operator==(const ProblemOperation &) const = default;
};

/// start[to] + interval * distance >= start[from] + latency. Without a latency it carries the value
/// of `from`: the latency is that of its operator type, and delays add up where both meet in a
/// cycle. With one it is an order and nothing else (two accesses to a memory).
struct Dependence {
  unsigned from = 0, to = 0;
  unsigned distance = 0; // iterations from `from` to `to`
  std::optional<unsigned> latency;
  bool operator==(const Dependence &) const = default;
};

struct Problem {
  std::string name;
  double clockPeriodNs = 10;
  std::vector<OperatorType> operatorTypes;
  std::vector<Resource> resources;
  std::vector<ProblemOperation> operations;
  std::vector<Dependence> dependences;
  bool operator==(const Problem &) const = default;
};

/// Cycles from the start of an operation of this problem to its result.
unsigned latencyOf(const Problem &problem, unsigned operation);
unsigned latencyOf(const Problem &problem, const Dependence &dependence);

/// Cycles that an operation keeps its iteration alive: its latency, at least one.
unsigned spanOf(const Problem &problem, unsigned operation);

/// The first fault of a problem, or nothing: ids in range, instances enough, delays within the
/// clock period, no operation that waits for itself in its own iteration.
std::optional<std::string> faultOf(const Problem &problem);

/// The same as an input error at `scheduling problem 'name'`.
llvm::Error verify(const Problem &problem);

} // namespace spindle::hls
