// Passes over the loops of a function. Those that move or forget accesses are for functions whose
// loops all have known bounds: a loop that data end may touch a word that they do not see.
#pragma once

#include "dialects/hls/OpenLoops.h"

#include "mlir/Support/LLVM.h"

namespace spindle::hls {

template <typename Base> struct LoopPass : Base {
  using Base::Base;

  void runOnOperation() final {
    if (mlir::failed(readOptions()))
      return this->signalPassFailure();
    if (isLocal() || !holdsOpenLoop(this->getOperation()))
      runOnLoops();
  }
  virtual void runOnLoops() = 0;

  /// Whether the pass looks at single loops, which hold no loop that data end: other loops of the
  /// function do not matter then.
  virtual bool isLocal() const { return false; }
  /// What the text of the options stands for; says what is wrong with it.
  virtual mlir::LogicalResult readOptions() { return mlir::success(); }
};

} // namespace spindle::hls
