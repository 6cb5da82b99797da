// What a synthesised kernel takes, by Yosys.
#pragma once

#include "lib/core/KernelArea.h"

namespace spindle::hls {

/// Synthesises the kernel in `folder` (kernel.json) for Xilinx 7 series, flattened, and counts
/// cells as hw/rtl/characterise does; with `liberty`, also for the cells of that library. Scripts
/// and logs stay in folder/area. Errors: Yosys that is not there or fails, a library that is none,
/// units in the netlist other than those of kernel.json.
llvm::Expected<KernelArea> measureArea(const std::string &folder, const std::string &liberty);

} // namespace spindle::hls
