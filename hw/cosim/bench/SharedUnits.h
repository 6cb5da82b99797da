// Units that a circuit has by the hundred: their SystemVerilog is translated once, and each
// instance is an object of that one class.
#pragma once

#include "hw/cosim/Ports.h"

#include <string>
#include <vector>

namespace spindle::hls {

/// A module and its parameters, in the order of the text that instances it.
struct SharedUnit {
  std::string module;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool operator==(const SharedUnit &) const = default;
};

/// The units that `text`, a kernel as it is emitted, instances at least `least` times, all with the
/// same parameters. Units with a reset have more than one edge to look at: not those.
std::vector<SharedUnit> sharedUnits(const std::string &text, size_t least);

/// A module of the same name, parameters and ports that hands its inputs to an object at each
/// rising edge and shows what the object shows. Right for units all of whose outputs come from
/// registers, as those of hw/rtl do.
std::string standInText(const SharedUnit &unit, const ModulePorts &ports);

/// What the module calls, in C++; `header` is Verilator's of the real module.
std::string standInCode(const SharedUnit &unit, const ModulePorts &ports,
                        const std::string &header);

} // namespace spindle::hls
