// Stage files of the chip that fit to each other.
#pragma once

#include "core/chip/Mapping.h"
#include "tools/spindle/flow/Stage.h"

namespace spindle {

/// The mapping of a run. It may be of another run or have been changed by hand, so that it does not
/// fit to the clusters or the chip: an input error at its file.
llvm::Expected<Mapping> readMappingOf(const StageRun &run, const Clustering &clustering,
                                      const Chip &chip);

} // namespace spindle
