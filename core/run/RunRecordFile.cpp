// run.json, in and out.
#include "core/run/RunRecord.h"
#include "core/run/StageFileNames.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>

namespace spindle {

static constexpr FileFormat kRunFormat = {"spindle-run", 1};

static void describe(auto &file, MaybeConst<StageRecord> auto &stage) {
  file.field("stage", stage.name);
  file.field("program", stage.origin.program);
  file.field("settings", stage.origin.settings);
  file.field("sources", stage.origin.sources);
  file.field("inputs", stage.origin.inputs);
  file.field("outputs", stage.outputs);
}

static void describe(auto &file, MaybeConst<RunRecord> auto &record) {
  file.field("program", record.program);
  file.field("flow", record.flow);
  file.field("settings", record.settings);
  file.fieldUnless("set", record.overrides, {});
  file.field("seeds", record.seeds);
  file.field("threads", record.threads);
  file.field("ranks", record.ranks);
  file.optional("failed", record.failure, [](auto &failed, auto &failure) {
    failed.field("stage", failure.stage);
    failed.field("error", failure.error);
  });
  file.field("stages", record.stages);
}

llvm::Error writeRunRecord(const std::string &path, const RunRecord &record) {
  return writeDescribed(path, kRunFormat, record);
}

/// A file of the folder, or below the one that a circuit has there.
static bool isStageFile(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> parts;
  name.split(parts, '/');
  bool leads = llvm::any_of(
      parts, [](llvm::StringRef part) { return part.empty() || part == "." || part == ".."; });
  llvm::StringRef room = llvm::StringRef(run::kHardware).split('/').first;
  return !leads && (parts.size() == 1 || parts.front() == room);
}

/// The names of stage files are looked for in the folder of the record, and nowhere else.
static llvm::Error checkNames(const std::string &path, const RunRecord &record) {
  for (const StageRecord &stage : record.stages)
    for (const FileHashes *files : {&stage.origin.inputs, &stage.outputs})
      for (const auto &[name, hash] : *files)
        if (!isStageFile(name))
          return inputError(path, fmt::format("stage {} names the file '{}', expected a file of "
                                              "this folder; remove run.json, and every stage is "
                                              "run again",
                                              stage.name, name));
  return llvm::Error::success();
}

llvm::Expected<RunRecord> readRunRecord(const std::string &path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return RunRecord();
  SPINDLE_ASSIGN(RunRecord record, readDescribed<RunRecord>(path, kRunFormat));
  SPINDLE_RETURN_IF_ERROR(checkNames(path, record));
  return record;
}

} // namespace spindle
