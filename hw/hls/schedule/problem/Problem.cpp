#include "hw/hls/schedule/problem/Problem.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace spindle::hls {

namespace {

using Fault = std::optional<std::string>;

/// Beyond these, sums of cycles could leave their integers.
constexpr unsigned mostCycles = 1u << 20;
/// Beyond these, a single look at a reservation takes longer than a search should.
constexpr unsigned mostBusy = 1u << 16;

Fault faultOfDelay(const OperatorType &type, const char *which, double delayNs, double periodNs) {
  if (!(delayNs >= 0) || !std::isfinite(delayNs))
    return fmt::format("operator type '{}' has {} {}, expected a time of at least 0", type.name,
                       which, delayNs);
  if (delayNs > periodNs)
    return fmt::format(
        "operator type '{}' needs {} ns within a cycle ({}), but the clock period is {} "
        "ns: take a slower clock or an operator with more stages",
        type.name, delayNs, which, periodNs);
  return std::nullopt;
}

Fault faultOfType(const OperatorType &type, double periodNs) {
  if (type.latency > mostCycles)
    return fmt::format("operator type '{}' has latency {}, expected at most {}", type.name,
                       type.latency, mostCycles);
  if (Fault fault = faultOfDelay(type, "delay in", type.delayInNs, periodNs))
    return fault;
  if (Fault fault = faultOfDelay(type, "delay out", type.delayOutNs, periodNs))
    return fault;
  if (type.latency == 0 && type.delayInNs != type.delayOutNs)
    return fmt::format(
        "operator type '{}' is combinational (latency 0) with delay in {} and delay out "
        "{}, expected them to be equal",
        type.name, type.delayInNs, type.delayOutNs);
  return std::nullopt;
}

Fault faultOfOperation(const Problem &problem, const ProblemOperation &operation) {
  if (operation.type >= problem.operatorTypes.size())
    return fmt::format("operation '{}' has operator type {}, but there are {}", operation.name,
                       operation.type, problem.operatorTypes.size());
  if (operation.busy < 1 || operation.busy > mostBusy)
    return fmt::format("operation '{}' is busy for {} cycles, expected 1 to {}", operation.name,
                       operation.busy, mostBusy);
  std::map<unsigned, unsigned> needed;
  for (unsigned use : operation.uses) {
    if (use >= problem.resources.size())
      return fmt::format("operation '{}' uses resource {}, but there are {}", operation.name, use,
                         problem.resources.size());
    const Resource &resource = problem.resources[use];
    if (++needed[use] > resource.count)
      return fmt::format("operation '{}' uses {} instances of resource '{}', which has {}",
                         operation.name, needed[use], resource.name, resource.count);
  }
  return std::nullopt;
}

Fault faultOfDependence(const Problem &problem, size_t index) {
  const Dependence &dependence = problem.dependences[index];
  for (auto [end, operation] : {std::pair{"from", dependence.from}, {"to", dependence.to}})
    if (operation >= problem.operations.size())
      return fmt::format("dependence {} leads {} operation {}, but there are {}", index, end,
                         operation, problem.operations.size());
  if (dependence.distance > mostCycles || dependence.latency.value_or(0) > mostCycles)
    return fmt::format(
        "dependence {} ('{}' -> '{}') has distance {} and latency {}, expected at most {}", index,
        problem.operations[dependence.from].name, problem.operations[dependence.to].name,
        dependence.distance, dependence.latency.value_or(0), mostCycles);
  return std::nullopt;
}

/// Operations that wait for each other within an iteration, or nothing.
Fault faultOfCycles(const Problem &problem) {
  size_t count = problem.operations.size();
  std::vector<unsigned> waitsFor(count, 0), ready;
  std::vector<std::vector<unsigned>> next(count);
  for (const Dependence &dependence : problem.dependences)
    if (dependence.distance == 0) {
      next[dependence.from].push_back(dependence.to);
      ++waitsFor[dependence.to];
    }
  for (unsigned o = 0; o < count; ++o)
    if (waitsFor[o] == 0)
      ready.push_back(o);
  for (size_t i = 0; i < ready.size(); ++i)
    for (unsigned to : next[ready[i]])
      if (--waitsFor[to] == 0)
        ready.push_back(to);
  if (ready.size() == count)
    return std::nullopt;
  // Whoever still waits has a predecessor that still waits: going back ends in a circle.
  std::vector<unsigned> before(count);
  for (const Dependence &dependence : problem.dependences)
    if (dependence.distance == 0 && waitsFor[dependence.from] > 0)
      before[dependence.to] = dependence.from;
  auto waiting = std::find_if(waitsFor.begin(), waitsFor.end(), [](unsigned n) { return n > 0; });
  auto at = static_cast<unsigned>(waiting - waitsFor.begin());
  for (size_t i = 0; i < count; ++i)
    at = before[at];
  std::string path = "'" + problem.operations[at].name + "'";
  unsigned last = at;
  do {
    at = before[at];
    path = "'" + problem.operations[at].name + "' -> " + path;
  } while (at != last);
  return "operations wait for each other in one iteration: " + path +
         "; a dependence of a later iteration needs a distance of at least 1";
}

} // namespace

unsigned latencyOf(const Problem &problem, unsigned operation) {
  return problem.operatorTypes[problem.operations[operation].type].latency;
}

unsigned latencyOf(const Problem &problem, const Dependence &dependence) {
  return dependence.latency ? *dependence.latency : latencyOf(problem, dependence.from);
}

unsigned spanOf(const Problem &problem, unsigned operation) {
  return std::max(latencyOf(problem, operation), 1u);
}

std::optional<std::string> faultOf(const Problem &problem) {
  if (!(problem.clockPeriodNs > 0) || !std::isfinite(problem.clockPeriodNs))
    return fmt::format("the clock period is {} ns, expected more than 0", problem.clockPeriodNs);
  for (const OperatorType &type : problem.operatorTypes)
    if (Fault fault = faultOfType(type, problem.clockPeriodNs))
      return fault;
  for (const ProblemOperation &operation : problem.operations)
    if (Fault fault = faultOfOperation(problem, operation))
      return fault;
  for (size_t d = 0; d < problem.dependences.size(); ++d)
    if (Fault fault = faultOfDependence(problem, d))
      return fault;
  return faultOfCycles(problem);
}

llvm::Error verify(const Problem &problem) {
  if (Fault fault = faultOf(problem))
    return inputError(fmt::format("scheduling problem '{}'", problem.name), *fault);
  return llvm::Error::success();
}

} // namespace spindle::hls
