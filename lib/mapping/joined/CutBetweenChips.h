// On which of several joined chips clusters begin, before they have tiles.
#pragma once

#include "lib/mapping/PlacementProblem.h"

namespace spindle {

/// The chip of every cluster (Mesh::chipOf), none with more than it has room for: as few chips as
/// hold all, between which as little as may be is cut (METIS), and which lie beside those that they
/// talk to. Empty where there is one chip, or where faults leave chips so different room that
/// parts of one size do not fit.
llvm::Expected<std::vector<uint32_t>> cutBetweenChips(const PlacementProblem &problem,
                                                      const MappingOptions &options);

} // namespace spindle
