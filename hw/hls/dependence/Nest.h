// Perfect nests as flattened loops: their iterations one after the other, as the hardware runs
// them.
#pragma once

#include "hw/hls/dependence/CompiledMap.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace spindle::hls {

/// Loops outermost first, of which each body but the innermost holds a loop and its terminator, the
/// innermost holds no loop; none if there is another one.
llvm::SmallVector<mlir::affine::AffineForOp> plainNest(mlir::affine::AffineForOp outermost);

/// The same where the nest is to become one pipeline, a perfect nest; none where that would lose
/// what `hls.independent` says of the inner loops.
llvm::SmallVector<mlir::affine::AffineForOp> perfectNest(mlir::affine::AffineForOp outermost);

/// Iterations that a loop takes at least: `hls.at_least`, else 1 (a nest has no empty row).
int64_t leastIterations(mlir::affine::AffineForOp loop);

/// Iterations of loops, outermost first, whose bounds are known but for each other.
class NestWalk {
public:
  /// The first `control` loops run their bodies one after the other; the others are flattened into
  /// a pipeline, with bubbles where a row is shorter than its least length.
  static std::optional<NestWalk> of(llvm::ArrayRef<mlir::affine::AffineForOp> loops,
                                    unsigned control);

  llvm::ArrayRef<mlir::Value> variables() const { return inductionVars; }

  using Start = llvm::function_ref<void(uint64_t time)>;
  using Iteration = llvm::function_ref<void(llvm::ArrayRef<int64_t> values, uint64_t time)>;

  /// Calls `iteration` for each iteration that does something and `start` before each run of the
  /// pipeline; time counts iterations and bubbles. Returns the time at the end; none when there are
  /// more than `budget` iterations (without `iteration`, rows).
  std::optional<uint64_t> run(uint64_t budget, Start start, Iteration iteration) const;

private:
  struct Level {
    CompiledMap lower, upper;
    int64_t step, least;
  };
  struct State;
  bool runLevel(unsigned level, State &state) const;
  uint64_t bubbleSize(unsigned level) const;

  std::vector<Level> levels;
  llvm::SmallVector<mlir::Value> inductionVars;
  unsigned control = 0;
};

/// How often and how long the pipeline of a nest runs, bubbles included.
struct NestRuns {
  uint64_t runs = 0;       // iterations of the loops around the nest
  uint64_t iterations = 0; // of the flattened nest, all runs together
  uint64_t longest = 0;    // of one run
};

/// Counts the iterations of a perfect nest. None where it is not one, where bounds are not known,
/// or above `budget` rows.
std::optional<NestRuns> countIterations(mlir::affine::AffineForOp outermost,
                                        uint64_t budget = 1 << 22);

/// How often the loops around an operation run it; none where their bounds are not known.
std::optional<uint64_t> executionsOf(mlir::Operation *op, uint64_t budget = 1 << 22);

} // namespace spindle::hls
