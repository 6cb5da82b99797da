// Passes over the loops of a function whose bounds are known: what data end, and what reads or
// writes streams, stays as it is, and so does all else in such a function.
#pragma once

#include "dialects/hls/OpenLoops.h"

namespace spindle::hls {

template <typename Base> struct LoopPass : Base {
  using Base::Base;

  void runOnOperation() final {
    if (!hasFixedOrder(this->getOperation()))
      runOnLoops();
  }
  virtual void runOnLoops() = 0;
};

} // namespace spindle::hls
