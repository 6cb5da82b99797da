// JSON files of ours: format name, version, deterministic text, written whole or not at all.
#pragma once

#include "core/support/files/File.h"

#include "nlohmann/json.hpp"

#include <string>

namespace spindle {

/// Keys keep the order in which they were set, so that files read as they were written.
using Json = nlohmann::ordered_json;

/// `{"format": name, "version": version}`: the start of every JSON file of ours.
Json jsonHeader(FileFormat format);

/// The text of a value, in one line unless `indent` is given. Text that is not UTF-8, of file names
/// for instance, gets a replacement character for what JSON cannot hold.
std::string jsonText(const Json &value, int indent = -1);

/// Writes to a temporary name beside `path` and renames it, so that no half file is left.
llvm::Error writeJson(const std::string &path, const Json &value);

/// Reads a JSON file. Syntax errors, text that is not UTF-8, numbers beyond a double and nesting
/// beyond what any format has carry file:line:column.
llvm::Expected<Json> readJson(const std::string &path);

/// Reads a JSON file of ours; refuses another format or version.
llvm::Expected<Json> readJson(const std::string &path, FileFormat format);

/// What readers of values throw (JsonValues.h), for parseJson to catch.
struct JsonFault {
  const Json *value;   // part of what is parsed
  std::string message; // goes on after the name of the value: `is 3, expected a text`
};

/// The error of a fault: its value is named by the way from the top, `actors[3].name`.
llvm::Error jsonError(const std::string &path, const Json &json, const JsonFault &fault);
llvm::Error jsonError(const std::string &path, const nlohmann::json::exception &error);

/// Calls `parse(json)` and turns faults and the exceptions of the JSON library into an input error
/// at `path`. `parse` returns its result or an Expected of it.
template <typename Result, typename Parse>
llvm::Expected<Result> parseJson(const std::string &path, const Json &json, Parse parse) {
  try {
    return parse(json);
  } catch (const JsonFault &fault) {
    return jsonError(path, json, fault);
  } catch (const nlohmann::json::exception &error) {
    return jsonError(path, error);
  }
}

} // namespace spindle
