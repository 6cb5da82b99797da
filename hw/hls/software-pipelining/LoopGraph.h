// An innermost loop as a scheduling problem: its operations, what they wait for, what they occupy.
#pragma once

#include "hw/hls/UnitLimits.h"
#include "hw/hls/schedule/problem/Problem.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// One operation of the body; or a value that an iteration passes on as it got it (`op` is null).
struct Vertex {
  mlir::Operation *op = nullptr;
  mlir::Value passed;
};

/// Vertex n is operation n of the problem. Carried value a of the loop is made by vertex
/// producers[a] one iteration earlier.
struct LoopGraph {
  Problem problem;
  std::vector<Vertex> vertices;
  std::vector<unsigned> producers;
};

/// The loop in the form that the graph and the transformation need: from 0 in steps of 1, constants
/// in front of it. Fails where its bounds do not allow that.
mlir::LogicalResult normalizeForPipelining(mlir::affine::AffineForOp loop);

/// Vertices are named by kind and position: `load_a3_0`, `mulf_2`. Dependences through memory carry
/// their distances in iterations and a latency of one cycle; a guarded group of operations is one
/// vertex that takes as long as its longest chain.
llvm::Expected<LoopGraph> buildLoopGraph(mlir::affine::AffineForOp loop, const Target &target,
                                         const UnitLimits &limits = {});

} // namespace spindle::hls
