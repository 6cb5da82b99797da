#include "hw/hls/schedule/Improve.h"

#include "hw/hls/schedule/Schedulers.h"
#include "tests/hls/schedule/CellTable.h"
#include "tests/hls/schedule/RandomLoop.h"
#include "gtest/gtest.h"

#include <numeric>

namespace spindle::hls {
namespace {

/// A constant that is used late is made late; a load whose value waits instead of two inputs comes
/// early.
TEST(Improve, ValuesWaitWhereFewDo) {
  Problem problem;
  problem.operatorTypes = {{"unit", 1, 1, 1}, {"slow", 6, 1, 1}};
  problem.operations = {{"x", 0, {}, 1}, {"far", 1, {}, 1}, {"sum", 0, {}, 1}};
  problem.dependences = {{0, 2, 0, {}}, {1, 2, 0, {}}};
  Schedule schedule = llvm::cantFail(scheduleList(problem));
  EXPECT_EQ(schedule.start[0], 0u);
  EXPECT_EQ(lifetimesOf(problem, schedule), 5u);
  Precedences precedences = precedencesOf(problem);
  Placement placement(problem, precedences, schedule);
  shortenLifetimes(problem, placement);
  schedule = llvm::cantFail(placement.finish());
  EXPECT_EQ(schedule.start[0], 5u);
  EXPECT_EQ(lifetimesOf(problem, schedule), 0u);
}

TEST(Improve, NeitherDepthNorLifetimesGrow) {
  unsigned shorter = 0, earlier = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = randomLoop(seed, {30, 2});
    Precedences precedences = precedencesOf(problem);
    Schedule list = llvm::cantFail(scheduleList(problem));
    // Spread out, so that there is something to pull.
    for (unsigned &start : list.start)
      start *= 3;
    list.offsetNs = chainOffsets(problem, list.start, 0);
    Placement placement(problem, precedences, list);
    pullForward(problem, placement);
    Schedule pulled = llvm::cantFail(placement.finish());
    EXPECT_LE(pulled.depth(problem), list.depth(problem));
    uint64_t longest = lifetimesOf(problem, pulled);
    shortenLifetimes(problem, placement);
    Schedule after = llvm::cantFail(placement.finish());
    EXPECT_LE(after.depth(problem), pulled.depth(problem));
    EXPECT_LE(lifetimesOf(problem, after), longest);
    earlier += pulled.depth(problem) < list.depth(problem);
    shorter += lifetimesOf(problem, after) < longest;
  }
  EXPECT_GT(earlier, 90u);
  EXPECT_GT(shorter, 50u);
}

/// The same moves, with every cycle tried and all lifetimes added up each time.
class PlainMoves {
public:
  PlainMoves(const Problem &scheduled, const Schedule &schedule)
      : problem(scheduled), precedences(precedencesOf(scheduled)), interval(schedule.interval),
        start(schedule.start.begin(), schedule.start.end()), table(scheduled, schedule.interval) {
    for (unsigned o = 0; o < start.size(); ++o)
      table.place(o, start[o], schedule.instance[o]);
  }

  void pull() {
    bool moved = true;
    for (unsigned pass = 0; moved && pass < 8; ++pass) {
      moved = false;
      for (unsigned o : byStart()) {
        int64_t current = start[o], cycle = earliest(o);
        table.remove(o);
        while (!tryAt(o, cycle))
          ++cycle;
        moved |= cycle < current;
      }
    }
  }

  void shorten() {
    int64_t depth = 0;
    for (unsigned o = 0; o < start.size(); ++o)
      depth = std::max(depth, start[o] + spanOf(problem, o));
    bool moved = true;
    for (unsigned pass = 0; moved && pass < 8; ++pass) {
      moved = false;
      std::vector<unsigned> order = byStart();
      for (auto o = order.rbegin(); o != order.rend(); ++o)
        moved |= move(*o, depth);
    }
  }

  std::vector<int64_t> starts() const { return start; }

private:
  bool move(unsigned o, int64_t depth) {
    int64_t current = start[o];
    std::vector<std::pair<int64_t, int64_t>> shorter; // lifetimes, cycle
    for (int64_t cycle = earliest(o); cycle <= std::min(latest(o), depth - spanOf(problem, o));
         ++cycle)
      if (int64_t sum = lifetimes(o, cycle); sum < lifetimes(o, current))
        shorter.emplace_back(sum, cycle);
    std::sort(shorter.begin(), shorter.end());
    table.remove(o);
    for (auto [sum, cycle] : shorter)
      if (tryAt(o, cycle))
        return true;
    tryAt(o, current);
    return false;
  }

  bool tryAt(unsigned o, int64_t cycle) {
    auto instances = table.find(o, cycle);
    if (instances) {
      table.place(o, cycle, *instances);
      start[o] = cycle;
    }
    return instances.has_value();
  }

  int64_t earliest(unsigned o) const {
    int64_t cycle = 0;
    for (const Precedence &p : precedences.all)
      if (p.to == o && p.from != o && binds(p, interval))
        cycle = std::max(cycle, start[p.from] + lengthOf(p, interval));
    return cycle;
  }

  int64_t latest(unsigned o) const {
    int64_t cycle = Placement::unlimited;
    for (const Precedence &p : precedences.all)
      if (p.from == o && p.to != o && binds(p, interval))
        cycle = std::min(cycle, start[p.to] - lengthOf(p, interval));
    return cycle;
  }

  int64_t lifetimes(unsigned moved, int64_t cycle) const {
    std::vector<int64_t> at = start, last(start.size(), 0);
    at[moved] = cycle;
    for (const Dependence &use : problem.dependences)
      if (!use.latency)
        last[use.from] = std::max(last[use.from], at[use.to] + int64_t(interval) * use.distance -
                                                      at[use.from] - latencyOf(problem, use.from));
    return std::accumulate(last.begin(), last.end(), int64_t(0));
  }

  std::vector<unsigned> byStart() const {
    std::vector<unsigned> order(start.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](unsigned a, unsigned b) { return start[a] < start[b]; });
    return order;
  }

  const Problem &problem;
  Precedences precedences;
  unsigned interval;
  std::vector<int64_t> start;
  CellTable table;
};

TEST(Improve, MovesWhatTryingEveryCycleMoves) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = randomLoop(seed, {24, 2, 1 + unsigned(seed % 2), true, seed % 3 == 0});
    Schedule spread = llvm::cantFail(scheduleList(problem));
    for (unsigned &start : spread.start)
      start *= 2;
    if (seed % 2 == 0) // pipelined, iterations one after the other
      spread.interval = 2 * spread.depth(problem) + 8;
    Precedences precedences = precedencesOf(problem);
    Placement placement(problem, precedences, spread);
    PlainMoves plain(problem, spread);
    auto startsOf = [&] {
      std::vector<int64_t> starts;
      for (unsigned o = 0; o < problem.operations.size(); ++o)
        starts.push_back(placement.start(o));
      return starts;
    };
    pullForward(problem, placement);
    plain.pull();
    EXPECT_EQ(startsOf(), plain.starts()) << "seed " << seed;
    shortenLifetimes(problem, placement);
    plain.shorten();
    EXPECT_EQ(startsOf(), plain.starts()) << "seed " << seed;
  }
}

} // namespace
} // namespace spindle::hls
