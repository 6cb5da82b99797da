// What each cell of a netlist takes, by OpenSTA.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle::hls {

/// In a cycle of the clock; picojoules.
struct CellEnergy {
  double leakagePj = 0;
  double clockPj = 0;  // whatever its data do
  double changePj = 0; // more, when its inputs and outputs change once
  bool isKnown = true; // else no clock arrives at it: what it loads depends on no activity
};

struct CellEnergies {
  std::string tool; // name and version
  std::vector<CellEnergy> cells;
};

/// Of the cells with these paths in the netlist `netlist` of module `top`, in the cells of
/// `library.lib`, all in `folder`. OpenSTA computes energies from the tables of the library, by
/// slews and loads of the cells behind; wires cost nothing. Its releases until 2020 take activities
/// of input ports and of all pins together alone, not of a pin: so each cell is asked twice, with
/// none and with one change per cycle at all pins, between which its energy is a line.
/// Errors: OpenSTA that is not there or reads something else than was written.
llvm::Expected<CellEnergies> cellEnergies(const std::string &folder, const std::string &netlist,
                                          const std::string &top, double periodNs,
                                          const std::vector<std::string> &paths);

} // namespace spindle::hls
