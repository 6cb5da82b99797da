// What a circuit takes in the cells of a library, and what it does to them while it computes.
#pragma once

#include "core/kernel/KernelArea.h"

namespace spindle::hls {

struct PowerOptions {
  std::string liberty;  // library of cells (.lib, .lib.gz)
  std::string inputs;   // arguments of a run (.npz), as of `cosim --in`; random ones without
  uint64_t samples = 1; // in that run
};

/// Maps the kernel in `folder` (kernel.json) to the library, simulates the netlist with Verilator
/// on the inputs, and adds up by parts what OpenSTA says of its cells, as often as their outputs
/// change. Memories of more than kMostRegisterWords words are left out; so are wires, and changes
/// within a cycle that are taken back in it. The run is compared with the program, too. Errors:
/// tools that are not there or fail, a netlist that computes something else.
llvm::Expected<LibraryArea> measurePower(const std::string &folder, const PowerOptions &options);

} // namespace spindle::hls
