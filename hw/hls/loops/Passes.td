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

#endif // HW_HLS_LOOPS_PASSES_TD
