// Passes that weigh orders by the cost model: costs come from the builder of the pipeline or from
// the pass's own options.
#pragma once

#include "dialects/hls/OpenLoops.h"
#include "hw/hls/loops/analysis/LoopCosts.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace spindle::hls {

template <typename Base> struct CostPass : Base {
  using Base::Base;

  void runOnOperation() final {
    if (mlir::failed(readOptions()))
      return this->signalPassFailure();
    if (!hasFixedOrder(this->getOperation()))
      runOnLoops();
  }
  virtual void runOnLoops() = 0;

  /// Reads the options unless costs were given; a failure is said at the function.
  mlir::LogicalResult readOptions() {
    if (costs)
      return mlir::success();
    llvm::Expected<LoopCosts> read =
        readCosts(this->target, {this->limits.begin(), this->limits.end()});
    if (!read)
      return mlir::emitError(this->getOperation().getLoc(), toText(read.takeError()));
    costs = std::make_shared<const LoopCosts>(std::move(*read));
    return mlir::success();
  }

  /// The options then say the target's name and the limits, for the text of a line of passes.
  void setCosts(const LoopCosts &given) {
    costs = std::make_shared<const LoopCosts>(given);
    this->target = given.target.name;
    std::vector<std::string> units;
    for (const auto &[unit, count] : given.units)
      units.push_back(unit + "=" + std::to_string(count));
    this->limits = llvm::ArrayRef<std::string>(units);
  }

  std::shared_ptr<const LoopCosts> costs;
};

template <typename CostlyPass> std::unique_ptr<mlir::Pass> withCosts(const LoopCosts &costs) {
  auto pass = std::make_unique<CostlyPass>();
  pass->setCosts(costs);
  return pass;
}

std::unique_ptr<mlir::Pass> makeInterchangeLoops(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makeCopyArrays(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makeReuseWindows(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makeSkewLoops(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makePadLoops(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makeFissionLoops(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makePerfectLoops(const LoopCosts &costs);
std::unique_ptr<mlir::Pass> makeFuseLoops(const LoopCosts &costs);

} // namespace spindle::hls
