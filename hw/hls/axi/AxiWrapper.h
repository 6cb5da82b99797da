// A kernel behind standard buses.
#pragma once

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"
#include "dialects/rtl/Rtl.h"

#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// What the tokens of one sample make together: so many beats, the last one with so many bits.
struct AxiPacket {
  uint64_t beats = 1;
  uint32_t lastBits = 64;
};

struct AxiOptions {
  AxiData data = AxiData::Stream;             // of arrays; streams stay streams
  unsigned burst = 16;                        // beats at most, a power of two; with AxiData::Memory
  std::map<uint32_t, AxiPacket> packets = {}; // of arguments that are streams; none: no TLAST
  /// With AxiData::Memory: masters that all arrays share, and all streams whose tokens are known in
  /// number; 0: a master of its own for each array, and streams stay AXI4-Streams.
  unsigned channels = 0;
  /// The scalar that says how many packets a run has; none: as many as the arrays of the program
  /// have parts.
  std::optional<uint32_t> packetCount = std::nullopt;
};

/// The registers after the control words (hw/rtl/axi/spindle_axi_lite_control.sv): one per scalar,
/// with AxiData::Memory one per array, one per result.
std::vector<AxiRegister> axiRegisters(const KernelInterface &kernel, const AxiOptions &options);

/// The AXI4-Streams, in the order of the arguments.
std::vector<AxiStream> axiStreams(const KernelInterface &kernel, const AxiOptions &options);

/// What each channel moves; as many bytes through each as possible, arguments being whole.
std::vector<AxiChannel> axiChannels(const KernelInterface &kernel, const AxiOptions &options);

/// The modules of hw/rtl that the wrapper instantiates.
std::vector<std::string> axiModules(const KernelInterface &kernel, const AxiOptions &options);

/// Appends a module `<top>_axi` to a design that holds the kernel's module: AXI4-Lite control
/// (`awvalid` … `rresp`, `irq`), per array argument block RAM for all banks, and a stream
/// (`arg<i>_in_tvalid`, …, `arg<i>_out_tlast`) or an AXI4 master (`arg<i>_awvalid`, …). A start
/// fills every array, runs the kernel, drains those that it writes, and then says done. A stream
/// is an AXI4-Stream of the same names, `_in_` or `_out_`, while the kernel works; done waits until
/// its tokens have left. With channels, arrays and streams go through AXI4 masters `mem<k>_…`.
/// Fails (Input) where the burst is no power of two of at most 256 beats, where there are more
/// channels than kMostMemoryChannels, (Check) where the design has no such kernel.
llvm::Expected<rtl::CircuitModuleOp>
addAxiWrapper(mlir::ModuleOp design, const KernelInterface &kernel, const AxiOptions &options);

} // namespace spindle::hls
