// Where the elements of an array lie, one after the other.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "hw/hls/lower/rtl/Wires.h"

namespace spindle::hls {

/// A counter that `step` moves from 0 to `values` - 1 and back, and that `clear`, where there is
/// one, sets to 0.
struct Counter {
  mlir::Value value, isAtEnd;
};
Counter count(Wires &wires, int64_t values, mlir::Value step, mlir::Value clear,
              const std::string &name);

/// Counters that go through an array in row-major order.
struct ElementWalk {
  mlir::Value bank; // of the element now; null where there is one bank
  mlir::Value word; // in its bank
  mlir::Value isLast;
};

/// `advance` goes to the next element, from the last to the first. A reset goes to the first.
ElementWalk walkElements(Wires &wires, const KernelArgument &array, mlir::Value advance,
                         const std::string &name);

} // namespace spindle::hls
