// What the circuit of a function is called.
#pragma once

#include <string>

namespace spindle {

/// The function's own name where SystemVerilog and the tools take it for a module; else one that
/// reads like it: no keyword, no port of kernels, no unit, an identifier.
std::string moduleNameOf(const std::string &function);

} // namespace spindle
