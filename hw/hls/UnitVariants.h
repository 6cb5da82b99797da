// Which of several units of a kind a circuit has: a pipelined or an iterated divider.
#pragma once

#include "hw/hls/Target.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace spindle::hls {

/// Name of a kind of unit, `divf_f64` → the variant that is taken; of other kinds it is the first.
using UnitVariants = std::map<std::string, std::string>;

/// The kinds of units that a user's name stands for, each once, as the target lists them: itself,
/// `divf_f64`; of every type, `divf`; and the short names fadd, fmul, fdiv, fsqrt, fcmp, mul, div.
std::vector<std::string> kindsNamed(llvm::StringRef name, const Target &target);

/// The units of a kind as the target lists them.
std::vector<const FunctionalUnit *> variantsOf(const std::string &kind, const Target &target);

/// Variants by commas, `fdiv=pipelined,sqrt_f64=iterated`, names as above. Errors at `place`: no
/// such entry, no such unit in the target, or no such variant of any kind that is named.
llvm::Expected<UnitVariants> parseUnitVariants(llvm::StringRef text, const Target &target,
                                               const std::string &place);

/// The target with these variants before the others of their kind: `unitFor` gives them.
Target withVariants(Target target, const UnitVariants &variants);

} // namespace spindle::hls
