// The passes from a program to its circuit, in their order: hls-prepare, the loop passes, convert-affine-to-hls, hls-schedule and convert-hls-to-rtl.
#ifndef HW_HLS_PASSES_TD
#define HW_HLS_PASSES_TD

include "mlir/Pass/PassBase.td"

def HlsPrepare : Pass<"hls-prepare", "::mlir::ModuleOp"> {
  let summary = "Bring a kernel into loop form.";
  let description = [{
    Rewrites the module until it holds the function `top` alone, in loop form (affine loops over arrays and scalars), and the constant arrays that it reads: calls inlined, tensors and linalg operations made to loops, `scf` raised to `affine` where bounds,
    conditions and subscripts are affine. Argument i stays argument i; one bound to a number stays unused and gets the attribute `hls.bound`. A result that is a tensor or an array becomes an argument after all others.

    Refuses what no circuit is made for, with the place of the operation.
  }];
  let options = [
    Option<"top", "top", "std::string", "\"\"", "Function to synthesise; the only public one if not given">,
    Option<"bind", "bind", "std::string", "\"\"", "Values of arguments, such as 0=20,3=20x25">,
  ];
}

def ConvertAffineToHls : Pass<"convert-affine-to-hls", "::mlir::ModuleOp"> {
  let summary = "Make an hls.kernel of every function in loop form.";
  let description = [{
    A function becomes a kernel of its name and `_hardware`: perfect nests become `hls.pipeline`, the innermost scf.while pipelines that end on data, other loops `hls.repeat`, operations between loops pipelines without levels, arrays `hls.memory` with the banks of `hls.partition`. Operations have no start, no
    unit and no port yet. A task waits for all earlier ones that access an array of its own, if one of the two writes it. Functions without a body stay.
  }];
  let options = [Option<"target", "target", "std::string", "\"zynq-7020-100mhz\"", "Target file, or a name of configs/targets: clock and memories">];
  let dependentDialects = ["::spindle::hls::HlsDialect", "::mlir::arith::ArithDialect"];
}

