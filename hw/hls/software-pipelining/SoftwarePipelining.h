// Software pipelining of a whole function: every innermost loop gets its graph, its schedule and
// its new form.
#pragma once

#include "hw/hls/schedule/problem/Schedule.h"
#include "hw/hls/software-pipelining/LoopGraph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace spindle::hls {

struct SoftwarePipeliningOptions {
  UnitLimits units;
  std::string graphFolder;       // where graphs are written; empty: nowhere
  std::string externalSchedule;  // lines vertex;cycle;functional_unit; empty: ours
  unsigned externalInterval = 0; // of that schedule; 0: the smallest one that holds
  std::optional<unsigned> only;  // number of the one loop to pipeline
};

/// What became of one innermost loop.
struct PipelinedLoop {
  unsigned number = 0; // in program order
  std::string place;
  unsigned interval = 0, depth = 0, stages = 0;
  std::string limit;        // what keeps the interval from being smaller
  bool isRewritten = false; // else `reason` says why not
  std::string reason;
};

/// Pipelines the innermost loops of a function in loop form. Writes `loopN.json`, `.graphml`,
/// `.resources.xml` and `.schedule.csv` into the folder of graphs. Input errors: a loop number that
/// is out of range, an external schedule for more than one loop, or one that does not hold.
llvm::Expected<std::vector<PipelinedLoop>> pipelineLoops(mlir::func::FuncOp function,
                                                         const Target &target,
                                                         const SoftwarePipeliningOptions &options);

} // namespace spindle::hls
