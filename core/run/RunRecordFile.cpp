// run.json, in and out.
#include "core/run/RunRecord.h"
#include "core/run/StageFileNames.h"

#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>

namespace spindle {

static constexpr FileFormat kRunFormat = {"spindle-run", 1};

static Json stageJson(const StageRecord &stage) {
  Json json = Json::object();
  json["stage"] = stage.name;
  json["program"] = stage.origin.program;
  json["settings"] = stage.origin.settings;
  json["sources"] = stage.origin.sources;
  json["inputs"] = stage.origin.inputs;
  json["outputs"] = stage.outputs;
  return json;
}

llvm::Error writeRunRecord(const std::string &path, const RunRecord &record) {
  Json json = jsonHeader(kRunFormat);
  json["program"] = record.program;
  json["flow"] = record.flow;
  json["settings"] = record.settings;
  json["seeds"] = record.seeds;
  json["threads"] = record.threads;
  json["ranks"] = record.ranks;
  if (record.failure)
    json["failed"] = {{"stage", record.failure->stage}, {"error", record.failure->error}};
  json["stages"] = Json::array();
  for (const StageRecord &stage : record.stages)
    json["stages"].push_back(stageJson(stage));
  return writeJson(path, json);
}

static FileHashes hashesAt(const Json &object, const char *key) {
  FileHashes hashes;
  for (const auto &[name, hash] : objectAt(object, key).items())
    hashes[name] = textValue(hash);
  return hashes;
}

static StageRecord stageFromJson(const Json &json) {
  StageRecord stage;
  stage.name = textAt(json, "stage");
  stage.origin.program = textAt(json, "program");
  stage.origin.settings = objectAt(json, "settings");
  stage.origin.sources = hashesAt(json, "sources");
  stage.origin.inputs = hashesAt(json, "inputs");
  stage.outputs = hashesAt(json, "outputs");
  return stage;
}

static RunRecord recordFromJson(const Json &json) {
  RunRecord record;
  record.program = textAt(json, "program");
  record.flow = textAt(json, "flow");
  record.settings = objectAt(json, "settings");
  record.seeds = objectAt(json, "seeds");
  record.threads = unsignedAt<uint64_t>(json, "threads");
  record.ranks = unsignedAt<uint64_t>(json, "ranks");
  if (json.contains("failed")) {
    const Json &failed = objectAt(json, "failed");
    record.failure = {textAt(failed, "stage"), textAt(failed, "error")};
  }
  for (const Json &stage : listAt(json, "stages"))
    record.stages.push_back(stageFromJson(stage));
  return record;
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
  SPINDLE_ASSIGN(Json json, readJson(path, kRunFormat));
  SPINDLE_ASSIGN(RunRecord record, parseJson<RunRecord>(path, json, recordFromJson));
  SPINDLE_RETURN_IF_ERROR(checkNames(path, record));
  return record;
}

} // namespace spindle