def HlsSchedule : Pass<"hls-schedule", "::mlir::ModuleOp"> {
  let summary = "Give the operations of kernels their start cycles, units and ports.";
  let description = [{
    Every pipeline gets the smallest initiation interval that its dependences, ports and units allow, and no more units than that interval needs. Units are shared by all pipelines that never run at the same time; tasks that would need the same port, or more
    units than there may be, run one after the other.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"zynq-7020-100mhz\"", "Target file, or a name of configs/targets: latencies, delays and clock">,
    ListOption<"limits", "limits", "std::string", "Units at most by kind, as mulf_f64=2">,
    Option<"exact", "exact", "bool", "false", "Prove interval and depth of each pipeline to be the smallest">,
    Option<"seconds", "seconds", "double", "10", "For the exact search of one pipeline; what it has by then is taken">,
    Option<"sequential", "sequential", "bool", "false", "Never run independent tasks at the same time">,
    Option<"pairs", "pairs", "bool", "false", "Two products that share a factor take one DSP block where the target has a unit for that">,
  ];
  let dependentDialects = ["::spindle::hls::HlsDialect"];
}

def ConvertHlsToRtl : Pass<"convert-hls-to-rtl", "::mlir::ModuleOp"> {
  let summary = "Make the circuit of the module's scheduled kernel.";
  let description = [{
    The module holds the design afterwards: a circuit for each pipeline, and last the kernel's own with clk, rst, start, idle, done, scalars, results and the ports of the banks of arrays that are arguments. Kernel and functions are gone.
    Canonicalisation and common subexpressions after it, and `hls-pack-memories`, leave what `synth` prints.
  }];
  let options = [Option<"top", "top", "std::string", "\"\"", "Name of the last circuit; the function's if not given">];
  let dependentDialects = ["::spindle::rtl::RtlDialect"];
}

def HlsPackMemories : Pass<"hls-pack-memories", "::mlir::ModuleOp"> {
  let summary = "Join banks that are always accessed together.";
  let description = [{
    Block memories of one array whose ports have the same enables and addresses become one memory of wider words, where that takes fewer blocks. Ports of circuits stay as they are, so arrays that are arguments keep their banks.
    Requires a canonical design: what the banks of unrolled bodies share is then one wire in each pipeline.
  }];
  let dependentDialects = ["::spindle::rtl::RtlDialect"];
  let statistics = [Statistic<"packed", "memories-joined", "Memories that went into others">];
}

// Passes from the loop form to itself. Those that choose the order of iterations come first, then those that copy work.

class HlsCostPass<string argument> : Pass<argument, "::mlir::func::FuncOp"> {
  list<Option> costOptions = [
    Option<"target", "target", "std::string", "\"\"", "Target file with latencies and memory ports; without one f32 and f64 add and multiply in 6 cycles">,
    ListOption<"limits", "limits", "std::string", "Units at most by kind, as mulf_f64=2">,
  ];
  let options = costOptions;
}

def HlsPerfectLoops : HlsCostPass<"hls-perfect-loops"> {
  let summary = "Put the statements around an inner loop into it.";
  let description = [{
    Statements before the only loop in a body go into its first iteration, those after it into the last, under `affine.if`; inner loops first, so that a whole nest becomes perfect and runs as one pipeline.
    Values that the inner loop reads are computed again in each of its iterations. A stored word that the iteration reads again becomes a select, so that a reduction begins without an access of its own.

    Requires that the inner loop always runs at least once and that all dependent accesses keep their order; a loop for which that is not known keeps its statements, and so does one with iter_args. Statements whose units are so slow that they would hold up every iteration (a division per row) stay outside where the estimate says so.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"perfected", "loops-perfected", "Loops whose statements went into the inner loop">];
}

def HlsFuseLoops : HlsCostPass<"hls-fuse-loops"> {
  let summary = "Join neighbouring nests where that is faster.";
  let description = [{
    Two perfect nests in a row become one: loops of equal bounds are matched, outer before inner, and what stands in the shallower nest runs in the first (or last) iteration of the loops that have no partner.
    Of all legal ways the one with the fewest estimated cycles is taken if it needs fewer than both nests one after the other. Limits of units are part of the estimate: a fused body that needs more multipliers
    than there are takes more cycles for each iteration.

    Legal is what keeps all dependent accesses in their order. Nests with iter_args stay apart, and so do those that touch no common array: they can run at the same time.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"fused", "nests-fused", "Nests joined with the one before">];
}

def HlsFlattenRows : Pass<"hls-flatten-rows", "::mlir::func::FuncOp"> {
  let summary = "Make one loop of rows whose lengths are data.";
  let description = [{
    A loop with constant bounds around one scf.for (rows of a sparse matrix, neighbours of the nodes of a graph) becomes one scf.while over the elements of all rows, so that short rows cost no fill and drain. The bounds of a row are read while the row before
    is worked on; what stands before the inner loop runs with the first element of a row, what stands after it with the last. An empty row takes one iteration. A word that every iteration of such an inner loop reads and then writes is carried.

    Requires that no array of the nest is both read and written, and that the loop over rows carries nothing. Bounds are taken to fit into 32 bits, as everywhere.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"flattened", "rows-flattened", "Nests of rows that became one loop">];
}

def HlsForwardResults : Pass<"hls-forward-results", "::mlir::func::FuncOp"> {
  let summary = "Hand values on inside an iteration; put carried sums into memory.";
  let description = [{
    Inside an iteration of an innermost loop a load takes the value that the iteration has read from or written to that word, a store under `affine.if` of a word with a known value becomes a select, and a store that is overwritten
    unread disappears.

    A value carried in iter_args by a loop inside another one goes into a local array with a word for each iteration of the loops around: in memory, another order of the loops can put a row between two additions, and
    the loop can be distributed. Loops that hand on the iter_args of the loop around them keep theirs, and so do those whose outer loops have no known bounds or need more than 65,536 words.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"forwarded", "accesses-forwarded", "Loads and stores removed">,
    Statistic<"stored", "values-stored", "Carried values put into arrays">,
  ];
}

def HlsExpandArrays : Pass<"hls-expand-arrays", "::mlir::func::FuncOp"> {
  let summary = "Give each iteration its own words of an array that it writes anew.";
  let description = [{
    An array that is filled and then read in every iteration of the loops around holds these iterations together: the next one may not fill it before this one has read it. It becomes a local array with a dimension
    for each of the loops, so that `hls-fission-loops` can part the filling from the reading (array expansion, Feautrier 1988). Where the array is an argument or used elsewhere, the words of the last iteration are
    copied into it after the loops.

    Requires that the accesses stand in several inner loops, and of every load that a store without condition comes before it in the same iteration that writes all the words it reads: along each dimension either at the same subscript or
    over a whole loop. Loops around have constant bounds and run, one store writes whatever is written when the array is seen after the loops, and the words are `most-words` at most. Registers (rank 0) stay.
  }];
  let options = [Option<"mostWords", "most-words", "int64_t", "1 << 14", "Words of an expanded array at most">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"expanded", "arrays-expanded", "Arrays with a copy for each iteration">];
}

def HlsFissionLoops : HlsCostPass<"hls-fission-loops"> {
  let summary = "Distribute loops over their statements.";
  let description = [{
    Each loop becomes one for each group of statements and inner loops that depend on each other in a circle (strongly connected components of the dependence graph, Allen and Kennedy 1987), inner loops first, in an order that
    keeps all dependences. Each piece can then have its own order of loops; `hls-fuse-loops` joins what should not have been parted.

    Statements beside one inner loop that they feed or read stay with it when it always runs: `hls-perfect-loops` makes them part of it. Those with a unit that takes several cycles before its next operation (a division) do not: they would hold up every iteration. Loads and arithmetic that several pieces read are copied. Loops with iter_args stay whole.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"pieces", "pieces-made", "Loops made beside the first piece">];
}

def HlsEstimateNests : HlsCostPass<"hls-estimate-nests"> {
  let summary = "Remark what each perfect nest will cost as a pipeline.";
  let description = [{
    One remark for each perfect nest, in functions with loops that data end, too (there a run is one turn of such a loop around the nest): iterations, initiation interval with what limits it, cycles. These are the figures by which the other passes choose; scheduling comes later and may differ where combinational logic is deep.
  }];
}

def HlsCopyArrays : HlsCostPass<"hls-copy-arrays"> {
  let summary = "Copy arrays whose ports limit a nest.";
  let description = [{
    A nest that touches more words of an array in an iteration than the array has ports cannot start an iteration in every cycle. Loads that always see what was in the array before the nest (no store of the nest
    comes before them on any word) can read a local copy as well, made by a nest of its own. As many copies are made as bring the fewest cycles, the making included; none where that is no gain.

    A constant array is copied without a nest: another `memref.get_global` of it with the attribute `hls.copy`, whatever its subscripts are.

    Legal by the dependences of the nest: results are the same bit for bit. Other loads with addresses from data and arrays in banks stay.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"copies", "copies-made", "Local copies of arrays">];
}

def HlsInterchangeLoops : HlsCostPass<"hls-interchange-loops"> {
  let summary = "Order the loops of each perfect nest for the fewest cycles.";
  let description = [{
    A reduction in the innermost loop waits for its own adder in every iteration; with the reduction further out the iterations between two additions into one element hide the latency.
    Every legal order of a nest of up to five loops (of a deeper one those that exchange two blocks of neighbouring loops) is built, with bounds recomputed where they are triangular, and estimated: iterations times the initiation interval that recurrences (latency over distance in
    flattened iterations) and memory ports ask for. The cheapest stays; a nest that starts an iteration in every cycle is left alone.

    Legal is what keeps all dependent accesses in their order: the additions into one element, too, so results are the same bit for bit. Nests with iter_args, with addresses from data or with divisions in their bounds stay.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"interchanged", "nests-interchanged", "Nests with another order">];
}

def HlsSkewLoops : HlsCostPass<"hls-skew-loops"> {
  let summary = "Run a nest in wavefronts where every other order waits for itself.";
  let description = [{
    Where each iteration needs the one before (a stencil in place), a sum of loops with small coefficients that grows along every dependence becomes the outermost loop; iterations with the same sum are independent,
    so that they follow each other in consecutive cycles. The flattest such wave is taken (coefficients 0 to 4) and the order of the other loops, with bounds as maxima and minima, that brings the fewest cycles,
    bubbles of `hls-pad-loops` counted. A nest for which that is no gain stays.

    Requires a perfect nest of two to four loops without iter_args and without addresses from data. Results are the same bit for bit.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"skewed", "nests-skewed", "Nests run in wavefronts">];
}

def HlsPadLoops : HlsCostPass<"hls-pad-loops"> {
  let summary = "Give short rows a least length where that is faster.";
  let description = [{
    In a flattened nest the iterations between two dependent ones are those of a row: a short row, the first one of a triangle for instance, limits the initiation interval of all.
    The attribute `hls.at_least = N : i64` on an innermost loop makes it take max(trip count, N) iterations, of which the ones after its end do nothing. N is the one with the fewest estimated cycles, none where bubbles do not pay;
    `at-least` sets it for all. The computation stays what it was.
  }];
  let options = !listconcat(costOptions, [Option<"atLeast", "at-least", "int64_t", "0", "Iterations that every innermost loop takes at least; 0: as the estimate says">]);
  let statistics = [Statistic<"padded", "loops-padded", "Innermost loops with a least length">];
}

def HlsWidenLoops : Pass<"hls-widen-loops", "::mlir::func::FuncOp"> {
  let summary = "Mark one loop of every nest for unrolling.";
  let description = [{
    Gives a loop of each perfect nest the attribute `hls.unroll` with the smaller of `factor` and its trip count. The first time that is the innermost one: after `hls-interchange-loops` it is rarely a reduction, so that its
    iterations are independent and keep as many units busy; where it has fewer iterations than that, loops around it are marked, too, as long as `factor` has room for all of theirs: 9 takes the window of a 3 × 3 filter. After that (loops that had their share carry `hls.widened`) it is the loop that leaves the fewest iterations, the innermost of equals; loops whose iterations depend on
    each other while the others are fixed, reductions, come last. The loop is moved to the innermost place; only loops for which that is legal are chosen.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let options = [Option<"factor", "factor", "uint64_t", "1", "Iterations to run side by side">];
  let statistics = [Statistic<"widened", "loops-marked", "Loops marked">];
}

def HlsCarryResults : Pass<"hls-carry-results", "::mlir::func::FuncOp"> {
  let summary = "Carry words that every iteration of a lone loop updates in registers.";
  let description = [{
    In a loop that is a nest of its own, words of arrays at subscripts that the loop does not change are loaded before it, carried in iter_args and stored after it. A sum then waits for its adder alone, not for a store and
    a load between two additions: the rest of a reduction whose other loops were unrolled. Where the loop runs no iteration, the word is written back as it was.
    Requires that the loop touches the array at such words only, none of them under a guard, and that several words have constant subscripts. Loops inside others keep their accesses: loads before them would make the nest imperfect.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [Statistic<"carriedWordsCount", "words-carried", "Words kept in registers through a loop">];
}

def HlsUnrollLoops : Pass<"hls-unroll-loops", "::mlir::func::FuncOp"> {
  let summary = "Put several iterations of a loop into one.";
  let description = [{
    A loop marked `hls.unroll = N : i64` (0: completely) or at a depth named by `loops` becomes a loop whose body holds N iterations in their order; results stay what they were, bit for bit.
    A remainder in an innermost loop is guarded by `affine.if`, so that the nest stays perfect and becomes one pipeline; around other loops it becomes a loop of its own after the first.
    Bounds may depend on outer loops: then every copy but the first is guarded, and complete unrolling takes the largest trip count.

    Refuses, completely: loops that nothing bounds, and varying trip counts around other loops; otherwise maxima as the lower bound, and minima as the upper bound around other loops. Bodies of more than 32,768 operations.
  }];
  let options = [ListOption<"loops", "loops", "std::string", "Depth of loops (0 is outermost) and iterations to join, as 2:4 or 0:full">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"unrolled", "loops-unrolled", "Loops unrolled">];
}

def HlsUnrollAndJam : Pass<"hls-unroll-and-jam", "::mlir::func::FuncOp"> {
  let summary = "Put several iterations of an outer loop side by side into the innermost one.";
  let description = [{
    A loop marked `hls.unroll_and_jam = N : i64` (0: completely) or at a depth named by `loops`: N of its iterations run together, inside its inner loop. What they read alike is read once
    after `hls-reuse-values`, and N independent sums share the pipeline. The order of operations on every element stays, results are the same bit for bit.
    Statements before and after the inner loop are copied too, carried values of inner loops multiply. Inner bounds may grow or shrink with the loop: the inner loop then covers all copies, each guarded by its own bounds.
    Iterations after the last full strip become a loop of their own.

    Refuses a dependence that would be turned round (both accesses are named), unknown dependences (data as index, accesses in `else`), loops that carry values, several inner loops side by side, maxima as the lower bound, bodies of more than 32,768 operations.
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
    An array keeps its type. Its argument, allocation or `memref.get_global` (its constants are divided when the circuit is made) gets `hls.partition`, one entry per dimension: `#hls.partition<none>`, `#hls.partition<block N>` (N blocks of ceil(extent / N)
    neighbours), `#hls.partition<cyclic N>` (element i in bank i mod N) or `#hls.partition<complete>`; every access that stays in one bank gets its number, row-major over the dimensions, as the attribute `hls.bank`; for another one hardware chooses among all banks.

    An array that has the attribute already is partitioned so. For the others, of all partitions the one is taken whose fullest bank needs the fewest
    cycles at `ports` accesses each, over all iterations of the bodies that touch the array; then the one with the fewest multiplexers for accesses that change their bank (each takes a port of all of them), then that of the fewest banks. Arrays whose subscripts are data stay whole.

  }];
  let options = [
    Option<"ports", "ports", "unsigned", "2", "Accesses to one bank in a cycle">,
    Option<"mostBanks", "most-banks", "int64_t", "1024", "Banks of one array at most">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::spindle::hls::HlsDialect"];
  let statistics = [Statistic<"partitioned", "arrays-partitioned", "Arrays divided">, Statistic<"banks", "banks-made", "Banks of the divided arrays">];
}

def HlsReuseValues : Pass<"hls-reuse-values", "::mlir::func::FuncOp"> {
  let summary = "Load and compute nothing twice in one iteration, across guards too.";
  let description = [{
    A load of an element that was loaded or stored before in the iteration, with no store between that may touch it, becomes that value; a store under a guard only ends what was known. Equal expressions without side effects are
    computed once; where they stand in several branches of `affine.if`, the first one moves in front of its branch and runs always. Loads are not moved out of guards: their address may be out of range. A word of a constant array at a constant subscript is that constant.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"loads", "loads-removed", "Loads whose value was known">, Statistic<"expressions", "expressions-shared", "Expressions shared among branches">];
}

def HlsReuseWindows : HlsCostPass<"hls-reuse-windows"> {
  let summary = "Keep the words of sliding windows in shift registers and line buffers.";
  let description = [{
    Loads of an array that differ in constants along the two innermost loops (`x[i + 1][j + 2]`) read most words again in later iterations: `x[i + p][j + q]` of an iteration is `x[i][j]` of the one p rows and q columns on. Where an iteration reads more
    words of such a window than the array has ports, the nest reads each word once, in iterations of its own that come before the first ones of a row and of the nest; a word then moves through iter_args, one a column, and from row to row through local
    arrays of a line. What the iterations did is guarded by `affine.if`. The nest stays one pipeline, longer by the window's size less one along each loop.

    Requires a perfect nest without iter_args that does not store to the array, loads outside of guards, subscripts with the factor 1, constant bounds of the loops. Done where the estimate is better than waiting for ports and than copies of the array.
    Results are the same bit for bit.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"windows", "windows-found", "Windows kept in registers">];
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

def HlsNarrowIntegers : Pass<"hls-narrow-integers", "::mlir::func::FuncOp"> {
  let summary = "Compute integers at the bits that they can reach.";
  let description = [{
    Sums, products, bit operations, shifts, comparisons, choices, minima and maxima, quotients, and what loops carry and conditions yield get as many bits as the range of their result needs (MLIR's integer ranges, bounds and iterations
    of loops, masks, contents of constant arrays), or as those who use it look at: of a sum that is truncated, only the bits that are left. Products and quotients have 8, 16, 32 or 64. Results are extended to their type again, with the sign or with zeros,
    which takes no logic. What can be one number only becomes a constant.

    Every value is the same afterwards, wrapping around included. Types of arguments, results and arrays stay, and so do indices, whose bits the lowering finds.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"operationsNarrowed", "operations-narrowed", "Operations and carried values on fewer bits">];
}

def HlsStartSums : Pass<"hls-start-sums", "::mlir::func::FuncOp"> {
  let summary = "Start sums with their first term instead of zero.";
  let description = [{
    0 + p is p, but for p = -0, where it is +0: a comparison of the bits and a choice, both without a clock, take the place of an addition of several cycles. Unrolled sums that a program starts with zero
    become one addition shorter. Constants are folded first, as the zero may hide in a condition that unrolling has decided. Results are the same bit for bit; a signalling NaN stays one, as good as any other NaN.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"started", "sums-started", "Additions to zero removed">];
}

def HlsBalanceExpressions : Pass<"hls-balance-expressions", "::mlir::func::FuncOp"> {
  let summary = "Turn chains of sums and products into balanced trees, and running sums into several.";
  let description = [{
    A chain of one associative operation is rebuilt as a tree that adds the two earliest values first; a value carried from iteration to iteration comes last, so that the recurrence is one operation long.
    `interleave = N` splits a sum that an innermost loop carries into N partial sums that take turns and are added up after the loop: the recurrence then spans N iterations.

    Integers come out the same. Floating-point sums and products are only touched with `floats`, and come out differently in their last bits.
  }];
  let options = [
    Option<"floats", "floats", "bool", "false", "Reorder floating-point sums and products too: results change">,
    Option<"interleave", "interleave", "unsigned", "1", "Partial sums of a sum that a loop carries">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"balanced", "chains-balanced", "Chains rebuilt as trees">, Statistic<"interleaved", "sums-interleaved", "Carried sums split into partial sums">];
}

def HlsBufferArrays : Pass<"hls-buffer-arrays", "::mlir::func::FuncOp"> {
  let summary = "Let a loop work on local copies of what it touches.";
  let description = [{
    In front of a loop marked `hls.buffer = N : i64`, or at a depth named by `loops`, the box of elements that it touches in an array is copied into a local array of N elements at most (0: any number), which
    the loop then uses; what it stores is copied back after it. The local array can be partitioned for the loop alone, and its part of a large array may be small. Boxes that stand out of the array are copied under guards.

    Arrays with data as subscripts, and those whose accesses move against each other from one run of the loop to the next, stay as they are.
  }];
  let options = [ListOption<"loops", "loops", "std::string", "Depth of loops (0 is outermost) and elements of a local array, as 1:64 or 1:full">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"buffered", "arrays-buffered", "Local copies made">];
}

#endif // HW_HLS_PASSES_TD
