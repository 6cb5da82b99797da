// The passes that every kernel goes through before it is scheduled.
#pragma once

#include "hw/hls/loops/analysis/LoopCosts.h"

#include "mlir/Pass/PassManager.h"

#include <set>

namespace spindle::hls {

struct LoopOptions {
  std::set<std::string> without;         // steps left out, by the names of loopSteps
  std::map<std::string, unsigned> units; // at most, by kind: {mulf_f64, 2}
  /// Iterations side by side: the first factor for innermost loops, each further one for another
  /// loop of the nest (HlsWidenLoops); after each factor the loops are ordered anew.
  std::vector<uint64_t> unroll;
  /// Sums and products of floats may be computed in any order: results change.
  bool reassociates = false;
};

/// The steps in their order; a name may come several times.
std::vector<std::string> loopSteps();

/// Adds the steps to a pass manager of modules. An unknown name in `without` is an input error that
/// lists the steps.
llvm::Error addLoopPasses(mlir::OpPassManager &manager, const Target &target,
                          const LoopOptions &options);

/// The steps in their order, a line each: `on` or `off`, name, passes with their options as
/// spindle-opt reads them, the target by its name. The same error as above.
llvm::Expected<std::string> loopPassesText(const Target &target, const LoopOptions &options);

/// `hls-default-loops` for spindle-opt, with the options target, limits, without, unroll and
/// reassociate.
void registerLoopPasses();

} // namespace spindle::hls
