#include "tools/spindle/explore/Explore.h"

#include "core/support/files/DataPath.h"
#include "core/support/files/File.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/FolderLock.h"
#include "lib/exploration/Sweep.h"
#include "tools/spindle/explore/PointFlow.h"
#include "tools/spindle/flow/FlowSettings.h"
#include "tools/spindle/flow/RunStages.h"
#include "tools/spindle/flow/StageOrigins.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>
#include <thread>

namespace spindle {

namespace fs = std::filesystem;

namespace {

/// How long a process waits for points that others work on before it looks again.
constexpr std::chrono::milliseconds kPause(200);

/// One process at work on a sweep.
class Explorer {
public:
  Explorer(Sweep what, std::string flow, const ExploreOptions &how, Ranks &only)
      : sweep(std::move(what)), flowFile(std::move(flow)), options(how), ranks(only),
        store(options.folder + "/stages") {}

  llvm::Error run();

private:
  llvm::Error checkFixed(std::vector<Setting> &fixed);
  llvm::Error checkKeys();
  bool fitsSomewhere(const std::vector<Setting> &settings) const;
  llvm::Error openFolder();
  std::string folderOf(const std::vector<Setting> &settings) const {
    return options.folder + "/points/" + pointId(settings);
  }
  std::optional<ExploredPoint> finished(const std::vector<Setting> &settings);
  llvm::Error runOwn();
  llvm::Error runPoint(size_t number);
  void fillPoint(ExploredPoint &point, const std::string &folder);
  llvm::Error stagesOf(const PointFlow &point, const std::string &folder);
  bool isHadByOthers(const std::string &name);
  llvm::Error checkNames(ExploredPoint &point, bool isLast);
  llvm::Error settleNames();
  void show(size_t number, const ExploredPoint &point, double seconds) const;

  Sweep sweep;
  std::string flowFile;
  const ExploreOptions &options;
  Ranks &ranks;
  StageStore store;
  StageRange range;
  std::vector<std::vector<Setting>> points;
  std::map<std::string, std::string> hashed; // sources, in this run
  std::set<std::string> known;               // wanted numbers that points have
};

} // namespace

/// The error of a flow with one setting, at the place of the setting in the sweep.
static llvm::Error atPlace(llvm::Error error, const std::string &place) {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    return inputError(place, each->message);
  });
}

/// What the sweep sets for all points, with the first one of chips that vary. Keys may need each
/// other; a mistake is that of the first one with which the flow is refused in the same words.
llvm::Error Explorer::checkFixed(std::vector<Setting> &fixed) {
  std::vector<std::string> places;
  for (const SweptKey &key : sweep.keys)
    if (key.key == "chip" && !key.values.empty()) {
      fixed.push_back({key.key, key.values.front()});
      places.push_back(key.place);
    }
  if (sweep.fixed.empty()) // what varies may be what the flow lacks
    return llvm::Error::success();
  for (const SweptKey &key : sweep.fixed) {
    fixed.push_back({key.key, key.values.front()});
    places.push_back(key.place);
  }
  auto refusal = [&](size_t count, const std::string &place) {
    std::vector<Setting> settings(fixed.begin(), fixed.begin() + int64_t(count));
    return atPlace(flowOfPoint(flowFile, settings, options.folder).takeError(), place);
  };
  std::string ofAll = toText(refusal(fixed.size(), ""));
  if (ofAll.empty())
    return llvm::Error::success();
  size_t count = 1;
  while (count < fixed.size() && toText(refusal(count, "")) != ofAll)
    ++count;
  return refusal(count, places[count - 1]);
}

/// The values of a key that are tried: all, or of a range its ends and one between them.
static std::vector<std::string> triedValues(const SweptKey &key) {
  if (!key.values.empty())
    return key.values;
  constexpr double share = 0.381966; // no round number between whole ones
  double between = key.isLogarithmic ? key.from * std::pow(key.to / key.from, share)
                                     : key.from + share * (key.to - key.from);
  return {drawnText(key, key.from), drawnText(key, between), drawnText(key, key.to)};
}

/// Whether one of up to 64 points, spread over all, is a flow with these settings in the place of
/// its own.
bool Explorer::fitsSomewhere(const std::vector<Setting> &settings) const {
  size_t tries = std::min<size_t>(points.size(), 64);
  for (size_t each = 0; each < tries; ++each) {
    std::vector<Setting> point = points[each * points.size() / tries];
    for (const Setting &setting : settings)
      for (Setting &own : point)
        if (own.key == setting.key)
          own.value = setting.value;
    llvm::Expected<PointFlow> flow = flowOfPoint(flowFile, point, options.folder);
    if (flow)
      return true;
    llvm::consumeError(flow.takeError());
  }
  return false;
}

