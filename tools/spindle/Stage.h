// The stages in order: what each reads, writes and does.
#pragma once

#include "lib/emulation/ranks/Ranks.h"
#include "lib/support/Error.h"
#include "tools/spindle/Flow.h"
#include "tools/spindle/ProgressDisplay.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace spindle {

struct StageRun {
  const Flow &flow;
  std::string folder; // of the stage files
  ProgressDisplay &progress;
  Ranks &ranks; // that share the emulations

  std::string file(const char *name) const { return folder + "/" + name; }
  /// The error of a stage that cannot do without a section of the flow.
  llvm::Error need(bool present, const char *section) const;
};

struct Stage {
  const char *name;                  // the word of the command line
  const char *summary;               // for --help
  std::vector<const char *> inputs;  // stage files it reads
  std::vector<const char *> outputs; // stage files it writes
  /// Returns one line about the result.
  llvm::Expected<std::string> (*run)(const StageRun &);
  /// The section of the flow that asks for the stage, and whether it is there. A stage without one
  /// always runs.
  const char *section = nullptr;
  bool Flow::*isAsked = nullptr;
};

/// Every stage, in order.
llvm::ArrayRef<Stage> stages();

/// The index of a stage; errors list the names.
llvm::Expected<size_t> findStage(const std::string &name);

/// Runs stages `first` to `last` in `folder`, which is made; those that the flow does not ask for
/// are left out, and are an error where they are the first or the last. What these stages write,
/// and what any stage makes of it, is removed before, so that no file is older than its inputs;
/// afterwards the report is written from what is there.
llvm::Error runStages(const Flow &flow, const std::string &folder, size_t first, size_t last,
                      ProgressDisplay &progress, Ranks &ranks);

llvm::Expected<std::string> runImport(const StageRun &run);
llvm::Expected<std::string> runConvert(const StageRun &run);
llvm::Expected<std::string> runEmulate(const StageRun &run);
llvm::Expected<std::string> runDiagnose(const StageRun &run);
llvm::Expected<std::string> runGraph(const StageRun &run);
llvm::Expected<std::string> runPartition(const StageRun &run);
llvm::Expected<std::string> runAnalyze(const StageRun &run);
llvm::Expected<std::string> runMap(const StageRun &run);
llvm::Expected<std::string> runSimulate(const StageRun &run);

} // namespace spindle
