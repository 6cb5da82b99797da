// Random circuits of all operations of the rtl dialect.
#pragma once

#include "dialects/rtl/Rtl.h"

#include <cstdint>

namespace spindle::rtl {

/// Inputs and outputs of `@bench`, besides `clk` and `rst`: `in0` … and `out0` …, 64 bits each.
struct Bench {
  mlir::OwningOpRef<mlir::ModuleOp> design;
  unsigned inputs, outputs;
};

struct RandomOptions {
  uint64_t seed = 1;
  unsigned modules = 1;     // each may instantiate those before it
  unsigned operations = 60; // of a module, about
  /// Nothing depends on what a register held at first, or on two valid bits of a multiplexer.
  bool defined = false;
};

/// Modules `@random0` … of random operations and a module `@bench` that instantiates each once.
Bench randomBench(mlir::MLIRContext &context, const RandomOptions &options);

} // namespace spindle::rtl
