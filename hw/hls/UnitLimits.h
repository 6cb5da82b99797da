// How many functional units of each kind a circuit may have.
#pragma once

#include "hw/hls/Target.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>

namespace spindle::hls {

/// Name of a unit, `mulf_f64`, → at most so many; units that are not named are not limited.
using UnitLimits = std::map<std::string, unsigned>;

/// `mulf_f64=2`: the name, and a number of at least 1. Absent for any other text.
std::optional<std::pair<std::string, unsigned>> parseUnitLimit(llvm::StringRef text);

/// Limits by commas, `addf=1,mulf_f64=2`: a name without a type, and the short names fadd, fmul,
/// fdiv, fsqrt, fcmp, mul and div, stand for the units of every type. Errors at `place`: no such
/// entry, or no such unit in the target.
llvm::Expected<UnitLimits> parseUnitLimits(llvm::StringRef text, const Target &target,
                                           const std::string &place);

} // namespace spindle::hls
