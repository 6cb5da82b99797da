// The FIFOs of a kernel's module.
#pragma once

#include "hw/hls/lower/rtl/Connections.h"

namespace spindle::hls {

/// Words that a FIFO holds: its depth, and room for the tokens under way to it. `margin` is free
/// while whoever puts tokens there may begin an iteration.
struct FifoSize {
  int64_t words, margin;
};
FifoSize sizeOf(FifoOp fifo);

/// Whether the kernel takes the tokens of a stream that is an argument; else it puts them there.
bool isInput(FifoOp fifo);

/// The module in hw/rtl.
inline constexpr const char *kFifoModule = "spindle_fifo";

struct FifoWires {
  mlir::Value push, data, pop;   // in
  mlir::Value room, valid, head; // out
};

/// Instantiates it; `wires.push`, `data` and `pop` are given, the others are set.
void buildFifo(Wires &wires, mlir::ModuleOp design, FifoOp fifo, FifoWires &ends);

} // namespace spindle::hls
