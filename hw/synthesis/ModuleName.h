// What the circuit of a function is called.
#pragma once

#include "core/kernel/KernelInterface.h"

namespace spindle::hls {

/// The function's own name where SystemVerilog and the tools take it for a module; else one that
/// reads like it: no keyword, no port of this kernel, no unit, an identifier. Verilator makes one
/// scope of the module's name and its ports. `kernel`: its top does not matter. Ports of the bus
/// wrapper, inner modules and instances may be called as the function is, `others` are modules
/// beside it.
std::string moduleNameOf(const std::string &function, const KernelInterface &kernel,
                         const std::vector<std::string> &others = {});

} // namespace spindle::hls
