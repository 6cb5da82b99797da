// When and where every operation of a synthesised kernel runs: schedule.json
// (docs/formats/kernel-schedule.md).
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

struct ScheduledOperation {
  std::string name;     // unique within its pipeline
  std::string source;   // file:line:column in the program
  uint64_t start = 0;   // cycle after the start of the iteration
  uint64_t latency = 0; // cycles until the result; 0: combinational
  std::string resource; // the unit, or the port of a bank, that it takes; empty: none
  uint64_t busy = 1;    // cycles for which it takes it
  std::string array;    // that it reads or writes, as the program calls it; empty: none
  bool operator==(const ScheduledOperation &) const = default;
};

/// Why the initiation interval cannot be smaller.
struct IntervalBounds {
  uint64_t recurrence = 1;         // ⌈latency / distance⌉ of the worst circle of dependences
  std::vector<std::string> circle; // its operations; empty: no circle needs more than a cycle
  uint64_t circleLatency = 0, circleDistance = 0; // cycles, iterations
  uint64_t resource = 1;                          // of the scarcest unit or memory
  std::string scarcest; // its kind or bank; empty: none needs more than a cycle
  bool operator==(const IntervalBounds &) const = default;

  uint64_t interval() const { return recurrence > resource ? recurrence : resource; }
};

/// What the exact scheduler has shown before its time was up.
struct OptimalityProof {
  uint64_t leastInterval = 1; // none below it has a schedule with the units that were allowed
  bool isDepthLeast = false;  // none is shorter at this interval with the units it takes
  bool operator==(const OptimalityProof &) const = default;
};

/// A task: a pipeline, or a repeat that runs the tasks naming it as their parent once per value of
/// its counter. Times are those of the first run, in cycles since the kernel's start.
struct ScheduledTask {
  std::string name; // unique within its parent
  bool isPipeline = true;
  std::optional<size_t> parent;   // a repeat, before this task
  std::vector<std::string> after; // earlier tasks of the same parent
  // Nothing where they depend on an argument:
  std::optional<uint64_t> start, cycles, runs;
  std::string source; // file:line:column of the loop, or of the first statement
  bool operator==(const ScheduledTask &) const = default;
};

struct ScheduledPipeline {
  size_t task = 0;
  uint64_t interval = 1;              // cycles between the starts of two iterations
  uint64_t depth = 1;                 // cycles of one iteration
  bool repeats = true;                // false: no loop, a run is one iteration
  std::optional<uint64_t> iterations; // of all runs
  IntervalBounds bounds;
  std::optional<OptimalityProof> proof;       // nothing: the heuristic scheduler
  std::vector<ScheduledOperation> operations; // constants are left out
  std::vector<std::string> loops;             // file:line:column of each, the outermost first
  bool operator==(const ScheduledPipeline &) const = default;
};

struct KernelSchedule {
  std::string kernel, target;
  double clockPeriodNs = 10;
  std::optional<uint64_t> predictedCycles;
  std::vector<ScheduledTask> tasks; // parents first
  std::vector<ScheduledPipeline> pipelines;

  bool operator==(const KernelSchedule &) const = default;
};

/// Cycles of all runs of a pipeline: (iterations - runs) * interval + runs * depth.
std::optional<uint64_t> cyclesOf(const KernelSchedule &schedule, const ScheduledPipeline &pipeline);

/// The pipeline in which most cycles go by, null where none is known.
const ScheduledPipeline *longestPipeline(const KernelSchedule &schedule);

/// What limits the interval: `recurrence of load_1, addf_3, store_4 (latency 6, distance 1)`,
/// `resource mulf_f64`, `search` where the bounds allow a smaller one, `no loop`.
std::string limitText(const ScheduledPipeline &pipeline);

/// Cycles of a run of n iterations, `(n - 1) * 4 + 17`, where their number is not known; else
/// empty.
std::string formulaText(const ScheduledPipeline &pipeline);

/// `interval: optimal; depth: time limit`; empty where nothing was to be proven.
std::string proofText(const ScheduledPipeline &pipeline);

/// Ids in range, intervals not below their bounds, results within the depth, and no resource taken
/// by two operations in the same cycle modulo the interval. `place` stands before errors.
llvm::Error verify(const KernelSchedule &schedule, const std::string &place);
/// Verifies and writes.
llvm::Error writeKernelSchedule(const std::string &path, const KernelSchedule &schedule);
/// Reads and verifies.
llvm::Expected<KernelSchedule> readKernelSchedule(const std::string &path);

} // namespace spindle::hls
