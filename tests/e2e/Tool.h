// Runs the built tool as a user would and shows what it printed and left behind.
#pragma once

#include "nlohmann/json.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace spindle::test {

struct ToolResult {
  int exitCode = -1;  // of the process; 128 + signal when it was killed
  std::string output; // standard output
  std::string errors; // standard error
};

/// Runs `spindle ARGUMENTS` in the repository's root, through a shell.
ToolResult runTool(const std::string &arguments);

/// Runs a command of the shell there.
ToolResult runShell(const std::string &command);

/// A new empty folder, removed with the object.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  std::string operator/(const std::string &name) const { return path + "/" + name; }
  std::string path;
};

/// Bytes of every file below a folder; members called `timing` are cut out of JSON files, and the
/// page's copy of them.
std::map<std::string, std::string> filesWithoutTiming(const std::string &folder);

nlohmann::json readJsonFile(const std::string &path);
void writeText(const std::string &path, const std::string &text);
std::string readText(const std::string &path);

/// The folder of the data sets, empty when there is none; tests then skip and say so.
std::string dataFolder();

} // namespace spindle::test