/// Every value by itself, with what the sweep sets for all points; keys that need each other, in
/// points.
llvm::Error Explorer::checkKeys() {
  std::vector<Setting> fixed;
  if (llvm::Error error = checkFixed(fixed)) {
    if (!fitsSomewhere({}))
      return error;
    llvm::consumeError(std::move(error));
  }
  for (const SweptKey &key : sweep.keys) {
    for (const std::string &value : triedValues(key)) {
      std::vector<Setting> settings = fixed;
      settings.push_back({key.key, value});
      llvm::Expected<PointFlow> flow = flowOfPoint(flowFile, settings, options.folder);
      if (flow)
        continue;
      if (!fitsSomewhere({{key.key, value}}))
        return atPlace(flow.takeError(), key.place);
      llvm::consumeError(flow.takeError());
    }
  }
  if (!sweep.lastStage.empty()) {
    llvm::Expected<size_t> last = findStage(sweep.lastStage);
    if (!last)
      return atPlace(last.takeError(), sweep.lastStagePlace);
    range.last = *last;
  }
  return llvm::Error::success();
}

static std::string untilText(const std::string &lastStage) {
  return lastStage.empty() ? "all stages" : "until: " + lastStage;
}

/// Says what the folder is for, unless it is for something else.
llvm::Error Explorer::openFolder() {
  SPINDLE_ASSIGN(Flow flow, readFlow(flowFile, {}));
  Exploration exploration{flowFile, flow.settings, sweep.objectives, sweep.constraints,
                          sweep.lastStage};
  std::string path = options.folder + "/exploration.json";
  if (isThere(path)) {
    SPINDLE_ASSIGN(Exploration before, readExploration(path));
    std::vector<std::string> other = differences(before.settings, exploration.settings);
    if (!other.empty())
      return inputError(options.folder,
                        fmt::format("holds points of another flow, {}: {}; choose another folder "
                                    "with --out",
                                    before.flow, fmt::join(other, ", ")));
    if (before.lastStage != sweep.lastStage)
      return inputError(options.folder,
                        fmt::format("holds points with {}, not {}; choose another folder with "
                                    "--out",
                                    untilText(before.lastStage), untilText(sweep.lastStage)));
  }
  SPINDLE_RETURN_IF_ERROR(makeFolder(options.folder + "/points"));
  return writeExploration(path, exploration);
}

/// The point, if it was finished by this program from the files that there are now.
std::optional<ExploredPoint> Explorer::finished(const std::vector<Setting> &settings) {
  std::string path = folderOf(settings) + "/point.json";
  if (!isThere(path))
    return std::nullopt;
  llvm::Expected<ExploredPoint> point = readExploredPoint(path);
  if (!point) { // damaged: made anew
    llvm::consumeError(point.takeError());
    return std::nullopt;
  }
  if (pointId(point->settings) != pointId(settings)) // of another point
    return std::nullopt;
  if (point->program != programName() || (options.retry && !point->error.empty()))
    return std::nullopt;
  for (const auto &[file, hash] : point->sources) {
    if (!hashed.count(file)) {
      llvm::Expected<std::string> now = hashFile(file);
      if (!now)
        llvm::consumeError(now.takeError());
      hashed[file] = now ? *now : "";
    }
    if (hashed[file] != hash)
      return std::nullopt;
  }
  return std::move(*point);
}

llvm::Error Explorer::stagesOf(const PointFlow &point, const std::string &folder) {
  std::ostream nowhere(nullptr);
  ProgressDisplay quiet({nowhere, nullptr, 80, [] { return 0.0; }});
  try {
    return runStagesShared(point.flow, folder, range, store, quiet, ranks);
  } catch (const std::bad_alloc &) {
    return inputError("", "out of memory");
  }
}

/// Whether a run failed for want of room for files, which says nothing of its settings.
static bool isOfTheMachine(const std::string &error) {
  const std::string noRoom[] = {std::strerror(ENOSPC), std::strerror(EDQUOT), std::strerror(EMFILE),
                                std::strerror(EROFS), std::strerror(EFBIG)};
  for (const std::string &reason : noRoom)
    if (error.find(reason) != std::string::npos)
      return true;
  return false;
}

