// The ports that a verilated kernel has, beside those that its interface names.
#pragma once

#include "core/kernel/KernelInterface.h"

#include <map>

namespace spindle::hls {

struct ModulePort {
  bool isInput = false;
  uint32_t bits = 1;
  bool operator==(const ModulePort &) const = default;
};

/// By name.
using ModulePorts = std::map<std::string, ModulePort>;

/// Every port that the interface asks for. Addresses, and scalars that are indices, may have any
/// width; theirs is 0.
ModulePorts portsOf(const KernelInterface &kernel);

/// The ports in a header of Verilator: `VL_IN8(&clk,0,0);`.
ModulePorts parsePorts(const std::string &header);

/// Errors: ports that are missing, point the other way or have another width. `place` stands before
/// them.
llvm::Error checkPorts(const ModulePorts &expected, const ModulePorts &found,
                       const std::string &place);

} // namespace spindle::hls
