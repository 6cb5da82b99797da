#include "hw/system/PredictSystem.h"

#include "core/support/CounterRandom.h"
#include "lib/sdf/Analyze.h"

#include "gmock/gmock.h"

#include <algorithm>

using namespace spindle;
using namespace spindle::hls;

namespace {

/// Tasks on circuits of their own, without arrays.
TaskGraph graphOf(uint32_t tasks, uint64_t inputs, std::vector<TaskOrder> order) {
  TaskGraph graph;
  graph.inputs = inputs;
  graph.order = std::move(order);
  for (uint32_t n = 0; n < tasks; ++n) {
    graph.circuits.push_back("kernel" + std::to_string(n));
    graph.tasks.push_back({"task" + std::to_string(n), n, {}, ""});
  }
  return graph;
}

PortPlan planOf(const TaskGraph &graph) {
  CircuitPorts circuits;
  circuits.used.resize(graph.circuits.size());
  for (const Task &task : graph.tasks)
    circuits.used[task.circuit].resize(task.operands.size());
  return planPorts(graph, circuits);
}

TEST(PredictSystem, AChainTakesTheSumAndACycleForEach) {
  TaskGraph graph = graphOf(3, 1, {{0, 1, 0}, {1, 2, 0}});
  SystemTimes times = predictSystem(graph, planOf(graph), {10, 20, 5});
  EXPECT_EQ(times.cycles, 1u + 10 + 1 + 20 + 1 + 5 + 1);
  EXPECT_EQ(times.spans[2], (TaskSpan{2, 0, 33, 38}));
}

TEST(PredictSystem, IndependentTasksTakeTheLongest) {
  TaskGraph graph = graphOf(3, 1, {});
  EXPECT_EQ(predictSystem(graph, planOf(graph), {10, 20, 5}).cycles, 1u + 20 + 1);
}

/// With two buffers the longest stage decides, with one the sum of both.
TEST(PredictSystem, StagesWithTwoBuffersOverlap) {
  for (uint64_t inputs : {2, 3, 10}) {
    TaskGraph two = graphOf(2, inputs, {{0, 1, 0}, {1, 0, 2}}),
              one = graphOf(2, inputs, {{0, 1, 0}, {1, 0, 1}});
    EXPECT_EQ(predictSystem(two, planOf(two), {9, 19}).cycles, 1 + 10 + inputs * 20);
    EXPECT_EQ(predictSystem(one, planOf(one), {9, 19}).cycles, 1 + inputs * 30);
  }
}

/// The second task goes on as long after the end of the first as it began after its start.
TEST(PredictSystem, ATaskBeginsWhereTheOrderSaysSo) {
  TaskGraph graph = graphOf(3, 1, {{0, 1, 0, 7}, {1, 2, 0, 4}});
  SystemTimes times = predictSystem(graph, planOf(graph), {10, 20, 5});
  EXPECT_EQ(times.spans[1], (TaskSpan{1, 0, 8, 28}));
  EXPECT_EQ(times.spans[2], (TaskSpan{2, 0, 12, 17}));
  EXPECT_EQ(times.cycles, 29u);
  // Two inputs: the first task has to be under way with the second one.
  graph = graphOf(2, 2, {{0, 1, 0, 3}});
  times = predictSystem(graph, planOf(graph), {10, 2});
  EXPECT_EQ(times.spans[1], (TaskSpan{1, 0, 4, 6}));
  EXPECT_EQ(times.spans[3], (TaskSpan{1, 1, 15, 17}));
}

/// The first task could go on and on; the other one, which needs its circuit, is at an earlier
/// input.
TEST(PredictSystem, EarlierInputsGoFirst) {
  TaskGraph graph = graphOf(2, 4, {{0, 1, 0}});
  graph.tasks[1].circuit = 0;
  std::vector<uint32_t> order;
  for (const TaskSpan &span : predictSystem(graph, planOf(graph), {10, 10}).spans)
    order.push_back(span.task);
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(PredictSystem, ASharedCircuitRunsOneTaskAtATime) {
  TaskGraph graph = graphOf(2, 1, {});
  graph.tasks[1].circuit = 0;
  SystemTimes times = predictSystem(graph, planOf(graph), {10, 10});
  EXPECT_EQ(times.cycles, 1u + 11 + 11);
  EXPECT_EQ(times.spans[0].task, 0u); // the first in the program
}

/// The rules cycle by cycle.
uint64_t cycleByCycle(const TaskGraph &graph, const PortPlan &plan,
                      const std::vector<uint64_t> &cycles) {
  size_t count = graph.tasks.size();
  std::vector<uint64_t> done(count, 0), left(count, 0); // left: cycles to the end, this one too
  std::vector<uint64_t> started(count, 0);
  for (uint64_t now = 1;; ++now) {
    if (std::all_of(done.begin(), done.end(), [&](uint64_t n) { return n == graph.inputs; }))
      return now;
    std::vector<bool> ready(count), starts(count);
    for (size_t task = 0; task < count; ++task) {
      ready[task] = left[task] == 0 && done[task] < graph.inputs;
      for (const TaskOrder &order : graph.order)
        if (order.to == task) {
          bool isUnderWay =
              order.delay && left[order.from] > 0 && now - started[order.from] >= *order.delay;
          if (done[task] >= done[order.from] + order.distance + isUnderWay)
            ready[task] = false;
        }
    }
    for (size_t task = 0; task < count; ++task) {
      starts[task] = ready[task];
      for (uint32_t other : plan.excludes[task])
        if (left[other] > 0 || (ready[other] && (done[other] < done[task] ||
                                                 (done[other] == done[task] && other < task))))
          starts[task] = false;
    }
    for (size_t task = 0; task < count; ++task)
      if (starts[task]) {
        left[task] = cycles[graph.tasks[task].circuit];
        started[task] = now;
      } else if (left[task] > 0 && --left[task] == 0)
        ++done[task];
  }
}

struct RandomGraph {
  TaskGraph graph;
  CircuitPorts circuits;
  std::vector<uint64_t> cycles;
};

/// Arrays of one or two buffers, each written by one task and read by later ones, and one that all
/// may read; circuits shared at random.
RandomGraph randomGraph(uint64_t seed) {
  CounterRandom random(seed);
  RandomGraph made;
  uint32_t tasks = 2 + random.below(6);
  made.graph = graphOf(tasks, 1 + random.below(4), {});
  TaskGraph &graph = made.graph;
  graph.arrays.push_back({"arg0", {}, {4}, 0u, 1});
  for (uint32_t from = 0; from + 1 < tasks; ++from) {
    uint32_t buffers = 1 + random.below(2), array = uint32_t(graph.arrays.size());
    graph.arrays.push_back({"between" + std::to_string(array), {}, {4}, std::nullopt, buffers});
    graph.tasks[from].operands.push_back({TaskOperand::Kind::Array, array, false, true});
    for (uint32_t to = from + 1; to < tasks; ++to)
      if (random.below(3) == 0) {
        graph.tasks[to].operands.push_back({TaskOperand::Kind::Array, array, true, false});
        graph.order.push_back({from, to, 0});
        graph.order.push_back({to, from, buffers});
      }
  }
  for (Task &task : graph.tasks) {
    if (random.below(2))
      task.operands.push_back({TaskOperand::Kind::Array, 0, true, false});
    std::vector<std::set<uint32_t>> used;
    for (size_t n = 0; n < task.operands.size(); ++n)
      used.push_back(random.below(3) == 0 ? std::set<uint32_t>{0, 1} : std::set<uint32_t>{0});
    made.circuits.used.push_back(used);
    std::vector<std::set<uint32_t>> written;
    for (size_t n = 0; n < task.operands.size(); ++n)
      written.push_back(!task.operands[n].isWritten ? std::set<uint32_t>()
                        : used[n].size() == 2       ? std::set<uint32_t>{1}
                                                    : used[n]);
    made.circuits.written.push_back(written);
    made.cycles.push_back(1 + random.below(9));
  }
  // Tasks with as many operands may share a circuit.
  for (uint32_t task = 1; task < tasks; ++task) {
    uint32_t other = random.below(task);
    if (random.below(3) == 0 && graph.tasks[graph.tasks[other].circuit].operands.size() ==
                                    graph.tasks[task].operands.size())
      graph.tasks[task].circuit = graph.tasks[other].circuit;
  }
  if (seed % 2)
    for (TaskOrder &order : graph.order)
      if (random.below(2))
        order.delay = 1 + random.below(uint32_t(made.cycles[graph.tasks[order.from].circuit]));
  made.circuits.cycles.assign(made.cycles.begin(), made.cycles.end());
  return made;
}

TEST(PredictSystem, RandomGraphsComeToTheSameEndCycleByCycle) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    RandomGraph random = randomGraph(seed);
    PortPlan plan = planPorts(random.graph, random.circuits);
    EXPECT_EQ(predictSystem(random.graph, plan, random.cycles).cycles,
              cycleByCycle(random.graph, plan, random.cycles))
        << seed;
  }
}

