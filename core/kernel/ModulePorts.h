// The ports of a kernel's module in SystemVerilog, as its interface asks for them.
#pragma once

#include "core/kernel/KernelInterface.h"

#include <map>
#include <string>

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

} // namespace spindle::hls
