// Passes over the loops of a function. Those that move or forget accesses are for functions whose
// loops all have known bounds: a loop that data end may touch a word that they do not see. What
// reads or writes streams stays as it is, and so does all else in such a function.
#pragma once

#include "dialects/hls/OpenLoops.h"
#include "dialects/hls/Streams.h"

#include "mlir/Support/LLVM.h"

namespace spindle::hls {

template <typename Base> struct LoopPass : Base {
  using Base::Base;

  void runOnOperation() final {
    if (mlir::failed(readOptions()))
      return this->signalPassFailure();
    mlir::Operation *function = this->getOperation();
    if (!usesStream(function) && (isLocal() || !holdsOpenLoop(function)))
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
