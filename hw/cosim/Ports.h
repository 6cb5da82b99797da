// The ports that a verilated kernel has, beside those that its interface names.
#pragma once

#include "core/kernel/ModulePorts.h"

namespace spindle::hls {

/// The ports in a header of Verilator: `VL_IN8(&clk,0,0);`.
ModulePorts parsePorts(const std::string &header);

/// Errors: ports that are missing, point the other way or have another width. `place` stands before
/// them.
llvm::Error checkPorts(const ModulePorts &expected, const ModulePorts &found,
                       const std::string &place);

} // namespace spindle::hls
