// The hand-written SystemVerilog modules, compiled in.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle::hls {

struct UnitSource {
  std::string file; // spindle_addf.sv
  std::string text;
};

/// The files of `modules` and of all modules they are made of, in alphabetical order. A module
/// without file is the user's error: a target named it.
llvm::Expected<std::vector<UnitSource>> unitSources(const std::vector<std::string> &modules);

} // namespace spindle::hls
