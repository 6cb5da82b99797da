#include "hw/hls/schedule/problem/Schedule.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace spindle::hls {

namespace {

using Fault = std::optional<std::string>;

/// Whether iterations that are `distance` apart are in the pipeline together.
bool binds(const Dependence &dependence, unsigned interval) {
  return interval > 0 || dependence.distance == 0;
}

uint64_t arrival(const Problem &problem, const std::vector<unsigned> &start,
                 const Dependence &dependence) {
  return uint64_t(start[dependence.from]) + latencyOf(problem, dependence);
}

uint64_t consumption(const std::vector<unsigned> &start, unsigned interval,
                     const Dependence &dependence) {
  return start[dependence.to] + uint64_t(interval) * dependence.distance;
}

/// Whether the value is used in the very cycle in which it comes.
bool isChained(const Problem &problem, const std::vector<unsigned> &start, unsigned interval,
               const Dependence &dependence) {
  return !dependence.latency && binds(dependence, interval) &&
         arrival(problem, start, dependence) == consumption(start, interval, dependence);
}

const OperatorType &typeOf(const Problem &problem, unsigned operation) {
  return problem.operatorTypes[problem.operations[operation].type];
}

/// When the result of `operation` stands, within its cycle.
double outputNs(const Problem &problem, const std::vector<double> &offsetNs, unsigned operation) {
  const OperatorType &type = typeOf(problem, operation);
  return type.latency == 0 ? offsetNs[operation] + type.delayInNs : type.delayOutNs;
}

Fault faultOfSizes(const Problem &problem, const Schedule &schedule) {
  size_t count = problem.operations.size();
  for (auto [what, size] : {std::pair{"start cycles", schedule.start.size()},
                            {"offsets", schedule.offsetNs.size()},
                            {"lists of instances", schedule.instance.size()}})
    if (size != count)
      return fmt::format("{} {} for {} operations", size, what, count);
  for (size_t o = 0; o < count; ++o)
    if (schedule.instance[o].size() != problem.operations[o].uses.size())
      return fmt::format("operation '{}' has {} instances for {} uses", problem.operations[o].name,
                         schedule.instance[o].size(), problem.operations[o].uses.size());
  return std::nullopt;
}

Fault faultOfDependences(const Problem &problem, const Schedule &schedule) {
  for (const Dependence &dependence : problem.dependences) {
    if (!binds(dependence, schedule.interval))
      continue;
    uint64_t comes = arrival(problem, schedule.start, dependence);
    uint64_t used = consumption(schedule.start, schedule.interval, dependence);
    if (used < comes)
      return fmt::format(
          "operation '{}' starts in cycle {}, {} cycles too early for '{}', which starts in "
          "cycle {} with latency {}, distance {} at interval {}",
          problem.operations[dependence.to].name, schedule.start[dependence.to], comes - used,
          problem.operations[dependence.from].name, schedule.start[dependence.from],
          latencyOf(problem, dependence), dependence.distance, schedule.interval);
  }
  return std::nullopt;
}

Fault faultOfChains(const Problem &problem, const Schedule &schedule) {
  for (const Dependence &dependence : problem.dependences) {
    if (!isChained(problem, schedule.start, schedule.interval, dependence))
      continue;
    double comes = outputNs(problem, schedule.offsetNs, dependence.from);
    if (schedule.offsetNs[dependence.to] < comes - delayToleranceNs)
      return fmt::format(
          "operation '{}' takes its inputs {} ns into cycle {}, but '{}' has its result only "
          "after {} ns",
          problem.operations[dependence.to].name, schedule.offsetNs[dependence.to],
          schedule.start[dependence.to], problem.operations[dependence.from].name, comes);
  }
  for (unsigned o = 0; o < problem.operations.size(); ++o) {
    double ends = schedule.offsetNs[o] + typeOf(problem, o).delayInNs;
    if (!(schedule.offsetNs[o] >= 0) || !(ends <= problem.clockPeriodNs + delayToleranceNs))
      return fmt::format(
          "the chain of delays that ends with operation '{}' in cycle {} takes from {} to {} "
          "ns, but the clock period is {} ns",
          problem.operations[o].name, schedule.start[o], schedule.offsetNs[o], ends,
          problem.clockPeriodNs);
  }
  return std::nullopt;
}

Fault faultOfReservations(const Problem &problem, const Schedule &schedule) {
  std::map<std::tuple<unsigned, unsigned, uint64_t>, unsigned> taken; // resource, instance, cycle
  for (unsigned o = 0; o < problem.operations.size(); ++o) {
    const ProblemOperation &operation = problem.operations[o];
    if (schedule.interval > 0 && !operation.uses.empty() && operation.busy > schedule.interval)
      return fmt::format("operation '{}' is busy for {} cycles, longer than the interval of {}",
                         operation.name, operation.busy, schedule.interval);
    for (size_t u = 0; u < operation.uses.size(); ++u) {
      const Resource &resource = problem.resources[operation.uses[u]];
      unsigned instance = schedule.instance[o][u];
      if (instance >= resource.count)
        return fmt::format("operation '{}' has instance {} of resource '{}', which has {}",
                           operation.name, instance, resource.name, resource.count);
      for (unsigned i = 0; i < operation.busy; ++i) {
        uint64_t cycle = uint64_t(schedule.start[o]) + i;
        uint64_t slot = schedule.interval ? cycle % schedule.interval : cycle;
        auto [entry, isNew] = taken.try_emplace({operation.uses[u], instance, slot}, o);
        if (!isNew)
          return fmt::format(
              "operations '{}' and '{}' both take instance {} of resource '{}' in cycle {}{}",
              problem.operations[entry->second].name, operation.name, instance, resource.name, slot,
              schedule.interval ? fmt::format(" of the interval of {}", schedule.interval) : "");
      }
    }
  }
  return std::nullopt;
}

} // namespace

