#include "core/support/formats/Json.h"

#include "core/support/TextPlace.h"
#include "core/support/formats/JsonLimits.h"

#include "fmt/format.h"

#include <vector>

namespace spindle {

Json jsonHeader(FileFormat format) {
  Json header = Json::object();
  header["format"] = format.name;
  header["version"] = format.version;
  return header;
}

std::string jsonText(const Json &value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

llvm::Error writeJson(const std::string &path, const Json &value) {
  return writeFile(path, jsonText(value, 1) + "\n");
}

std::optional<JsonExcess> findExcess(llvm::StringRef text, int deepest) {
  std::vector<int> members = {0}; // of each list or object that is open, lists have none
  bool isText = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      isText = !isText;
    else if (isText)
      at += c == '\\';
    else if (c == '[' || c == '{')
      members.push_back(0);
    else if ((c == ']' || c == '}') && members.size() > 1)
      members.pop_back();
    else if (c == ':')
      ++members.back();
    if (members.size() > size_t(deepest) + 1)
      return JsonExcess{at,
                        fmt::format("lists and objects are nested deeper than {} levels", deepest)};
    if (members.back() > kMostJsonMembers)
      return JsonExcess{at, fmt::format("an object of more than {} members", kMostJsonMembers)};
  }
  return std::nullopt;
}

namespace {
/// Takes notice only of the first error.
struct ErrorFinder : nlohmann::json_sax<Json> {
  size_t end = 0; // of the token, which is where the text is wrong or ends too early
  std::string token;
  bool isNumber = false; // that is too large

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string &) override { return true; }
  bool string(std::string &) override { return true; }
  bool binary(Json::binary_t &) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(std::string &) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string &last,
                   const nlohmann::detail::exception &error) override {
    end = position;
    token = last;
    isNumber = error.id == 406;
    return false;
  }
};
} // namespace

llvm::Expected<Json> readJson(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  if (std::optional<JsonExcess> excess = findExcess(text))
    return inputError(textPlace(path, text, excess->at), excess->message);
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_discarded())
    return json;
  if (size_t at = findNotUtf8(text); at != llvm::StringRef::npos)
    return inputError(textPlace(path, text, at),
                      "not UTF-8, which JSON is written in; save the file as UTF-8");
  ErrorFinder finder;
  Json::sax_parse(text, &finder);
  if (finder.isNumber)
    return inputError(
        textPlace(path, text, finder.end - finder.token.size()),
        fmt::format("the number {} is too large, expected at most 1.8e308", excerpt(finder.token)));
  // `end` counts from one and is one past the end where the text stops too early.
  return inputError(textPlace(path, text, finder.end == 0 ? 0 : finder.end - 1),
                    "not valid JSON; the file is damaged or was cut off, write it again");
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
                                        jsonText(json["version"]), format.name, format.version));
  return json;
}

/// Appends the way from `from` to `value`; says whether it is part of it.
static bool findValue(const Json &from, const Json *value, std::string &way) {
  if (&from == value)
    return true;
  size_t before = way.size();
  for (const auto &member : from.items()) {
    way += from.is_array() ? fmt::format("[{}]", member.key())
                           : (before == 0 ? "" : ".") + member.key();
    if (member.value().is_structured() ? findValue(member.value(), value, way)
                                       : &member.value() == value)
      return true;
    way.resize(before);
  }
  return false;
}

static llvm::Error formatError(const std::string &path, llvm::StringRef message) {
  return inputError(path, "not a valid file of this format: " + message.str());
}

llvm::Error jsonError(const std::string &path, const Json &json, const JsonFault &fault) {
  std::string way;
  if (!findValue(json, fault.value, way))
    way = "a value";
  return formatError(path, (way.empty() ? "the file" : excerpt(way)) + " " + fault.message);
}

llvm::Error jsonError(const std::string &path, const nlohmann::json::exception &error) {
  llvm::StringRef what = error.what(); // [json.exception.type_error.302] message
  return formatError(path, excerpt(what.starts_with("[") ? what.split("] ").second : what, 400));
}

} // namespace spindle
