// What the result of each stage depends on, hashed.
#pragma once

#include "core/run/RunRecord.h"
#include "tools/spindle/flow/Stage.h"

namespace spindle {

/// Version and commit of this program, `0.3.0 (1a2b3c4d5e6f)`.
std::string programName();

class StageOrigins {
public:
  /// Both outlive this.
  StageOrigins(const Flow &what, FolderHashes &files) : flow(what), folder(files) {}

  /// As things stand now. Errors: a source that is not there.
  llvm::Expected<StageOrigin> of(const Stage &stage);

  /// Whether the record's files of the stage are what it would make now, byte for byte.
  llvm::Expected<bool> isDone(const Stage &stage, const RunRecord &record);

private:
  llvm::Error addSources(Source source, FileHashes &hashes);

  const Flow &flow;
  FolderHashes &folder;
  FileHashes hashed; // sources; several stages read the same
};

/// The files that stand behind a source of a flow, resolved. None where the flow lacks the section.
llvm::Expected<std::vector<std::string>> filesOf(Source source, const Flow &flow);

} // namespace spindle
