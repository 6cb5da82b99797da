// What a synthesised kernel takes, by Yosys.
#pragma once

#include "core/kernel/KernelArea.h"

namespace spindle::hls {

struct AreaOptions {
  std::string liberty;    // library of cells; empty: only the device
  bool hasTiming = false; // the slowest path in the cells of the library, too, by OpenSTA
  bool hasBus = false;    // what puts it behind its bus, too (axi.json)
  bool hasParts = false;  // the modules of the kernel, too, each mapped by itself
  bool isSystem = false;  // of those, memories by name, and modules with how many there are
  bool isRouted = false;  // placed and routed on an iCE40 HX8K, too, by nextpnr
};

/// Synthesises the kernel in `folder` (kernel.json) for Xilinx 7 series, flattened, and counts
/// cells as hw/rtl/characterise does; with `liberty`, also for the cells of that library. Scripts
/// and logs stay in folder/area. Errors: tools that are not there or fail, a library that is none,
/// units in the netlist other than those of kernel.json.
llvm::Expected<KernelArea> measureArea(const std::string &folder, const AreaOptions &options);

} // namespace spindle::hls
