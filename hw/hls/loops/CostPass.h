// Passes that weigh orders by the cost model: costs come from the builder of the pipeline or from
// the pass's own options.
#pragma once

#include "hw/hls/loops/LoopPass.h"
#include "hw/hls/loops/analysis/LoopCosts.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace spindle::hls {

template <typename Base> struct CostPass : LoopPass<Base> {
  using LoopPass<Base>::LoopPass;

  /// Reads the options unless costs were given; a failure is said at the function.
  mlir::LogicalResult readOptions() override {
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
  void setCosts(const SharedCosts &given) {
    costs = given;
    this->target = given->target.name;
    std::vector<std::string> units;
    for (const auto &[unit, count] : given->units)
      units.push_back(unit + "=" + std::to_string(count));
    this->limits = llvm::ArrayRef<std::string>(units);
  }

  SharedCosts costs;
};

template <typename CostlyPass> std::unique_ptr<mlir::Pass> withCosts(const SharedCosts &costs) {
  auto pass = std::make_unique<CostlyPass>();
  pass->setCosts(costs);
  return pass;
}

std::unique_ptr<mlir::Pass> makeInterchangeLoops(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makeCopyArrays(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makeReuseWindows(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makeSkewLoops(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makePadLoops(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makeFissionLoops(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makePerfectLoops(const SharedCosts &costs);
std::unique_ptr<mlir::Pass> makeFuseLoops(const SharedCosts &costs);

} // namespace spindle::hls