/// What the files of a run say, and what they were made from.
void Explorer::fillPoint(ExploredPoint &point, const std::string &folder) {
  llvm::Expected<PointFlow> flow = flowOfPoint(flowFile, point.settings, options.folder);
  std::string error;
  if (flow) {
    point.overrides = flow->overrides;
    error = toText(stagesOf(*flow, folder));
  } else {
    error = toText(flow.takeError());
  }
  // The same in every folder.
  for (const std::string &own : {folder + "/", options.folder + "/"})
    for (size_t at; (at = error.find(own)) != std::string::npos;)
      error.erase(at, own.size());
  point.error = error;
  if (llvm::Expected<RunRecord> record = readRunRecord(folder + "/run.json")) {
    for (const StageRecord &stage : record->stages)
      point.sources.insert(stage.origin.sources.begin(), stage.origin.sources.end());
  } else {
    llvm::consumeError(record.takeError());
  }
  if (!isThere(folder + "/report.json"))
    return;
  if (llvm::Expected<Json> report = readJson(folder + "/report.json"))
    point.figures = figuresOfReport(*report);
  else
    llvm::consumeError(report.takeError());
}

/// Whether a point that is there has a number of this name.
bool Explorer::isHadByOthers(const std::string &name) {
  auto hasIt = [&](const std::vector<Setting> &settings) {
    llvm::Expected<ExploredPoint> point = readExploredPoint(folderOf(settings) + "/point.json");
    if (!point)
      llvm::consumeError(point.takeError());
    return point && point->figures.count(name) > 0;
  };
  if (!known.count(name) && std::ranges::any_of(points, hasIt))
    known.insert(name);
  return known.count(name) > 0;
}

/// Whether a point may lack it that others have: a chip that is loaded several times.
static bool isOfSomePoints(const std::string &name) {
  return llvm::StringRef(name).starts_with("chip.") &&
         llvm::any_of(usualObjectives(), [&](const Objective &each) { return each.name == name; });
}

/// A name that no point has is a mistake of the sweep, which the first point shows, or the last. A
/// point that lacks what others have fails.
llvm::Error Explorer::checkNames(ExploredPoint &point, bool isLast) {
  if (!point.error.empty())
    return llvm::Error::success();
  Exploration wanted{"", Json::object(), sweep.objectives, sweep.constraints};
  for (const std::string &name : wantedNames(wanted)) {
    if (point.figures.count(name))
      continue;
    if (isHadByOthers(name)) {
      point.error = fmt::format("the report has no number '{}', which other points have", name);
      return llvm::Error::success();
    }
    if (isOfSomePoints(name) && !isLast)
      continue;
    std::string near;
    unsigned least = 4;
    for (const auto &[figure, value] : point.figures)
      if (unsigned distance = llvm::StringRef(figure).edit_distance(
              name, /*AllowReplacements=*/true, /*MaxEditDistance=*/least);
          distance < least) {
        least = distance;
        near = figure;
      }
    auto place = sweep.namePlaces.find(name);
    bool isUsual = place == sweep.namePlaces.end();
    std::string hint = isUsual ? ", a usual objective; name those that you want under objectives"
                       : near.empty() ? ""
                                      : fmt::format(" (did you mean '{}'?)", near);
    return inputError(isUsual ? sweep.path : place->second,
                      fmt::format("the report has no number '{}'{}; {}/report.json has all there "
                                  "are",
                                  name, hint, folderOf(point.settings)));
  }
  return llvm::Error::success();
}

void Explorer::show(size_t number, const ExploredPoint &point, double seconds) const {
  std::vector<std::string> words;
  for (const SweptKey &key : sweep.keys)
    if (std::optional<std::string> value = valueOf(point, key.key))
      words.push_back(key.key + "=" + *value);
  fmt::print("{}/{}  {}  {}  ({:.1f} s)\n", number + 1, points.size(), fmt::join(words, " "),
             point.error.empty() ? "done" : "failed: " + point.error, seconds);
  std::fflush(stdout);
}

