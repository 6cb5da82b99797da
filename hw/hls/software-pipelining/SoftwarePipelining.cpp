#include "hw/hls/software-pipelining/SoftwarePipelining.h"

#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"
#include "hw/hls/schedule/problem/ProblemFile.h"
#include "hw/hls/software-pipelining/GraphFiles.h"
#include "hw/hls/software-pipelining/OverlapIterations.h"
#include "hw/hls/software-pipelining/PrintCpp.h"

#include "fmt/format.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

llvm::Error writeGraph(const std::string &folder, unsigned number, const Problem &problem,
                       const Schedule &schedule) {
  std::error_code status;
  std::filesystem::create_directories(folder, status);
  std::string stem = fmt::format("{}/loop{}", folder, number);
  SPINDLE_RETURN_IF_ERROR(writeProblem(stem + ".json", problem));
  SPINDLE_RETURN_IF_ERROR(writeGraphMl(stem + ".graphml", problem));
  SPINDLE_RETURN_IF_ERROR(writeResourceXml(stem + ".resources.xml", problem));
  return writeExternalSchedule(stem + ".schedule.csv", problem, schedule);
}

llvm::Expected<PipelinedLoop> pipelineOne(AffineForOp loop, unsigned number, const Target &target,
                                          const SoftwarePipeliningOptions &options) {
  PipelinedLoop result;
  result.number = number;
  result.place = sourcePlace(loop);
  if (failed(normalizeForPipelining(loop))) {
    result.reason = "its bounds are minima or maxima";
    return result;
  }
  // Indices of a loop that began elsewhere: computed in the body, they would be carried from pass
  // to pass as values, which cannot be subscripts.
  simplifyIndices(loop->getParentOfType<func::FuncOp>());
  SPINDLE_ASSIGN(LoopGraph graph, buildLoopGraph(loop, target, options.units));
  graph.problem.name = fmt::format("loop{}", number);
  if (graph.vertices.empty()) {
    result.reason = "it is empty";
    return result;
  }
  Schedule schedule;
  if (options.externalSchedule.empty()) {
    SPINDLE_ASSIGN(schedule, scheduleModulo(graph.problem));
    SPINDLE_RETURN_IF_ERROR(verify(graph.problem, schedule));
  } else {
    SPINDLE_ASSIGN(schedule, readExternalSchedule(options.externalSchedule, graph.problem,
                                                  options.externalInterval));
  }
  if (!options.graphFolder.empty())
    SPINDLE_RETURN_IF_ERROR(writeGraph(options.graphFolder, number, graph.problem, schedule));
  Bounds bounds = boundsOf(graph.problem);
  result.interval = schedule.interval;
  result.depth = schedule.depth(graph.problem);
  result.stages = stagesOf(schedule);
  result.limit = bounds.recurrence >= bounds.resource ? recurrenceText(graph.problem, bounds)
                                                      : resourceText(graph.problem, bounds);
  result.isRewritten = overlapIterations(loop, graph, schedule);
  if (!result.isRewritten)
    result.reason =
        result.stages < 2 ? "iterations do not overlap" : "it has fewer iterations than stages";
  return result;
}

} // namespace

llvm::Expected<std::vector<PipelinedLoop>> pipelineLoops(func::FuncOp function,
                                                         const Target &target,
                                                         const SoftwarePipeliningOptions &options) {
  std::vector<AffineForOp> loops;
  function.walk([&](AffineForOp loop) {
    if (loop.getOps<AffineForOp>().empty())
      loops.push_back(loop);
  });
  if (options.only && *options.only >= loops.size())
    return inputError(sourcePlace(function), fmt::format("no innermost loop {}, expected a number "
                                                         "below {}",
                                                         *options.only, loops.size()));
  if (!options.externalSchedule.empty() && !options.only && loops.size() != 1)
    return inputError(options.externalSchedule,
                      fmt::format("is a schedule for one loop, but there are {}: name it by --loop",
                                  loops.size()));
  simplifyIndices(function);
  std::vector<PipelinedLoop> results;
  for (unsigned number = 0; number < loops.size(); ++number) {
    if (options.only && *options.only != number)
      continue;
    SPINDLE_ASSIGN(PipelinedLoop one, pipelineOne(loops[number], number, target, options));
    results.push_back(std::move(one));
  }
  simplifyIndices(function);
  if (failed(mlir::verify(function)))
    return checkError(sourcePlace(function), "the pipelined loops are not valid");
  return results;
}

} // namespace spindle::hls
