#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Precedences.h"
#include "hw/hls/schedule/exact/DifferenceProgram.h"

#include <algorithm>
#include <map>

namespace spindle::hls {

namespace {

/// One operation after the other on every instance, in the order of a schedule.
std::vector<DifferenceConstraint> instanceOrder(const Problem &problem, const Schedule &schedule) {
  std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>> taking; // by resource, instance
  for (unsigned o = 0; o < problem.operations.size(); ++o)
    for (size_t u = 0; u < problem.operations[o].uses.size(); ++u)
      taking[{problem.operations[o].uses[u], schedule.instance[o][u]}].push_back(o);
  std::vector<DifferenceConstraint> order;
  for (auto &[instance, operations] : taking) {
    std::sort(operations.begin(), operations.end(),
              [&](unsigned a, unsigned b) { return schedule.start[a] < schedule.start[b]; });
    for (size_t i = 1; i < operations.size(); ++i)
      order.push_back(
          {operations[i - 1], operations[i], problem.operations[operations[i - 1]].busy});
  }
  return order;
}

/// The operations' starts and, after them, a node for the beginning and the last use of every
/// value.
struct LifetimeProgram {
  std::vector<DifferenceConstraint> constraints;
  std::vector<int64_t> cost, x;
};

LifetimeProgram lifetimeProgram(const Problem &problem, const Precedences &precedences,
                                const std::vector<DifferenceConstraint> &order,
                                const Schedule &schedule) {
  LifetimeProgram program{order, {}, {schedule.start.begin(), schedule.start.end()}};
  auto count = static_cast<unsigned>(problem.operations.size());
  unsigned beginning = count;
  program.x.push_back(0);
  program.cost.assign(count + 1, 0);
  for (const Precedence &precedence : precedences.all)
    if (binds(precedence, 0))
      program.constraints.push_back({precedence.from, precedence.to, precedence.weight});
  int64_t depth = schedule.depth(problem);
  for (unsigned o = 0; o < count; ++o) {
    program.constraints.push_back({beginning, o, 0});
    program.constraints.push_back({o, beginning, precedences.spans[o] - depth});
  }
  std::map<unsigned, unsigned> lastUse; // by operation
  for (const Dependence &use : problem.dependences) {
    if (use.latency || use.distance > 0)
      continue;
    auto [node, isNew] = lastUse.try_emplace(use.from, static_cast<unsigned>(program.x.size()));
    if (isNew) {
      program.x.push_back(depth);
      program.cost.push_back(1);
      program.cost[use.from] = -1;
    }
    program.constraints.push_back({use.to, node->second, 0});
  }
  return program;
}

} // namespace

llvm::Expected<Schedule> scheduleSdc(const Problem &problem) {
  SPINDLE_ASSIGN(Schedule schedule, scheduleList(problem));
  Precedences precedences = precedencesOf(problem);
  LifetimeProgram program =
      lifetimeProgram(problem, precedences, instanceOrder(problem, schedule), schedule);
  std::vector<int64_t> x = minimizeDifferences(program.constraints, program.cost, program.x);
  int64_t beginning = x[schedule.start.size()];
  for (unsigned o = 0; o < schedule.start.size(); ++o)
    schedule.start[o] = static_cast<unsigned>(x[o] - beginning);
  schedule.offsetNs = chainOffsets(problem, schedule.start, 0);
  SPINDLE_RETURN_IF_ERROR(verify(problem, schedule));
  return schedule;
}

} // namespace spindle::hls
