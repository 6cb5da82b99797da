#include "tools/spindle/flow/RunStages.h"

#include "core/run/RunRecord.h"
#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "core/support/files/StagingFolder.h"
#include "core/support/files/Unfinished.h"
#include "lib/report/Report.h"
#include "lib/report/StageFiles.h"
#include "tools/spindle/Notices.h"
#include "tools/spindle/flow/FlowSettings.h"
#include "tools/spindle/flow/LeftOut.h"
#include "tools/spindle/flow/StageOrigins.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

namespace spindle {

namespace fs = std::filesystem;

static llvm::Error checkInputs(const Stage &stage, const std::string &folder) {
  for (const char *input : stage.inputs) {
    if (isThere(folder + "/" + input))
      continue;
    const char *writer = "";
    for (const Stage &other : stages())
      if (llvm::is_contained(other.outputs, llvm::StringRef(input)))
        writer = other.name;
    return inputError(folder + "/" + input,
                      fmt::format("the stage {} reads this file and it is not there; run from an "
                                  "earlier stage: --from {}",
                                  stage.name, writer));
  }
  return llvm::Error::success();
}

/// Those of the stages `earlier` that what the `wanted` ones read was made by, in order.
static std::vector<const Stage *> upstreamOf(llvm::ArrayRef<Stage> wanted,
                                             llvm::ArrayRef<Stage> earlier) {
  std::set<llvm::StringRef> read;
  for (const Stage &stage : wanted)
    read.insert(stage.inputs.begin(), stage.inputs.end());
  std::vector<const Stage *> upstream;
  for (const Stage &stage : llvm::reverse(earlier))
    if (llvm::any_of(stage.outputs, [&](const char *output) { return read.count(output); })) {
      read.insert(stage.inputs.begin(), stage.inputs.end());
      upstream.insert(upstream.begin(), &stage);
    }
  return upstream;
}

/// A file that a stage was made from and that is another one by now, or empty.
static std::string otherSource(const Stage &stage, const StageRecord &before,
                               StageOrigins &origins) {
  llvm::Expected<StageOrigin> now = origins.of(stage);
  if (!now) { // a model that is gone is not needed here
    llvm::consumeError(now.takeError());
    return "";
  }
  for (const auto &[path, hash] : now->sources)
    if (auto found = before.origin.sources.find(path);
        found == before.origin.sources.end() || found->second != hash)
      return path;
  return "";
}

/// A run that begins in the middle stands on files of another one. Says so where that one had other
/// settings.
static llvm::Error warnOfEarlierStages(const Flow &flow, const std::vector<const Stage *> &earlier,
                                       const RunRecord &record, FolderHashes &files,
                                       StageOrigins &origins) {
  SPINDLE_ASSIGN(std::vector<std::string> outdated, outdatedStages(record, files));
  for (const Stage *stage : earlier) {
    const StageRecord *before = record.find(stage->name);
    if (!before || !isAsked(flow, *stage))
      continue;
    std::vector<std::string> other =
        differences(before->origin.settings, settingsFor(flow.settings, stage->settings));
    std::string why;
    if (!other.empty())
      why = fmt::format("were made with other settings: {}", fmt::join(other, ", "));
    else if (std::string file = otherSource(*stage, *before, origins); !file.empty())
      why = fmt::format("were made from another {}", file);
    else if (llvm::is_contained(outdated, stage->name))
      why = "are older than what they were made from";
    else if (before->origin.program != programName())
      why = fmt::format("were made by spindle {}", before->origin.program);
    if (why.empty())
      continue;
    printNotice(fmt::format("{}: warning: the files of the stage {} {}; --from {} makes them anew",
                            flow.path, stage->name, why, stage->name));
    break; // what follows it is no better
  }
  return llvm::Error::success();
}

/// Libraries know no files: an error of theirs is about a section of the flow, or about stage files
/// that do not belong together.
static llvm::Error withFile(llvm::Error error, const Flow &flow, const std::string &folder) {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    if (auto section = flow.places.find(each->place); section != flow.places.end())
      each->place = section->second;
    else if (each->place.empty())
      each->place = folder;
    return llvm::Error(std::move(each));
  });
}

