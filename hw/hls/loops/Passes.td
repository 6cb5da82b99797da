// Passes from the loop form to itself. Those that choose the order of iterations come first, then those that copy work.
#ifndef HW_HLS_LOOPS_PASSES_TD
#define HW_HLS_LOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def HlsPadLoops : Pass<"hls-pad-loops", "::mlir::func::FuncOp"> {
  let summary = "Give short rows a least length.";
  let description = [{
    In a flattened nest the iterations between two dependent ones are those of a row: a short row, the first one of a triangle for instance, limits the initiation interval of all.
    The attribute `hls.at_least = N : i64` on an innermost loop makes it take max(trip count, N) iterations, of which the ones behind its end do nothing. The computation stays what it was.
  }];
  let options = [Option<"atLeast", "at-least", "int64_t", "0", "Iterations that an innermost loop takes at least">];
  let statistics = [Statistic<"padded", "loops-padded", "Innermost loops with a least length">];
}

def HlsUnrollLoops : Pass<"hls-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "Put several iterations of a loop into one.";
  let description = [{
    A loop marked `hls.unroll = N : i64` (0: completely) or at a depth named by `loops` becomes a loop whose body holds N iterations in their order; results stay what they were, bit for bit.
    A remainder in an innermost loop is guarded by `affine.if`, so that the nest stays perfect and becomes one pipeline; around other loops it becomes a loop of its own behind the first.
    Bounds may depend on outer loops: then every copy but the first is guarded, and complete unrolling takes the largest trip count.

    Refuses, completely: loops that nothing bounds, and varying trip counts around other loops; otherwise maxima as the lower bound, and minima as the upper bound around other loops.
  }];
  let options = [ListOption<"loops", "loops", "std::string", "Depth of loops (0 is outermost) and iterations to join, as 2:4 or 0:full">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"unrolled", "loops-unrolled", "Loops unrolled">];
}

#endif // HW_HLS_LOOPS_PASSES_TD