/// No port of a memory and no circuit is ever taken twice, however long the tasks take.
TEST(PredictSystem, NothingIsTakenTwice) {
  size_t turned = 0, copied = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    RandomGraph random = randomGraph(seed);
    const TaskGraph &graph = random.graph;
    PortPlan plan = planPorts(graph, random.circuits);
    SystemTimes times = predictSystem(graph, plan, random.cycles);
    ASSERT_EQ(times.spans.size(), graph.tasks.size() * graph.inputs);
    auto portsOf = [&](const TaskSpan &span) { // array, copy, buffer, port
      std::set<std::array<uint64_t, 4>> ports;
      const Task &task = graph.tasks[span.task];
      for (size_t n = 0; n < task.operands.size(); ++n) {
        uint32_t array = task.operands[n].index, reads = plan.copyOf[span.task][n];
        uint64_t buffer = span.input % graph.arrays[array].buffers;
        EXPECT_LT(reads, plan.copies[array]);
        for (uint32_t port : random.circuits.used[task.circuit][n])
          ports.insert({array, reads, buffer, (port + plan.turns[span.task][n]) % plan.ports});
        for (uint32_t copy = 0; task.operands[n].isWritten && copy < plan.copies[array]; ++copy)
          for (uint32_t port : random.circuits.written[task.circuit][n])
            ports.insert({array, copy, buffer, (port + plan.turns[span.task][n]) % plan.ports});
      }
      return ports;
    };
    copied += std::count(plan.copies.begin(), plan.copies.end(), 2u);
    for (const std::vector<uint32_t> &turns : plan.turns)
      turned += std::count(turns.begin(), turns.end(), 1u);
    for (size_t a = 0; a < times.spans.size(); ++a)
      for (size_t b = a + 1; b < times.spans.size(); ++b) {
        const TaskSpan &one = times.spans[a], &two = times.spans[b];
        if (one.end < two.start || two.end < one.start)
          continue;
        EXPECT_NE(graph.tasks[one.task].circuit, graph.tasks[two.task].circuit) << seed;
        std::vector<std::array<uint64_t, 4>> both;
        auto first = portsOf(one), second = portsOf(two);
        std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                              std::back_inserter(both));
        EXPECT_TRUE(both.empty()) << seed;
      }
  }
  EXPECT_GT(turned, 0u);
  EXPECT_GT(copied, 100u);
}

