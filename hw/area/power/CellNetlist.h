// A circuit in the cells of a library, with the borders of its parts: what is simulated for its
// activity, and what OpenSTA reads.
#pragma once

#include "hw/area/Yosys.h"

namespace spindle::hls {

/// Memories of so many words at most are flip-flops; larger ones lie beside the cells.
inline constexpr uint64_t kMostRegisterWords = 16;

/// A cell, and the signals of a simulation that its outputs drive.
struct LibraryCell {
  std::string path;                 // `part/n12`, as OpenSTA has it
  std::string part;                 // instance in the top module; empty: beside all parts
  std::vector<std::string> outputs; // `TOP.top.part.n3[1]`
};

struct CellNetlist {
  std::vector<std::string> sources; // of a simulation, from the folder of the kernel
  std::string timed = "timed.v";    // what OpenSTA reads, in folder/area
  std::vector<LibraryCell> cells;
  uint64_t memories = 0; // beside them
};

/// Maps the kernel to the cells of `library.lib` in folder/area. In `timed` a stand-in of cells is
/// in place of each memory, so that paths go through it; none of them is among `cells`.
/// Errors: those of Yosys.
llvm::Expected<CellNetlist> makeCellNetlist(const Yosys &yosys);

} // namespace spindle::hls
