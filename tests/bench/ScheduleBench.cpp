// How fast and how good schedules of random loops are.
// Usage: schedule-bench [results.csv [commit]]
#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"
#include "hw/hls/schedule/exact/ExactSchedule.h"
#include "tests/hls/schedule/RandomLoop.h"

#include "fmt/format.h"

#include <chrono>
#include <fstream>

using namespace spindle;
using namespace spindle::hls;

namespace {

struct Workload {
  const char *name;
  LoopShape shape;
  unsigned loops;
  bool isExact;
};

const Workload workloads[] = {
    {"10-60 operations", {0, 0}, 500, true},
    {"60 operations, 6 recurrences, 3 dividers", {60, 6, 2, true, true}, 100, true},
    {"200 operations", {200, 3}, 40, true},
    {"200 operations, 8 ports", {200, 3, 8}, 40, true},
    {"1000 operations, 16 ports", {1000, 3, 16, false}, 4, true},
    {"5000 operations, 2 ports", {5000, 3}, 4, false},
    {"5000 operations, 1000 ports", {5000, 3, 1000, false}, 4, false},
    {"60000 operations, 2 ports", {60000, 3}, 1, false},
};

/// Sums over the loops of a workload.
struct Figures {
  double heuristicSeconds = 0, exactSeconds = 0, slowestSeconds = 0;
  unsigned atBound = 0, atOptimum = 0, proven = 0, depthProven = 0, worstExcess = 0;
  uint64_t depth = 0, leastDepth = 0;
};

template <typename Work> double secondsOf(Work work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const Workload &workload, uint64_t seed, Figures &figures) {
  LoopShape shape = workload.shape;
  if (shape.operations == 0) {
    shape.operations = 10 + unsigned(seed % 51);
    shape.recurrences = 1 + unsigned(seed % 3);
  }
  Problem problem = randomLoop(seed, shape);
  Schedule heuristic;
  figures.heuristicSeconds +=
      secondsOf([&] { heuristic = llvm::cantFail(scheduleModulo(problem)); });
  figures.atBound += heuristic.interval == boundsOf(problem).interval();
  if (!workload.isExact)
    return;
  ExactSchedule exact;
  double seconds =
      secondsOf([&] { exact = llvm::cantFail(scheduleExact(problem, {.seconds = 2})); });
  figures.exactSeconds += seconds;
  figures.slowestSeconds = std::max(figures.slowestSeconds, seconds);
  figures.proven += exact.isProven;
  figures.depthProven += exact.isDepthProven;
  figures.atOptimum += heuristic.interval == exact.lowerBound;
  figures.worstExcess = std::max(figures.worstExcess, heuristic.interval - exact.lowerBound);
  if (heuristic.interval == exact.schedule.interval) {
    figures.depth += heuristic.depth(problem);
    figures.leastDepth += exact.schedule.depth(problem);
  }
}

} // namespace

int main(int argc, char **argv) {
  std::ofstream csv;
  if (argc > 1)
    csv.open(argv[1]);
  csv << "commit,metric,value,unit\n";
  std::string commit = argc > 2 ? argv[2] : "";
  fmt::print("{:42}{:>6}{:>10}{:>9}{:>9}{:>8}{:>10}{:>10}{:>8}{:>9}{:>8}\n", "loops", "",
             "modulo s", "at bound", "optimal", "excess", "exact s", "worst s", "proven",
             "depth +%", "proven");
  for (const Workload &workload : workloads) {
    Figures f;
    for (uint64_t seed = 0; seed < workload.loops; ++seed)
      measure(workload, seed, f);
    double excess =
        f.leastDepth ? 100.0 * double(f.depth - f.leastDepth) / double(f.leastDepth) : 0;
    fmt::print("{:42}{:6}{:10.4f}{:9}", workload.name, workload.loops,
               f.heuristicSeconds / workload.loops, f.atBound);
    if (workload.isExact)
      fmt::print("{:9}{:8}{:10.4f}{:10.4f}{:8}{:9.1f}{:8}", f.atOptimum, f.worstExcess,
                 f.exactSeconds / workload.loops, f.slowestSeconds, f.proven, excess,
                 f.depthProven);
    fmt::print("\n");
    csv << fmt::format("{},modulo {},{},s\n", commit, workload.name,
                       f.heuristicSeconds / workload.loops);
    if (workload.isExact)
      csv << fmt::format("{},exact {},{},s\n", commit, workload.name,
                         f.exactSeconds / workload.loops);
  }
  return 0;
}
