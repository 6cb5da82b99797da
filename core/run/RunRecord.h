// What made the files of a folder: `run.json`, from which a run tells what is done already.
#pragma once

#include "core/support/formats/Json.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// Path or name of a file → hash of its bytes (core/support/files/FileHash.h).
using FileHashes = std::map<std::string, std::string>;

/// Everything that the result of a stage depends on.
struct StageOrigin {
  std::string program;            // version and commit
  Json settings = Json::object(); // of the flow, as far as the stage reads them; keys ascending
  FileHashes sources;             // files outside the folder: models, data sets, chips
  FileHashes inputs;              // stage files of earlier stages

  bool operator==(const StageOrigin &) const = default;
};

/// A stage that came to its end.
struct StageRecord {
  std::string name;
  StageOrigin origin;
  FileHashes outputs; // stage files
};

struct RunRecord {
  std::string program;
  std::string flow;                        // path as the user wrote it
  Json settings = Json::object();          // the whole flow, overrides applied
  std::vector<std::string> overrides = {}; // `key=value`, in their order
  Json seeds = Json::object();             // in effect, by section
  uint64_t threads = 0, ranks = 1;
  struct Failure {
    std::string stage, error;
  };
  std::optional<Failure> failure; // that ended the last run
  std::vector<StageRecord> stages;

  const StageRecord *find(llvm::StringRef stage) const;
  /// In place of the record of the same name, or after the others.
  void put(StageRecord stage);
  void remove(llvm::StringRef stage);
};

/// The dotted keys in which two settings differ: `emulation.steps (64, now 4)`.
std::vector<std::string> differences(const Json &before, const Json &now);

/// Hashes of the files of a folder, each computed once until it is forgotten. Absent files have the
/// empty text. JSON with a member `timing` is hashed without its numbers, as text without white
/// space: how long a stage took is no result.
class FolderHashes {
public:
  explicit FolderHashes(std::string path) : folder(std::move(path)) {}
  llvm::Expected<std::string> of(const std::string &name);
  void forget(const std::string &name) { known.erase(name); }

private:
  std::string folder;
  llvm::StringMap<std::string> known;
};

/// The stages whose files are older than what they were made from: an input is another one by now,
/// or was itself made by such a stage. Files that no stage of ours wrote count as up to date.
llvm::Expected<std::vector<std::string>> outdatedStages(const RunRecord &record,
                                                        FolderHashes &files);

/// JSON, docs/formats/run.md. A folder without the file has an empty record.
llvm::Expected<RunRecord> readRunRecord(const std::string &path);
llvm::Error writeRunRecord(const std::string &path, const RunRecord &record);

} // namespace spindle
