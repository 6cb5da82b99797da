// The circuit of a layer behind a network interface.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "core/network/HardwareNetwork.h"
#include "dialects/rtl/Rtl.h"

namespace spindle::hls {

/// The hand-written module between a router and the circuit (hw/rtl/tile).
inline constexpr const char *kNetworkInterface = "spindle_network_interface";

/// Which arguments of the kernel the interface drives.
struct TilePorts {
  // Indices of the network's arrays.
  size_t input = 0, samples = 0;
  std::vector<size_t> spikes; // side by side, the lowest neurons first
};

/// Errors: the circuit of `network` takes no events, reads weights from outside, or has words
/// whose elements are no neighbours.
llvm::Expected<TilePorts> tilePorts(const HardwareNetwork &network);

/// Appends the module `network.tile->top` to a design that holds the kernel's module: the kernel
/// between words from, and spikes to, a network interface with the same packets and table as
/// hw/rtl/tile/spindle_network_interface.sv, with `start`, `samples` (of the runs' streams) and
/// `idle` of the kernel. Answers are taken and dropped. `word_moved` and `spikes_moved` are high in
/// cycles in which a word goes to the kernel and comes back. Fails (Check) where the design has no
/// such kernel, else as tilePorts does.
llvm::Expected<rtl::CircuitModuleOp> addTileWrapper(mlir::ModuleOp design,
                                                    const KernelInterface &kernel,
                                                    const HardwareNetwork &network);

} // namespace spindle::hls
