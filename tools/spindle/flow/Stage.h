// The stages in order: what each reads, writes and does.
#pragma once

#include "core/support/Error.h"
#include "lib/emulation/ranks/Ranks.h"
#include "tools/spindle/flow/Flow.h"
#include "tools/spindle/flow/ProgressDisplay.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace spindle {

struct StageRun {
  const Flow &flow;
  std::string folder;  // of the stage files
  std::string staging; // where what it writes waits until the stage has come to its end
  ProgressDisplay &progress;
  Ranks &ranks; // that share the emulations

  std::string file(const char *name) const { return folder + "/" + name; }
  std::string output(const char *name) const { return staging + "/" + name; }
  /// Shows what a library has done of so many `unit`s.
  Progress counting(const char *unit = "samples") const;
  /// The error of a stage that cannot do without a section of the flow.
  llvm::Error need(bool present, const char *section) const;
};

/// What a stage reads of the world outside its folder.
enum class Source { Model, Dataset, Calibration, Chip, Placement, Target, Circuits };

struct Stage {
  const char *name;                  // the word of the command line
  const char *summary;               // for --help
  std::vector<const char *> inputs;  // stage files it reads
  std::vector<const char *> outputs; // stage files it writes, or some of them; of one in a folder
                                     // of its own, all that is in it
  std::vector<Source> sources;
  std::vector<const char *> settings; // sections of the flow it depends on
  /// Returns one line about the result.
  llvm::Expected<std::string> (*run)(const StageRun &);
  /// The section of the flow that asks for the stage, and whether it is there. A stage without one
  /// always runs.
  const char *section = nullptr;
  bool Flow::*isAsked = nullptr;
  /// Stage files that it reads where they are there.
  std::vector<const char *> optionalInputs = {};
  /// Whether a flow makes it read those; without one, every flow.
  bool (*readsOptional)(const Flow &) = nullptr;
};

/// Every stage, in order.
llvm::ArrayRef<Stage> stages();

/// The index of a stage; errors list the names.
llvm::Expected<size_t> findStage(const std::string &name);

/// Whether a flow asks for the stage.
bool isAsked(const Flow &flow, const Stage &stage);

llvm::Expected<std::string> runImport(const StageRun &run);
llvm::Expected<std::string> runConvert(const StageRun &run);
llvm::Expected<std::string> runEmulate(const StageRun &run);
llvm::Expected<std::string> runDiagnose(const StageRun &run);
llvm::Expected<std::string> runGraph(const StageRun &run);
llvm::Expected<std::string> runPartition(const StageRun &run);
llvm::Expected<std::string> runAnalyze(const StageRun &run);
llvm::Expected<std::string> runMap(const StageRun &run);
llvm::Expected<std::string> runLoad(const StageRun &run);
llvm::Expected<std::string> runSimulate(const StageRun &run);
llvm::Expected<std::string> runAssess(const StageRun &run);

} // namespace spindle
