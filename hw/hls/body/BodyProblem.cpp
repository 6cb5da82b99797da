#include "hw/hls/body/BodyProblem.h"

#include <algorithm>

namespace spindle::hls {

BodyProblem::BodyProblem(std::string name, const Target &target, const UnitLimits &allowed)
    : limits(allowed) {
  problem.name = std::move(name);
  problem.clockPeriodNs = target.clockPeriodNs;
}

unsigned BodyProblem::add(mlir::Operation *op, std::string name, const OperatorType &type) {
  unsigned id = problem.operations.size();
  problem.operations.push_back({std::move(name), typeOf(type), {}});
  if (op)
    ids[op] = id;
  return id;
}

unsigned BodyProblem::typeOf(const OperatorType &type) {
  std::vector<OperatorType> &types = problem.operatorTypes;
  auto found = std::find(types.begin(), types.end(), type);
  if (found != types.end())
    return found - types.begin();
  types.push_back(type);
  return types.size() - 1;
}

unsigned BodyProblem::resource(const std::string &name, unsigned count) {
  auto [entry, isNew] = resources.try_emplace(name, problem.resources.size());
  if (isNew)
    problem.resources.push_back({name, count});
  return entry->second;
}

void BodyProblem::useUnit(unsigned operation, const FunctionalUnit &unit) {
  auto limit = limits.find(unit.name);
  unsigned id = resource(unit.name, limit == limits.end() ? 0 : limit->second);
  if (limit == limits.end())
    ++problem.resources[id].count;
  ProblemOperation &user = problem.operations[operation];
  user.uses.push_back(id);
  user.busy = std::max(user.busy, unit.interval);
}

void BodyProblem::connect(mlir::Value value, unsigned to, unsigned distance, bool isOrder) {
  if (auto next = carriedValues.find(value); next != carriedValues.end()) {
    if (distance <= carriedValues.size()) // else they are passed on in a circle that nobody enters
      connect(next->second, to, distance + 1, isOrder);
    return;
  }
  std::optional<unsigned> from;
  if (auto maker = carriedMakers.find(value); maker != carriedMakers.end()) {
    from = maker->second;
    ++distance;
  } else {
    from = idOf(value.getDefiningOp());
  }
  if (from)
    problem.dependences.push_back(
        {*from, to, distance, isOrder ? std::optional(latencyOf(problem, *from)) : std::nullopt});
}

void BodyProblem::order(unsigned from, unsigned to, unsigned distance, unsigned latency) {
  problem.dependences.push_back({from, to, distance, latency});
}

std::optional<unsigned> BodyProblem::idOf(mlir::Operation *op) const {
  for (; op; op = op->getParentOp())
    if (auto found = ids.find(op); found != ids.end())
      return found->second;
  return std::nullopt;
}

} // namespace spindle::hls
