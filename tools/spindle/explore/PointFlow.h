// A flow with the settings of a point.
#pragma once

#include "core/run/ExploredPoint.h"
#include "tools/spindle/flow/Flow.h"

namespace spindle {

struct PointFlow {
  std::vector<std::string> overrides; // as --set takes them
  Flow flow;
};

/// Keys behind `chip.` are those of the flow's chip: it is written with them to `folder/chips`, by
/// the hash of its text, and takes the chip's place. Errors as those of readFlow and readChip, with
/// `--set KEY` as the place of a key of the chip, too.
llvm::Expected<PointFlow> flowOfPoint(const std::string &flowFile,
                                      const std::vector<Setting> &settings,
                                      const std::string &folder);

} // namespace spindle
