#include "core/support/files/DataPath.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

std::string installedData(const std::string &program) {
  std::error_code status;
  if (program.empty())
    return "";
  fs::path folder = fs::path(program).parent_path().parent_path() / "share/spindle";
  return fs::is_directory(folder, status) ? folder.string() : "";
}

std::string installedData() {
  std::error_code status;
  return installedData(fs::read_symlink("/proc/self/exe", status).string());
}

std::string orInstalled(const std::string &path, const std::string &installed) {
  std::error_code status;
  if (installed.empty() || fs::exists(path, status))
    return path;
  fs::path namesake = fs::path(installed) / path;
  return fs::exists(namesake, status) ? namesake.string() : path;
}

std::vector<std::string> PathResolver::folders() const {
  std::error_code status;
  fs::path current = fs::current_path(status);
  std::vector<fs::path> tried, above;
  if (!file.empty()) {
    fs::path folder = fs::absolute(file, status).lexically_normal().parent_path();
    for (int level = 0; level < 3; ++level, folder = folder.parent_path())
      above.push_back(folder);
    tried = above;
  }
  tried.push_back(current);
  if (const char *data = std::getenv("SPINDLE_DATA"); data && *data)
    tried.push_back(data);
  tried.push_back(current / "../shared/data");
  for (const fs::path &folder : above)
    tried.push_back(folder / "../shared/data");
  if (!installed.empty())
    tried.push_back(installed);

  std::vector<std::string> names;
  for (const fs::path &folder : tried) {
    // Inside the current folder the short name reads better, and is the same on every machine.
    fs::path full = fs::absolute(folder, status).lexically_normal();
    fs::path shorter = full.lexically_relative(current);
    std::string name = (shorter.empty() || *shorter.begin() == ".." ? full : shorter).string();
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

llvm::Expected<std::string> PathResolver::find(const std::string &path,
                                               const std::string &place) const {
  std::error_code status;
  if (fs::path(path).is_absolute()) {
    if (fs::exists(path, status))
      return path;
    return inputError(place, fmt::format("'{}' does not exist", path));
  }
  std::vector<std::string> tried = folders();
  for (const std::string &folder : tried) {
    fs::path candidate = folder == "." ? fs::path(path) : fs::path(folder) / path;
    if (fs::exists(candidate, status))
      return candidate.lexically_normal().string();
  }
  return inputError(place, fmt::format("'{}' is in none of the folders {}; set SPINDLE_DATA to the "
                                       "folder that holds it",
                                       path, fmt::join(tried, ", ")));
}

} // namespace spindle
