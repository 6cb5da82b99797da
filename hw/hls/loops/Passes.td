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

def HlsUnrollAndJam : Pass<"hls-unroll-and-jam", "::mlir::func::FuncOp"> {
  let summary = "Put several iterations of an outer loop side by side into the innermost one.";
  let description = [{
    A loop marked `hls.unroll_and_jam = N : i64` (0: completely) or at a depth named by `loops`: N of its iterations run together, inside its inner loop. What they read alike is read once
    after `hls-reuse-loads`, and N independent sums share the pipeline. The order of operations on every element stays, results are the same bit for bit.
    Statements before and after the inner loop are copied too, carried values of inner loops multiply. Inner bounds may grow or shrink with the loop: the inner loop then covers all copies, each guarded by its own bounds.
    Iterations behind the last full strip become a loop of their own.

    Refuses a dependence that would be turned round (both accesses are named), unknown dependences (data as index, accesses in `else`), loops that carry values, several inner loops side by side, maxima as the lower bound.
  }];
  let options = [ListOption<"loops", "loops", "std::string", "Depth of loops (0 is outermost) and iterations to join, as 0:4 or 1:full">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"jammed", "loops-jammed", "Loops unrolled and jammed">];
}

def HlsTileLoops : Pass<"hls-tile-loops", "::mlir::func::FuncOp"> {
  let summary = "Cut loops into strips, outer loops over the strips first.";
  let description = [{
    Perfectly nested loops marked `hls.tile = N : i64`, or at depths named by `loops`, become loops over tiles around loops of N iterations each (the last ones fewer). Used before `hls-buffer-arrays`, so that what a tile
    works on fits into a local array, and to change the order of iterations so that dependent ones stand apart.

    Refuses a dependence that would be turned round, bounds that depend on each other, loops that carry values.
  }];
  let options = [ListOption<"loops", "loops", "std::string", "Depth of loops (0 is outermost) and iterations of a tile, as 0:8">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"tiled", "loops-tiled", "Loops cut into tiles">];
}

def HlsPartitionArrays : Pass<"hls-partition-arrays", "::mlir::func::FuncOp"> {
  let summary = "Divide arrays into banks so that every access of an unrolled body has a port.";
  let description = [{
    An array keeps its type. Its argument or allocation gets `hls.partition`, one entry per dimension: `{kind = "none"}`, `{factor = N : i64, kind = "block"}` (N blocks of ceil(extent / N) neighbours),
    `{factor = N : i64, kind = "cyclic"}` (element i in bank i mod N) or `{kind = "complete"}`; every access gets the attribute `hls.bank`, its bank in every iteration, row-major over the dimensions.

    An array that has the attribute already is partitioned so. For the others, of all partitions in which each access stays in one bank, the one is taken whose fullest bank needs the fewest
    cycles at `ports` accesses each, summed over the bodies that touch the array, and of equals the one of the fewest banks. Arrays whose subscripts are data stay whole.

    Refuses a given partition in which an access changes its bank from iteration to iteration.
  }];
  let options = [
    Option<"ports", "ports", "unsigned", "2", "Accesses to one bank in a cycle">,
    Option<"mostBanks", "most-banks", "int64_t", "1024", "Banks of one array at most">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"partitioned", "arrays-partitioned", "Arrays divided">, Statistic<"banks", "banks-made", "Banks of the divided arrays">];
}

def HlsReuseValues : Pass<"hls-reuse-values", "::mlir::func::FuncOp"> {
  let summary = "Load and compute nothing twice in one iteration, across guards too.";
  let description = [{
    A load of an element that was loaded or stored before in the iteration, with no store between that may touch it, becomes that value; a store under a guard only ends what was known. Equal expressions without side effects are
    computed once; where they stand in several branches of `affine.if`, the first one moves in front of its branch and runs always. Loads are not moved out of guards: their address may be out of range.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"loads", "loads-removed", "Loads whose value was known">, Statistic<"expressions", "expressions-shared", "Expressions shared among branches">];
}

def HlsHoistInvariants : Pass<"hls-hoist-invariants", "::mlir::func::FuncOp"> {
  let summary = "Compute what no loop changes before the loops.";
  let description = [{
    Expressions without side effects whose operands are made outside of all loops move in front of the outermost loop. What changes with an outer loop alone stays in the innermost one:
    moved out, it would make the nest imperfect, and in a pipeline with a new iteration every cycle it costs its unit anyway.
  }];
  let statistics = [Statistic<"hoisted", "operations-hoisted", "Operations moved out of all loops">];
}

def HlsShareArrays : Pass<"hls-share-arrays", "::mlir::func::FuncOp"> {
  let summary = "Let local arrays that are not needed at one time share their memory.";
  let description = [{
    Allocations of one type and partition in the body of the function whose first and last uses do not overlap become one. Nests that could have run at the same time may have to wait for each other then.
  }];
  let statistics = [Statistic<"shared", "arrays-shared", "Arrays that took the memory of another">];
}

def HlsBalanceExpressions : Pass<"hls-balance-expressions", "::mlir::func::FuncOp"> {
  let summary = "Turn chains of sums and products into balanced trees, and running sums into several.";
  let description = [{
    A chain of one associative operation is rebuilt as a tree that adds the two earliest values first; a value carried from iteration to iteration comes last, so that the recurrence is one operation long.
    `interleave = N` splits a sum that an innermost loop carries into N partial sums that take turns and are added up behind the loop: the recurrence then spans N iterations.

    Integers come out the same. Floating-point sums and products are only touched with `floats`, and come out differently in their last bits.
  }];
  let options = [
    Option<"floats", "floats", "bool", "false", "Reorder floating-point sums and products too: results change">,
    Option<"interleave", "interleave", "unsigned", "1", "Partial sums of a sum that a loop carries">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"balanced", "chains-balanced", "Chains rebuilt as trees">, Statistic<"interleaved", "sums-interleaved", "Carried sums split into partial sums">];
}

#endif // HW_HLS_LOOPS_PASSES_TD
