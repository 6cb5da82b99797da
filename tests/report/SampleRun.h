// A made-up run of a small convolutional network whose stage files agree with each other.
#pragma once

#include "lib/report/StageFiles.h"

namespace spindle {

/// Every stage file of the run, as nouns. The same for the same seed.
StageFiles makeSampleRun(uint64_t seed = 1);

/// Writes the stage files that are present in `files` into `folder`, which is made.
llvm::Error writeStageFiles(const std::string &folder, const StageFiles &files);

} // namespace spindle
