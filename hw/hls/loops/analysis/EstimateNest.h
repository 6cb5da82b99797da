// What a nest will cost as a pipeline, before it is scheduled: the cost model of all passes that
// choose the order of iterations.
#pragma once

#include "hw/hls/loops/analysis/LoopCosts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace spindle::hls {

struct NestEstimate {
  uint64_t runs = 1;           // of the pipeline: iterations of the loops around the nest
  uint64_t iterations = 0;     // of the flattened nest, all runs, bubbles included
  unsigned recurrence = 1;     // interval that dependences ask for: max ceil(latency / distance)
  unsigned ports = 1;          // interval that the busiest array or unit asks for
  unsigned depth = 0;          // cycles of one iteration
  std::string limit = "issue"; // what the larger of the two comes from: an operation or an array

  unsigned interval() const { return std::max(recurrence, ports); }
  /// Raises `ports`; the cause is kept where it limits.
  void demand(unsigned interval, const std::string &cause);
  uint64_t cycles() const { return iterations * interval() + runs * depth; }
};

/// Estimates a perfect nest: interval from recurrences (latencies of the target over distances in
/// flattened iterations) and from memory ports, one iteration per interval.
NestEstimate estimateNest(mlir::affine::AffineForOp outermost, const LoopCosts &costs);

/// Cycles of an operation with everything in it, over all iterations of the loops around it: a
/// perfect nest is a pipeline, anything else runs what is in it one after the other.
uint64_t estimateCycles(mlir::Operation *op, const LoopCosts &costs);

/// Cycles of the operations of a block that are no loops: the longest chain among them, or the
/// accesses to the busiest bank, if these take longer.
uint64_t estimateStraight(mlir::Block &block, const LoopCosts &costs);

/// Cycles of a function: its nests one after the other, and what stands between loops as straight
/// code, in which operations overlap as their operands and the ports allow.
uint64_t estimateFunction(mlir::func::FuncOp function, const LoopCosts &costs);

struct NamedEstimate {
  mlir::affine::AffineForOp outermost;
  NestEstimate estimate;
};

/// The perfect nests of a function in program order.
std::vector<NamedEstimate> estimateNests(mlir::func::FuncOp function, const LoopCosts &costs);

/// `15000 iterations in 1 run, interval 1 (issue), 15022 cycles`
std::string describe(const NestEstimate &estimate);

} // namespace spindle::hls