/// Where two tasks never exclude each other, some lengths let them meet if `mayMeet` says so.
TEST(PredictSystem, TasksMeetOnlyWhereTheyMay) {
  size_t meetings = 0, nevers = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomGraph random = randomGraph(seed);
    const TaskGraph &graph = random.graph;
    Distances least = leastDistances(graph, random.circuits.cycles);
    PortPlan free;
    free.excludes.resize(graph.tasks.size());
    CounterRandom lengths(seed, 1);
    bool isGiven = seed % 2; // delays are right for these cycles alone
    for (unsigned trial = 0; trial < (isGiven ? 1 : 10); ++trial) {
      std::vector<uint64_t> cycles = random.cycles;
      for (size_t n = 0; n < graph.circuits.size() && !isGiven; ++n)
        cycles[n] = 1 + (lengths.below(2) ? lengths.below(5) : lengths.below(200));
      SystemTimes times = predictSystem(graph, free, cycles);
      for (const TaskSpan &a : times.spans)
        for (const TaskSpan &b : times.spans)
          for (uint64_t apart : {1, 2})
            if (a.task < b.task && a.start <= b.end && b.start <= a.end &&
                (a.input + b.input) % apart == 0) {
              EXPECT_TRUE(mayMeet(graph, least, a.task, b.task, apart)) << seed;
              ++meetings;
            }
    }
    for (uint32_t a = 0; a < graph.tasks.size(); ++a)
      for (uint32_t b = a + 1; b < graph.tasks.size(); ++b)
        nevers += !mayMeet(graph, least, a, b, 1);
  }
  EXPECT_GT(meetings, 0u);
  EXPECT_GT(nevers, 0u);
}

/// A task that needs the ports of the one that it follows waits for its end, and so runs beside its
/// next input; with the delay it would keep off all of them.
TEST(PredictSystem, ADelayThatPortsForbidIsNone) {
  TaskGraph graph = graphOf(2, 10, {{0, 1, 0, 3}, {1, 0, 2}});
  graph.arrays.push_back({"between0", {}, {4}, std::nullopt, 2});
  for (Task &task : graph.tasks)
    task.operands.push_back({TaskOperand::Kind::Array, 0, true, true});
  CircuitPorts circuits{{{{0, 1}}, {{0, 1}}}, {}, 2, {10, 10}};
  PortPlan strict = planPorts(graph, circuits);
  EXPECT_EQ(strict.excludes[0], std::vector<uint32_t>{1});
  EXPECT_EQ(predictSystem(graph, strict, {10, 10}).cycles, 1u + 20 * 11);
  PortPlan plan = planPortsAndDelays(graph, circuits);
  EXPECT_EQ(plan.excludes[0], std::vector<uint32_t>());
  EXPECT_EQ(graph.order[0].delay, std::nullopt);
  EXPECT_EQ(predictSystem(graph, plan, {10, 10}).cycles, 1u + 11 * 11);
}

