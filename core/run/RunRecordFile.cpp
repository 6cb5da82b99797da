// run.json, in and out.
#include "core/run/RunRecord.h"

#include "fmt/format.h"

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

static StageRecord parseStage(const Json &json) {
  StageRecord stage;
  stage.name = json.at("stage").get<std::string>();
  stage.origin.program = json.at("program").get<std::string>();
  stage.origin.settings = json.at("settings");
  stage.origin.sources = json.at("sources").get<FileHashes>();
  stage.origin.inputs = json.at("inputs").get<FileHashes>();
  stage.outputs = json.at("outputs").get<FileHashes>();
  return stage;
}

/// The names of stage files are looked for in the folder of the record, and nowhere else.
static llvm::Error checkNames(const std::string &path, const RunRecord &record) {
  for (const StageRecord &stage : record.stages)
    for (const FileHashes *files : {&stage.origin.inputs, &stage.outputs})
      for (const auto &[name, hash] : *files)
        if (name.empty() || name.find('/') != std::string::npos || name == ".." || name == ".")
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
  SPINDLE_ASSIGN(RunRecord record, parseJson<RunRecord>(path, json, [&](const Json &whole) {
                   RunRecord read;
                   read.program = whole.at("program").get<std::string>();
                   read.flow = whole.at("flow").get<std::string>();
                   read.settings = whole.at("settings");
                   read.seeds = whole.at("seeds");
                   read.threads = whole.at("threads").get<uint64_t>();
                   read.ranks = whole.at("ranks").get<uint64_t>();
                   if (whole.contains("failed"))
                     read.failure = {whole.at("failed").at("stage").get<std::string>(),
                                     whole.at("failed").at("error").get<std::string>()};
                   for (const Json &stage : whole.at("stages"))
                     read.stages.push_back(parseStage(stage));
                   return read;
                 }));
  SPINDLE_RETURN_IF_ERROR(checkNames(path, record));
  return record;
}

} // namespace spindle
