// Runs stages one after the other in a folder.
#pragma once

#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/flow/StageStore.h"

namespace spindle {

/// Which stages, by index; without a last one, up to the last that the flow asks for.
struct StageRange {
  size_t first = 0;
  std::optional<size_t> last;
};

/// Runs stages in `folder`, which is made, and which nobody else may work in meanwhile. Those that
/// the flow does not ask for are left out, and are an error where they were named. Settings, paths
/// and the heads of files are checked before the first one works, and the model before its import.
///
/// What a stage writes takes the place of its earlier files when the stage has come to its end; no
/// other file is touched. `run.json` says what they were made from. A stage whose files are what it
/// would make again is passed over unless `force`. The report is written from what is up to date,
/// also when a stage fails. A stage that is interrupted leaves nothing.
llvm::Error runStages(const Flow &flow, const std::string &folder, StageRange range, bool force,
                      ProgressDisplay &progress, Ranks &ranks);

/// The same in a folder that the caller holds. A result that is in the store is taken from there,
/// others are put there.
llvm::Error runStagesShared(const Flow &flow, const std::string &folder, StageRange range,
                            const StageStore &store, ProgressDisplay &progress, Ranks &ranks);

/// What a later stage would refuse is refused before the first one works. `isNamed`: the last stage
/// was asked for by the user.
llvm::Error checkFlow(const Flow &flow, llvm::ArrayRef<Stage> wanted, bool isLastNamed);

/// What the import would refuse of an ANN and the first sample, before it works: functions and
/// arguments that are not there, layers that nobody knows, samples of another shape. It takes as
/// long as importing the model and opening its samples; those in archives are left to the import.
llvm::Error checkImport(const Flow &flow);

} // namespace spindle
