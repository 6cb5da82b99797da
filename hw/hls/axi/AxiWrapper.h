// A kernel behind standard buses.
#pragma once

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"
#include "dialects/rtl/Rtl.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace spindle::hls {

struct AxiOptions {
  AxiData data = AxiData::Stream;
  unsigned burst = 16; // beats at most, a power of two; with AxiData::Memory
};

/// The registers after the control words (hw/rtl/axi/spindle_axi_lite_control.sv): one per scalar,
/// with AxiData::Memory one per array, one per result.
std::vector<AxiRegister> axiRegisters(const KernelInterface &kernel, const AxiOptions &options);

/// The modules of hw/rtl/axi that the wrapper instantiates.
std::vector<std::string> axiModules(const AxiOptions &options);

/// Appends a module `<top>_axi` to a design that holds the kernel's module: AXI4-Lite control
/// (`awvalid` … `rresp`, `irq`), per array argument block RAM for all banks, and a stream
/// (`arg<i>_in_tvalid`, …, `arg<i>_out_tlast`) or an AXI4 master (`arg<i>_awvalid`, …). A start
/// fills every array, runs the kernel, drains those that it writes, and then says done. Fails
/// (Input) where the burst is no power of two of at most 256 beats, or an element does not fit,
/// (Check) where the design has no such kernel.
llvm::Expected<rtl::CircuitModuleOp>
addAxiWrapper(mlir::ModuleOp design, const KernelInterface &kernel, const AxiOptions &options);

} // namespace spindle::hls
