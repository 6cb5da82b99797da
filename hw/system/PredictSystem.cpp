#include "hw/system/PredictSystem.h"

#include <algorithm>

namespace spindle::hls {

namespace {

class Managers {
public:
  Managers(const TaskGraph &tasks, const PortPlan &ports, const std::vector<uint64_t> &cycles)
      : graph(tasks), plan(ports), circuitCycles(cycles), done(tasks.tasks.size(), 0), starts(done),
        ends(done) {}

  SystemTimes run() {
    uint64_t now = 1; // the managers see the start one cycle later
    while (!isFinished()) {
      startThose(now);
      now = nextEvent(now);
      finishThose(now);
    }
    times.cycles = now;
    return std::move(times);
  }

private:
  bool isFinished() const {
    return std::all_of(done.begin(), done.end(),
                       [&](uint64_t inputs) { return inputs == graph.inputs; });
  }
  bool isRunning(uint32_t task) const {
    return std::find(running.begin(), running.end(), task) != running.end();
  }
  bool isReady(uint32_t task, uint64_t now) const {
    return !isRunning(task) && done[task] < graph.inputs &&
           std::all_of(
               graph.order.begin(), graph.order.end(),
               [&](const TaskOrder &order) {
                 return order.to != task ||
                        done[order.from] + order.distance + isUnderWay(order, now) > done[task];
               });
  }
  bool isUnderWay(const TaskOrder &order, uint64_t now) const {
    return order.delay && isRunning(order.from) && now >= starts[order.from] + *order.delay;
  }
  /// The next cycle in which a task counts as done, or another one may begin that waits for it.
  uint64_t nextEvent(uint64_t now) const {
    uint64_t next = ~uint64_t(0);
    for (uint32_t task : running)
      next = std::min(next, ends[task] + 1);
    for (const TaskOrder &order : graph.order)
      if (order.delay && isRunning(order.from) && !isUnderWay(order, now))
        next = std::min(next, starts[order.from] + *order.delay);
    return next;
  }

  void startThose(uint64_t now) {
    std::vector<bool> ready(graph.tasks.size());
    for (uint32_t task = 0; task < ready.size(); ++task)
      ready[task] = isReady(task, now);
    std::vector<uint32_t> started;
    for (uint32_t task = 0; task < ready.size(); ++task) {
      const std::vector<uint32_t> &excluded = plan.excludes[task];
      bool isKeptOff = std::any_of(excluded.begin(), excluded.end(), [&](uint32_t other) {
        return isRunning(other) ||
               (ready[other] && std::pair(done[other], other) < std::pair(done[task], task));
      });
      if (ready[task] && !isKeptOff)
        started.push_back(task);
    }
    for (uint32_t task : started) {
      running.push_back(task);
      starts[task] = now;
      ends[task] = now + circuitCycles[graph.tasks[task].circuit];
      times.spans.push_back({task, done[task], now, ends[task]});
    }
  }

  void finishThose(uint64_t now) {
    for (uint32_t task : running)
      done[task] += ends[task] < now;
    running.erase(std::remove_if(running.begin(), running.end(),
                                 [&](uint32_t task) { return ends[task] < now; }),
                  running.end());
  }

  const TaskGraph &graph;
  const PortPlan &plan;
  const std::vector<uint64_t> &circuitCycles;
  std::vector<uint64_t> done, starts, ends;
  std::vector<uint32_t> running;
  SystemTimes times;
};

} // namespace

SystemTimes predictSystem(const TaskGraph &graph, const PortPlan &plan,
                          const std::vector<uint64_t> &circuitCycles) {
  return Managers(graph, plan, circuitCycles).run();
}

} // namespace spindle::hls
