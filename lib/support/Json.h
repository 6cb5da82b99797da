// JSON files of ours: format name, version, deterministic text, written whole or not at all.
#pragma once

#include "lib/support/File.h"

#include "nlohmann/json.hpp"

#include <string>

namespace spindle {

/// Keys keep the order in which they were set, so that files read as they were written.
using Json = nlohmann::ordered_json;

/// `{"format": name, "version": version}`: the start of every JSON file of ours.
Json jsonHeader(FileFormat format);

/// Writes to a temporary name beside `path` and renames it, so that no half file is left.
llvm::Error writeJson(const std::string &path, const Json &value);

/// Reads a JSON file; syntax errors carry file:line:column.
llvm::Expected<Json> readJson(const std::string &path);

/// Reads a JSON file of ours; refuses another format or version.
llvm::Expected<Json> readJson(const std::string &path, FileFormat format);

/// Calls `parse(json)` and turns the exceptions of the JSON library (missing key, wrong type) into
/// an input error at `path`. `parse` returns its result or an Expected of it.
template <typename Result, typename Parse>
llvm::Expected<Result> parseJson(const std::string &path, const Json &json, Parse parse) {
  try {
    return parse(json);
  } catch (const nlohmann::json::exception &error) {
    return inputError(path, std::string("not a valid file of this format: ") + error.what());
  }
}

} // namespace spindle
