#include "core/support/formats/Yaml.h"

#include "core/support/formats/YamlText.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <charconv>
#include <cmath>

namespace spindle {

struct YamlReader::State {
  struct Mapping {
    std::string path;
    YAML::Node node;
    std::vector<std::string> known; // keys that were asked for
  };
  struct Problem {
    std::string place, message;
  };

  /// The record of the mapping at `dottedPath`, made on the first visit.
  Mapping &visit(const std::string &dottedPath, const YAML::Node &mapping) {
    auto found = llvm::find_if(mappings, [&](const Mapping &m) { return m.path == dottedPath; });
    if (found != mappings.end())
      return *found;
    return mappings.emplace_back(Mapping{dottedPath, mapping, {}});
  }
  void know(const std::string &dottedPath, const YAML::Node &mapping, const std::string &key) {
    std::vector<std::string> &known = visit(dottedPath, mapping).known;
    if (!llvm::is_contained(known, key))
      known.push_back(key);
  }
  static void record(std::optional<Problem> &slot, std::string place, std::string message) {
    if (!slot)
      slot = Problem{std::move(place), std::move(message)};
  }

  YamlDocument document;
  std::vector<Mapping> mappings;  // in order of the first visit
  std::optional<Problem> wrong;   // the first wrong value
  std::optional<Problem> missing; // the first absent key; often the other half of an unknown one
};

YamlReader::YamlReader(const YamlDocument &document)
    : state(std::make_shared<State>()), node(document.root()) {
  state->document = document;
  if (!node.IsNull() && !node.IsMap())
    State::record(state->wrong, document.placeOf("", node),
                  fmt::format("the file is {}, expected a mapping of keys", describe(node)));
  state->visit(path, node);
}

YamlReader::YamlReader(std::shared_ptr<State> shared, YAML::Node mapping, std::string dottedPath)
    : state(std::move(shared)), node(mapping), path(std::move(dottedPath)) {
  state->visit(path, node);
}

std::string YamlReader::dotted(const std::string &key) const {
  return path.empty() ? key : path + "." + key;
}

bool YamlReader::has(const std::string &key) const {
  const YAML::Node &mapping = node; // the const operator[] does not insert
  return mapping.IsMap() && mapping[key].IsDefined();
}

bool YamlReader::isMapping(const std::string &key) const {
  const YAML::Node &mapping = node;
  return has(key) && mapping[key].IsMap();
}

YAML::Node YamlReader::find(const std::string &key) {
  state->know(path, node, key);
  const YAML::Node &mapping = node;
  return has(key) ? mapping[key] : YAML::Node(YAML::NodeType::Undefined);
}

std::string YamlReader::place(const std::string &key) const {
  const YAML::Node &mapping = node;
  if (!has(key))
    return state->document.placeOf(path, node);
  YAML::Node at = mapping[key];
  if (at.IsNull()) // yaml-cpp puts an empty value at the next word of the file
    for (const auto &member : mapping)
      if (member.first.Scalar() == key)
        at.reset(member.first);
  return state->document.placeOf(dotted(key), at);
}

void YamlReader::fail(const std::string &key, const std::string &message) {
  State::record(state->wrong, place(key), message);
}

void YamlReader::require(const std::string &key) {
  state->know(path, node, key);
  if (!has(key))
    State::record(state->missing, place(key),
                  path.empty() ? fmt::format("key '{}' is missing", key)
                               : fmt::format("key '{}' is missing in {}", key, path));
}

namespace {

bool parseScalar(const YAML::Node &node, std::string &value) {
  value = node.Scalar();
  return true;
}

bool parseScalar(const YAML::Node &node, bool &value) {
  value = node.Scalar() == "true";
  return value || node.Scalar() == "false";
}

// from_chars, not node.as<T>(): no locale, and 010 is ten.
template <typename Number> bool parseNumber(llvm::StringRef text, Number &value) {
  if (text.starts_with("+") && !text.starts_with("+-"))
    text = text.drop_front();
  auto [end, status] = std::from_chars(text.begin(), text.end(), value);
  return status == std::errc() && end == text.end();
}

bool parseScalar(const YAML::Node &node, int64_t &value) {
  return parseNumber(node.Scalar(), value);
}

bool parseScalar(const YAML::Node &node, double &value) {
  return parseNumber(node.Scalar(), value) && std::isfinite(value);
}

template <typename Number> std::string rangeText(Number least, Number most) {
  using Limits = std::numeric_limits<Number>;
  bool noLeast = least == (Limits::has_infinity ? -Limits::infinity() : Limits::min());
  bool noMost = most == (Limits::has_infinity ? Limits::infinity() : Limits::max());
  if (noMost)
    return fmt::format("at least {}", least);
  return noLeast ? fmt::format("at most {}", most) : fmt::format("{} to {}", least, most);
}

} // namespace

template <typename T>
bool YamlReader::scalar(const std::string &key, T &value, const char *expected) {
  YAML::Node found = find(key);
  if (!found.IsDefined())
    return false;
  T parsed;
  if (!found.IsScalar() || !parseScalar(found, parsed)) {
    fail(key, fmt::format("{} is {}, expected {}", key, describe(found), expected));
    return false;
  }
  value = parsed;
  return true;
}

template <typename T>
void YamlReader::list(const std::string &key, std::vector<T> &values, const char *expected) {
  YAML::Node found = find(key);
  if (!found.IsDefined())
    return;
  if (!found.IsScalar() && !found.IsSequence())
    return fail(key,
                fmt::format("{} is {}, expected a list of {}s", key, describe(found), expected));
  std::vector<T> parsed(found.IsScalar() ? 1 : found.size());
  for (size_t i = 0; i < parsed.size(); ++i) {
    YAML::Node element = found.IsScalar() ? found : found[i];
    if (!element.IsScalar() || !parseScalar(element, parsed[i]))
      return State::record(
          state->wrong, state->document.placeOf(dotted(key), element),
          fmt::format("{}[{}] is {}, expected one {}", key, i, describe(element), expected));
  }
  values = std::move(parsed);
}

void YamlReader::read(const std::string &key, std::string &value) { scalar(key, value, "a word"); }

void YamlReader::read(const std::string &key, bool &value) { scalar(key, value, "true or false"); }

void YamlReader::read(const std::string &key, double &value, double least, double most) {
  double parsed;
  if (!scalar(key, parsed, "a number"))
    return;
  if (parsed < least || parsed > most)
    return fail(key, fmt::format("{} is {}, expected {}", key, parsed, rangeText(least, most)));
  value = parsed;
}

void YamlReader::read(const std::string &key, int64_t &value, int64_t least, int64_t most) {
  int64_t parsed;
  if (!scalar(key, parsed, "an integer"))
    return;
  if (parsed < least || parsed > most)
    return fail(key, fmt::format("{} is {}, expected {}", key, parsed, rangeText(least, most)));
  value = parsed;
}

void YamlReader::read(const std::string &key, std::vector<int64_t> &values) {
  list(key, values, "integer");
}
void YamlReader::read(const std::string &key, std::vector<double> &values) {
  list(key, values, "number");
}
void YamlReader::read(const std::string &key, std::vector<std::string> &values) {
  list(key, values, "word");
}

std::optional<size_t> YamlReader::readWord(const std::string &key,
                                           llvm::ArrayRef<const char *> names) {
  std::string word;
  if (!scalar(key, word, "a word"))
    return std::nullopt;
  for (size_t i = 0; i < names.size(); ++i)
    if (word == names[i])
      return i;
  std::string words = names.front();
  for (size_t i = 1; i < names.size(); ++i)
    words += (i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
  fail(key, fmt::format("{} is '{}', expected {}{}", key, excerpt(word), words,
                        suggestion(word, names)));
  return std::nullopt;
}

YamlReader YamlReader::section(const std::string &key) {
  YAML::Node found = find(key);
  if (found.IsDefined() && !found.IsNull() && !found.IsMap())
    fail(key, fmt::format("{} is {}, expected a mapping", key, describe(found)));
  return YamlReader(state, found.IsDefined() ? found : YAML::Node(), dotted(key));
}

std::vector<YamlReader> YamlReader::sequence(const std::string &key) {
  std::vector<YamlReader> readers;
  YAML::Node found = find(key);
  if (!found.IsDefined() || found.IsNull())
    return readers;
  if (!found.IsSequence()) {
    fail(key, fmt::format("{} is {}, expected a list of mappings", key, describe(found)));
    return readers;
  }
  for (size_t i = 0; i < found.size(); ++i) {
    std::string name = fmt::format("{}[{}]", key, i);
    if (!found[i].IsMap())
      State::record(state->wrong, state->document.placeOf(dotted(name), found[i]),
                    fmt::format("{} is {}, expected a mapping", name, describe(found[i])));
    readers.push_back(YamlReader(state, found[i], dotted(name)));
  }
  return readers;
}

std::vector<std::string> YamlReader::keys() {
  std::vector<std::string> names;
  if (node.IsMap())
    for (const auto &member : node) {
      names.push_back(member.first.Scalar());
      state->know(path, node, names.back());
    }
  return names;
}

llvm::Error YamlReader::finish() {
  if (state->wrong)
    return inputError(state->wrong->place, state->wrong->message);
  for (const State::Mapping &mapping : state->mappings) {
    llvm::StringRef at = mapping.path;
    bool inside =
        path.empty() || at == path || at.starts_with(path + ".") || at.starts_with(path + "[");
    if (!inside || !mapping.node.IsMap())
      continue;
    for (const auto &member : mapping.node) {
      const std::string &key = member.first.Scalar();
      if (llvm::is_contained(mapping.known, key))
        continue;
      std::string full = at.empty() ? key : mapping.path + "." + key;
      return inputError(state->document.placeOf(full, member.first),
                        fmt::format("unknown key '{}'{}{}", excerpt(key),
                                    at.empty() ? "" : " in " + mapping.path,
                                    instead(key, mapping.known)));
    }
  }
  if (state->missing)
    return inputError(state->missing->place, state->missing->message);
  return llvm::Error::success();
}

} // namespace spindle
