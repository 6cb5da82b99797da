#include "tools/spindle/explore/Explore.h"

#include "core/run/Exploration.h"
#include "core/support/files/File.h"
#include "lib/exploration/ExplorationTable.h"
#include "lib/report/ExplorationPage.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

static llvm::Expected<std::vector<ExploredPoint>> readPoints(const std::string &folder) {
  std::vector<ExploredPoint> points;
  std::error_code status;
  for (fs::directory_iterator at(folder + "/points", status), end; !status && at != end;
       at.increment(status)) {
    std::string path = (at->path() / "point.json").string();
    std::error_code absent;
    if (!fs::exists(fs::symlink_status(path, absent))) // in flight
      continue;
    SPINDLE_ASSIGN(ExploredPoint point, readExploredPoint(path));
    std::string id = pointId(point.settings), folderName = at->path().filename().string();
    if (id != folderName)
      return inputError(path, fmt::format("is the point '{}', expected '{}', as its folder is "
                                          "named; spindle explore makes it again",
                                          id, folderName));
    points.push_back(std::move(point));
  }
  sortPoints(points);
  return points;
}

llvm::Error collectPoints(const std::string &folder) {
  std::error_code absent;
  if (!fs::exists(folder + "/exploration.json", absent))
    return inputError(folder, "holds no exploration; spindle explore SWEEP.yaml --out makes one");
  SPINDLE_ASSIGN(Exploration exploration, readExploration(folder + "/exploration.json"));
  SPINDLE_ASSIGN(std::vector<ExploredPoint> points, readPoints(folder));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/points.csv", csvOf(exploration, points)));
  SPINDLE_RETURN_IF_ERROR(writeDatabase(folder + "/points.sqlite", exploration, points));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/front.html", explorationPage(exploration, points)));
  auto isFailed = [](const ExploredPoint &point) { return !point.error.empty(); };
  std::vector<Standing> standings = standingsOf(exploration, points);
  fmt::print("{} points, {} failed, {} on the front: {}/front.html, points.csv, points.sqlite\n",
             points.size(), std::ranges::count_if(points, isFailed),
             std::ranges::count_if(standings, &Standing::isOnFront), folder);
  return llvm::Error::success();
}

} // namespace spindle
