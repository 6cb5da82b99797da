#include "lib/support/Json.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

Json jsonHeader(FileFormat format) {
  Json header = Json::object();
  header["format"] = format.name;
  header["version"] = format.version;
  return header;
}

llvm::Error writeJson(const std::string &path, const Json &value) {
  return writeFile(path, value.dump(1) + "\n");
}

llvm::Expected<Json> readJson(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error &error) {
    // `byte` counts from one and is one past the end where the text stops too early.
    std::string before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    auto line = 1 + std::count(before.begin(), before.end(), '\n');
    size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    return inputError(fmt::format("{}:{}:{}", path, line, column),
                      "not valid JSON; the file is damaged or was cut off, write it again");
  }
}

llvm::Expected<Json> readJson(const std::string &path, FileFormat format) {
  SPINDLE_ASSIGN(Json json, readJson(path));
  auto isHeader = json.is_object() && json.contains("format") && json["format"].is_string() &&
                  json.contains("version") && json["version"].is_number_integer();
  if (!isHeader || json["format"] != format.name)
    return inputError(path, fmt::format("not a {} file", format.name));
  if (json["version"] != format.version)
    return inputError(path, fmt::format("version {} of {}, expected version {}; run the stage that "
                                        "writes it again",
                                        json["version"].get<int>(), format.name, format.version));
  return json;
}

} // namespace spindle