/// A kernel that adds up in memory takes both ports: who reads its sums meanwhile has a copy.
TEST(PredictSystem, AReaderHasACopyOfWhatIsAddedUp) {
  TaskGraph graph = graphOf(2, 1, {{0, 1, 0, 3}});
  graph.arrays.push_back({"between0", {}, {4}, std::nullopt, 1});
  graph.tasks[0].operands.push_back({TaskOperand::Kind::Array, 0, true, true});
  graph.tasks[1].operands.push_back({TaskOperand::Kind::Array, 0, true, false});
  CircuitPorts circuits{{{{0, 1}}, {{0}}}, {{{1}}, {{}}}, 2, {10, 10}};
  PortPlan plan = planPorts(graph, circuits);
  EXPECT_EQ(plan.copies, std::vector<uint32_t>{2});
  EXPECT_EQ(plan.copyOf[1], std::vector<uint32_t>{1});
  EXPECT_EQ(predictSystem(graph, plan, {10, 10}).cycles, 15u);
  graph.arrays[0].argument = 0; // outside of the system there is one
  EXPECT_EQ(planPorts(graph, circuits).copies, std::vector<uint32_t>{1});
}

/// What others ask for, too, changes nothing.
TEST(PredictSystem, ImpliedOrdersAreLeftOut) {
  size_t left = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    RandomGraph random = randomGraph(seed);
    PortPlan free;
    free.excludes.resize(random.graph.tasks.size());
    TaskGraph fewer = random.graph;
    fewer.order = withoutImplied(random.graph.order, random.graph, random.circuits.cycles);
    left += random.graph.order.size() - fewer.order.size();
    EXPECT_EQ(predictSystem(fewer, free, random.cycles).spans,
              predictSystem(random.graph, free, random.cycles).spans)
        << seed;
  }
  EXPECT_GT(left, 100u);
}

/// A task is an actor that has its next input after this one; what begins early waits for an actor
/// that takes the delay.
SdfGraph dataFlowOf(const TaskGraph &graph, const std::vector<uint64_t> &cycles) {
  SdfGraph made;
  made.name = "system";
  auto actor = [&](uint64_t time) {
    made.actors.push_back({"a" + std::to_string(made.actors.size()), time});
    return ActorId(made.actors.size() - 1);
  };
  auto channel = [&](ActorId from, ActorId to, uint64_t tokens) {
    made.channels.push_back({from, to, 1, 1, tokens, 0});
  };
  std::vector<ActorId> starts, works;
  for (const Task &task : graph.tasks) {
    starts.push_back(actor(0));
    works.push_back(actor(cycles[task.circuit] + 1));
    channel(starts.back(), works.back(), 0);
    channel(works.back(), starts.back(), 1);
  }
  for (const TaskOrder &order : graph.order) {
    if (!order.delay) {
      channel(works[order.from], starts[order.to], order.distance);
      continue;
    }
    ActorId waits = actor(*order.delay);
    channel(starts[order.from], waits, 0);
    channel(waits, starts[order.to], order.distance);
  }
  return made;
}

/// In the long run, where nothing is shared: the analysis of data-flow graphs knows nothing of
/// managers.
TEST(PredictSystem, ThePeriodIsThatOfTheDataFlowGraph) {
  size_t early = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RandomGraph random = randomGraph(seed);
    TaskGraph &graph = random.graph;
    PortPlan free;
    free.excludes.resize(graph.tasks.size());
    auto cyclesOf = [&](uint64_t inputs) {
      graph.inputs = inputs;
      return double(predictSystem(graph, free, random.cycles).cycles);
    };
    SdfAnalysis analysis = llvm::cantFail(analyze(dataFlowOf(graph, random.cycles), {}));
    EXPECT_NEAR((cyclesOf(600) - cyclesOf(200)) / 400, analysis.period, 0.01 * analysis.period)
        << seed;
    uint64_t slowest = 0;
    for (const Task &task : graph.tasks)
      slowest = std::max(slowest, random.cycles[task.circuit] + 1);
    early += seed % 2 && analysis.period > double(slowest);
  }
  EXPECT_GT(early, 0u); // some are bound by buffers in spite of delays
}

} // namespace