unsigned Schedule::depth(const Problem &problem) const {
  unsigned cycles = 0;
  for (unsigned o = 0; o < start.size(); ++o)
    cycles = std::max(cycles, start[o] + spanOf(problem, o));
  return cycles;
}

std::vector<double> chainOffsets(const Problem &problem, const std::vector<unsigned> &start,
                                 unsigned interval) {
  size_t count = start.size();
  std::vector<std::vector<unsigned>> next(count);
  std::vector<unsigned> waitsFor(count, 0), ready;
  std::vector<double> offsetNs(count, 0);
  for (const Dependence &dependence : problem.dependences) {
    if (!isChained(problem, start, interval, dependence))
      continue;
    const OperatorType &type = typeOf(problem, dependence.from);
    if (type.latency > 0) {
      offsetNs[dependence.to] = std::max(offsetNs[dependence.to], type.delayOutNs);
    } else {
      next[dependence.from].push_back(dependence.to);
      ++waitsFor[dependence.to];
    }
  }
  // Combinational operations that meet in a cycle form no circle: around one, the distances would
  // add up to 0, which verify(Problem) excludes.
  for (unsigned o = 0; o < count; ++o)
    if (waitsFor[o] == 0)
      ready.push_back(o);
  for (size_t i = 0; i < ready.size(); ++i)
    for (unsigned to : next[ready[i]]) {
      offsetNs[to] = std::max(offsetNs[to], outputNs(problem, offsetNs, ready[i]));
      if (--waitsFor[to] == 0)
        ready.push_back(to);
    }
  return offsetNs;
}

std::optional<std::string> faultOf(const Problem &problem, const Schedule &schedule) {
  for (auto check : {faultOfSizes, faultOfDependences, faultOfChains, faultOfReservations})
    if (Fault fault = check(problem, schedule))
      return fault;
  return std::nullopt;
}

llvm::Error verify(const Problem &problem, const Schedule &schedule) {
  if (Fault fault = faultOf(problem, schedule))
    return checkError(fmt::format("schedule of '{}'", problem.name), *fault);
  return llvm::Error::success();
}

} // namespace spindle::hls
