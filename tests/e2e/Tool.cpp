#include "tests/e2e/Tool.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace spindle::test {

namespace fs = std::filesystem;

std::string readText(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void writeText(const std::string &path, const std::string &text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

nlohmann::json readJsonFile(const std::string &path) {
  return nlohmann::json::parse(readText(path));
}

ToolResult runTool(const std::string &arguments) {
  return runShell(std::string("'") + SPINDLE_TOOL + "' " + arguments);
}

ToolResult runShell(const std::string &command) {
  ScratchFolder scratch;
  std::string redirected =
      command + " >'" + scratch / "out" + "' 2>'" + scratch / "err" + "' </dev/null";
  int status = std::system(redirected.c_str());
  ToolResult result;
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = readText(scratch / "out");
  result.errors = readText(scratch / "err");
  return result;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (fs::temp_directory_path() / "spindle-XXXXXX").string();
  path = mkdtemp(pattern.data());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

static void dropTiming(nlohmann::ordered_json &json) {
  if (!json.is_structured())
    return;
  if (json.is_object())
    json.erase("timing");
  for (auto &member : json)
    dropTiming(member);
}

/// The same in the report that the page holds: from `"timing":{` to its closing brace.
static void dropTiming(std::string &page) {
  const std::string start = "\"timing\":{";
  for (size_t at = page.find(start); at != std::string::npos; at = page.find(start, at)) {
    size_t end = at + start.size();
    for (int depth = 1; depth > 0 && end < page.size(); ++end)
      depth += page[end] == '{' ? 1 : page[end] == '}' ? -1 : 0;
    page.erase(at, end - at);
  }
}

std::map<std::string, std::string> filesWithoutTiming(const std::string &folder) {
  std::map<std::string, std::string> files;
  for (const auto &entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file())
      continue;
    std::string name = fs::relative(entry.path(), folder).string();
    std::string text = readText(entry.path().string());
    if (entry.path().extension() == ".json") {
      auto json = nlohmann::ordered_json::parse(text);
      dropTiming(json);
      text = json.dump();
    } else if (entry.path().extension() == ".html") {
      dropTiming(text);
    }
    files[name] = text;
  }
  return files;
}

std::string dataFolder() {
  if (const char *variable = std::getenv("SPINDLE_DATA"))
    return variable;
  return fs::exists("../shared/data") ? "../shared/data" : "";
}

} // namespace spindle::test