/// The files in a folder and in those below it, in order, their names beginning with `as`.
static std::vector<std::string> filesBelow(const fs::path &folder, const fs::path &as) {
  std::vector<std::string> names;
  std::error_code status;
  for (fs::recursive_directory_iterator at(folder, status), end; at != end; at.increment(status))
    if (at->is_regular_file(status))
      names.push_back((as / at->path().lexically_relative(folder)).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Gives the files of a stage that came to its end their places, and takes away those that an
/// earlier run of it left and this one did not.
static llvm::Expected<FileHashes> publish(const Stage &stage, const StagingFolder &staging,
                                          const std::string &folder, FolderHashes &files) {
  FileHashes outputs;
  for (const char *name : stage.outputs) {
    std::error_code status;
    fs::path made = fs::path(staging.path()) / name, place = fs::path(folder) / name;
    std::optional<FolderLock> lock; // cosim may work there
    std::vector<std::string> written{name};
    if (fs::path room = fs::path(name).parent_path(); !room.empty()) { // all that is in it
      made = fs::path(staging.path()) / room, place = fs::path(folder) / room;
      if (fs::exists(place, status)) {
        SPINDLE_ASSIGN(FolderLock taken, FolderLock::take(place.string()));
        lock.emplace(std::move(taken));
      }
      fs::remove_all(place, status);
      written = filesBelow(made, room);
    }
    if (fs::exists(made, status))
      fs::rename(made, place, status);
    else
      fs::remove(place, status);
    if (status)
      return inputError(place.string(), "cannot write: " + status.message());
    for (const std::string &file : written) {
      files.forget(file);
      SPINDLE_ASSIGN(std::string hash, files.of(file));
      if (!hash.empty())
        outputs[file] = hash;
    }
  }
  return outputs;
}

namespace {

/// One run: what it stands on, and what it has come to.
struct Run {
  const Flow &flow;
  std::string folder;
  ProgressDisplay &progress;
  Ranks &ranks;
  RunRecord record;
  FolderHashes files;
  StageOrigins origins;
  const StageStore *store = nullptr; // of results that other folders share

  Run(const Flow &what, const std::string &where, ProgressDisplay &shown, Ranks &sharing,
      RunRecord before)
      : flow(what), folder(where), progress(shown), ranks(sharing), record(std::move(before)),
        files(where), origins(what, files) {
    record.program = programName();
    record.flow = flow.path;
    record.settings = flow.settings;
    record.overrides = flow.overrides;
    record.seeds = seedsOf(flow);
    record.threads = static_cast<uint64_t>(flow.emulation.threads);
    record.ranks = static_cast<uint64_t>(ranks.size());
    record.failure.reset();
  }

  llvm::Error writeRecord() const { return writeRunRecord(folder + "/run.json", record); }
  llvm::Error work(const Stage &stage);
  llvm::Error leaveOut(const Stage &stage, const std::string &why);
  llvm::Expected<std::string> make(const Stage &stage, const StagingFolder &staging,
                                   const std::optional<StageStore::Place> &shared);
  llvm::Error report();
};

} // namespace

/// Lets the stage work, or takes what it would make from the store. Returns a line about it.
llvm::Expected<std::string> Run::make(const Stage &stage, const StagingFolder &staging,
                                      const std::optional<StageStore::Place> &shared) {
  if (shared && shared->isFilled()) {
    SPINDLE_RETURN_IF_ERROR(shared->copyTo(staging.path()));
    return "shared";
  }
  return stage.run({flow, folder, staging.path(), progress, ranks});
}

llvm::Error Run::work(const Stage &stage) {
  SPINDLE_RETURN_IF_ERROR(checkInputs(stage, folder));
  progress.startStage(stage.name);
  SPINDLE_ASSIGN(StagingFolder staging, StagingFolder::create(folder));
  SPINDLE_ASSIGN(StageOrigin origin, origins.of(stage));
  std::optional<StageStore::Place> shared;
  if (store) {
    SPINDLE_ASSIGN(StageStore::Place place, store->hold(stage.name, origin));
    shared.emplace(std::move(place));
  }
  llvm::Expected<std::string> line = make(stage, staging, shared);
  if (!line)
    return staging.inParent(withFile(line.takeError(), flow, folder));
  Uninterrupted publishing; // all files of the stage, with the record that they are there
  SPINDLE_ASSIGN(FileHashes outputs, publish(stage, staging, folder, files));
  if (shared && !shared->isFilled())
    SPINDLE_RETURN_IF_ERROR(shared->fill(folder, outputs));
  record.put({stage.name, std::move(origin), std::move(outputs)});
  SPINDLE_RETURN_IF_ERROR(writeRecord());
  progress.endStage(*line);
  return llvm::Error::success();
}

/// Takes away what an earlier run of the stage left.
llvm::Error Run::leaveOut(const Stage &stage, const std::string &why) {
  progress.startStage(stage.name);
  SPINDLE_ASSIGN(StagingFolder nothing, StagingFolder::create(folder));
  Uninterrupted publishing;
  SPINDLE_RETURN_IF_ERROR(publish(stage, nothing, folder, files).takeError());
  record.remove(stage.name);
  SPINDLE_RETURN_IF_ERROR(writeRecord());
  progress.endStage(why);
  return llvm::Error::success();
}

llvm::Error Run::report() {
  if (!hasFigures(folder)) // a spiking model that was only imported
    return llvm::Error::success();
  progress.startStage("report");
  SPINDLE_RETURN_IF_ERROR(writeReport(folder));
  progress.endStage(folder + "/report.json, " + folder + "/report.html");
  return llvm::Error::success();
}

/// A damaged record, or that of a newer program, is no reason to refuse who wants everything anew.
static llvm::Expected<RunRecord> recordOf(const std::string &folder, bool isAllAnew) {
  llvm::Expected<RunRecord> record = readRunRecord(folder + "/run.json");
  if (record)
    return record;
  llvm::Error error = record.takeError();
  if (!isAllAnew)
    return llvm::handleErrors(std::move(error), [](std::unique_ptr<SpindleError> each) {
      each->message += "; or give spindle run --force, which runs every stage anew";
      return llvm::Error(std::move(each));
    });
  llvm::consumeError(std::move(error));
  return RunRecord();
}

/// In a folder that is held.
static llvm::Error runHeld(const Flow &flow, const std::string &folder, StageRange range,
                           bool force, const StageStore *store, ProgressDisplay &progress,
                           Ranks &ranks) {
  size_t last = range.last.value_or(stages().size() - 1);
  llvm::ArrayRef<Stage> wanted = stages().slice(range.first, last - range.first + 1);
  StagingFolder::removeLeftOver(folder);
  SPINDLE_RETURN_IF_ERROR(StagingFolder::create(folder).takeError()); // can it be written?
  SPINDLE_ASSIGN(std::string whyFirst, whyLeftOut(wanted.front(), flow, folder));
  if (whyFirst.empty())
    SPINDLE_RETURN_IF_ERROR(checkInputs(wanted.front(), folder));
  // A folder of an exploration is the exploration's own.
  bool isAllAnew = store || (force && wanted.size() > 1);
  SPINDLE_ASSIGN(RunRecord before, recordOf(folder, isAllAnew));
  Run run(flow, folder, progress, ranks, std::move(before));
  run.store = store;
  SPINDLE_RETURN_IF_ERROR(warnOfEarlierStages(flow,
                                              upstreamOf(wanted, stages().take_front(range.first)),
                                              run.record, run.files, run.origins));

  for (const Stage &stage : wanted) {
    SPINDLE_ASSIGN(std::string why, whyLeftOut(stage, flow, folder));
    if (!why.empty())
      SPINDLE_RETURN_IF_ERROR(run.leaveOut(stage, why));
    if (!why.empty() || !isAsked(flow, stage))
      continue;
    bool isDone = false;
    if (!force) {
      SPINDLE_ASSIGN(isDone, run.origins.isDone(stage, run.record));
    }
    if (isDone) {
      progress.startStage(stage.name);
      progress.endStage("up to date");
      continue;
    }
    if (stage.run == runImport && !store) { // refused, it leaves record and report as they were
      progress.startStage(stage.name);
      SPINDLE_RETURN_IF_ERROR(checkImport(flow));
    }
    llvm::Error error = run.work(stage);
    if (!error)
      continue;
    // What came before it stays, with a report that says where the run ended.
    std::string text;
    llvm::raw_string_ostream(text) << error;
    run.record.failure = {stage.name, text};
    llvm::Error also = run.writeRecord(); // on a full disk these fail, too, for the same reason
    if (!also && hasFigures(folder))
      also = writeReport(folder);
    llvm::consumeError(std::move(also));
    return error;
  }
  SPINDLE_RETURN_IF_ERROR(run.writeRecord());
  return run.report();
}

/// What can be refused before there is a folder.
static llvm::Error checkRange(const Flow &flow, StageRange range) {
  size_t last = range.last.value_or(stages().size() - 1);
  return checkFlow(flow, stages().slice(range.first, last - range.first + 1),
                   range.last.has_value());
}

llvm::Error runStages(const Flow &flow, const std::string &folder, StageRange range, bool force,
                      ProgressDisplay &progress, Ranks &ranks) {
  SPINDLE_RETURN_IF_ERROR(checkRange(flow, range));
  SPINDLE_RETURN_IF_ERROR(makeFolder(folder));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(folder));
  return runHeld(flow, folder, range, force, nullptr, progress, ranks);
}

llvm::Error runStagesShared(const Flow &flow, const std::string &folder, StageRange range,
                            const StageStore &store, ProgressDisplay &progress, Ranks &ranks) {
  SPINDLE_RETURN_IF_ERROR(checkRange(flow, range));
  return runHeld(flow, folder, range, /*force=*/false, &store, progress, ranks);
}

} // namespace spindle