llvm::Error Explorer::runPoint(size_t number) {
  auto start = std::chrono::steady_clock::now();
  ExploredPoint point;
  point.settings = points[number];
  point.program = programName();
  std::string folder = folderOf(point.settings);
  std::error_code absent;
  fs::remove(folder + "/report.json", absent); // of another program, or from before a change
  fillPoint(point, folder);
  if (isOfTheMachine(point.error))
    return inputError(folder, fmt::format("{}; what is done stays, run the same command again when "
                                          "there is room",
                                          point.error));
  llvm::Error mistake = checkNames(point, false);
  if (llvm::Error error = writeExploredPoint(folder + "/point.json", point)) {
    llvm::consumeError(std::move(mistake));
    return error;
  }
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  show(number, point, seconds.count());
  return mistake;
}

llvm::Error Explorer::runOwn() {
  std::vector<size_t> left;
  for (size_t p = options.shard.index - 1; p < points.size(); p += options.shard.count)
    left.push_back(p);
  while (true) {
    std::vector<size_t> held;
    for (size_t next = 0; next < left.size(); ++next) {
      size_t p = left[next];
      if (std::optional<ExploredPoint> point = finished(points[p])) {
        SPINDLE_RETURN_IF_ERROR(checkNames(*point, false));
        continue;
      }
      SPINDLE_RETURN_IF_ERROR(makeFolder(folderOf(points[p])));
      SPINDLE_ASSIGN(std::optional<FolderLock> lock, FolderLock::tryTake(folderOf(points[p])));
      if (!lock) {
        held.push_back(p);
        // Neighbours share stages with it, which the other process makes: far away is work.
        auto rest = left.begin() + std::ptrdiff_t(next) + 1;
        std::rotate(rest, rest + (left.end() - rest) / 2, left.end());
      } else if (!finished(points[p]))
        SPINDLE_RETURN_IF_ERROR(runPoint(p));
    }
    if (held.empty())
      return llvm::Error::success();
    left = std::move(held);
    std::this_thread::sleep_for(kPause);
  }
}

/// Points that were done before another one had what they lack.
llvm::Error Explorer::settleNames() {
  for (const std::vector<Setting> &settings : points) {
    std::string path = folderOf(settings) + "/point.json";
    SPINDLE_ASSIGN(ExploredPoint point, readExploredPoint(path));
    bool wasDone = point.error.empty();
    SPINDLE_RETURN_IF_ERROR(checkNames(point, true));
    if (wasDone && !point.error.empty())
      SPINDLE_RETURN_IF_ERROR(writeExploredPoint(path, point));
  }
  return llvm::Error::success();
}

llvm::Error Explorer::run() {
  SPINDLE_RETURN_IF_ERROR(makeFolder(options.folder));
  SPINDLE_ASSIGN(points, pointsOf(sweep));
  SPINDLE_RETURN_IF_ERROR(checkKeys());
  SPINDLE_RETURN_IF_ERROR(openFolder());
  SPINDLE_RETURN_IF_ERROR(makeFolder(options.folder + "/stages"));
  SPINDLE_RETURN_IF_ERROR(runOwn());
  auto isMissing = [&](const std::vector<Setting> &settings) {
    return !isThere(folderOf(settings) + "/point.json");
  };
  auto missing = std::ranges::count_if(points, isMissing);
  if (missing > 0) {
    fmt::print("{} of {} points are not there yet; spindle collect {} shows those that are\n",
               missing, points.size(), options.folder);
    return llvm::Error::success();
  }
  SPINDLE_RETURN_IF_ERROR(settleNames());
  SPINDLE_RETURN_IF_ERROR(collectPoints(options.folder));
  auto isDone = [&](const std::vector<Setting> &settings) {
    llvm::Expected<ExploredPoint> point = readExploredPoint(folderOf(settings) + "/point.json");
    if (!point)
      llvm::consumeError(point.takeError());
    return point && point->error.empty();
  };
  if (std::ranges::any_of(points, isDone))
    return llvm::Error::success();
  return inputError(options.folder, "every point failed; points.csv says why each of them");
}

llvm::Error explore(const ExploreOptions &given) {
  ExploreOptions options = given;
  if (options.folder.empty())
    options.folder = "out/" + fs::path(options.sweep).stem().string();
  SPINDLE_ASSIGN(Sweep sweep, readSweep(orInstalled(options.sweep)));
  SPINDLE_ASSIGN(std::string flow, PathResolver(sweep.path).find(sweep.flow, sweep.flowPlace));
  std::optional<llvm::Error> result;
  runThreadRanks(
      1,
      [&](Ranks &only) { result.emplace(Explorer(std::move(sweep), flow, options, only).run()); },
      [](Ranks &) {});
  return std::move(*result);
}

} // namespace spindle
