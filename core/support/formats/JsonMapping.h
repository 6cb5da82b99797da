// JSON files of ours as one description of their nouns, by which they are both written and read:
//
//   static void describe(auto &file, MaybeConst<Route> auto &route) {
//     file.field("from", orNull(route.from, kNone));
//     file.field("tiles", route.tiles);
//   }
//   … writeDescribed(path, format, route), readDescribed<Route>(path, format)
//
// A noun is constant where it is written. Nothing is sized by what a file claims; what does not fit
// is refused by the way from the top: `routes[3].tiles[0] is -1, expected …`.
#pragma once

#include "core/support/formats/JsonValues.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <type_traits>

namespace spindle {

template <typename T, typename Noun>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Noun>;

/// Numbers, texts, lists, objects by name (maps), nothing as null (optionals), what has a
/// description, and the adapters below.
template <typename T> void readInto(const Json &json, T &&value);
template <typename T> Json jsonOf(const T &value);

/// Reads the members of an object, or the entries of a list. JsonWriter has the same functions.
class JsonReader {
public:
  explicit JsonReader(const Json &from) : json(from) {}

  /// Must be there.
  template <typename T> void field(const char *key, T &&value) {
    readInto(memberAt(json, key), value);
  }
  /// Is always written; older files lack it.
  template <typename T>
  void fieldOr(const char *key, T &value, const std::type_identity_t<T> &otherwise) {
    if (json.contains(key))
      field(key, value);
    else
      value = otherwise;
  }
  /// Is left out where it is what it usually is.
  template <typename T>
  void fieldUnless(const char *key, T &value, const std::type_identity_t<T> &usual) {
    fieldOr(key, value, usual);
  }
  /// Is left out where there is none.
  template <typename T> void optional(const char *key, std::optional<T> &value) {
    value.reset();
    if (json.contains(key))
      field(key, value.emplace());
  }
  template <typename T, typename Describe>
  void optional(const char *key, std::optional<T> &value, Describe describeIt) {
    value.reset();
    if (json.contains(key))
      group(key, [&](JsonReader &member) { describeIt(member, value.emplace()); });
  }
  /// A list of which `describeEach(file, value)` describes an entry.
  template <typename T, typename Describe>
  void list(const char *key, std::vector<T> &values, Describe describeEach) {
    values.clear();
    for (const Json &entry : listAt(json, key)) {
      JsonReader reader(entry);
      describeEach(reader, values.emplace_back());
    }
  }
  /// An object in the file that is none in the program: `describeMembers(file)`.
  template <typename Describe> void group(const char *key, Describe describeMembers) {
    JsonReader member(memberAt(json, key));
    describeMembers(member);
  }
  /// In place of members: a list with one entry for each value.
  template <typename... Values> void entries(Values &&...values) {
    refuseMore(json, sizeof...(values));
    size_t index = 0;
    (readInto(entryAt(json, index++), values), ...);
  }
  /// A word that is always the same.
  void constant(const char *key, const char *word) {
    if (textAt(json, key) != word)
      refuseValue(memberAt(json, key), word);
  }
  /// Is written, `value()`, beside what it follows from, and not read.
  template <typename Value> void derived(const char *, Value) {}
  /// A text, left out where it is empty.
  template <typename Value> void derivedText(const char *, Value) {}
  /// Whether the member is there; whether it is written.
  bool has(const char *key, bool) const { return json.contains(key); }
  /// What a value is that no member gives.
  template <typename T> void assume(T &value, const std::type_identity_t<T> &otherwise) {
    value = otherwise;
  }
  /// Refuses the member unless it is as it must be.
  void require(const char *key, bool isRight, const std::string &expected) {
    if (!isRight)
      refuseValue(memberAt(json, key), expected);
  }

private:
  const Json &json;
};

class JsonWriter {
public:
  explicit JsonWriter(Json &to) : json(to) {}

  template <typename T> void field(const char *key, const T &value) { json[key] = jsonOf(value); }
  template <typename T>
  void fieldOr(const char *key, const T &value, const std::type_identity_t<T> &) {
    field(key, value);
  }
  template <typename T>
  void fieldUnless(const char *key, const T &value, const std::type_identity_t<T> &usual) {
    if (value != usual)
      field(key, value);
  }
  template <typename T> void optional(const char *key, const std::optional<T> &value) {
    if (value)
      field(key, *value);
  }
  template <typename T, typename Describe>
  void optional(const char *key, const std::optional<T> &value, Describe describeIt) {
    if (value)
      group(key, [&](JsonWriter &member) { describeIt(member, *value); });
  }
  template <typename T, typename Describe>
  void list(const char *key, const std::vector<T> &values, Describe describeEach) {
    Json entries = Json::array();
    for (const T &value : values) {
      JsonWriter writer(entries.emplace_back());
      describeEach(writer, value);
    }
    json[key] = std::move(entries);
  }
  template <typename Describe> void group(const char *key, Describe describeMembers) {
    Json members = Json::object();
    JsonWriter writer(members);
    describeMembers(writer);
    json[key] = std::move(members);
  }
  template <typename... Values> void entries(const Values &...values) {
    json = Json::array();
    (json.push_back(jsonOf(values)), ...);
  }
  void constant(const char *key, const char *word) { json[key] = word; }
  template <typename Value> void derived(const char *key, Value value) { field(key, value()); }
  template <typename Value> void derivedText(const char *key, Value value) {
    if (std::string text = value(); !text.empty())
      json[key] = text;
  }
  bool has(const char *, bool isWritten) const { return isWritten; }
  template <typename T> void assume(const T &, const std::type_identity_t<T> &) {}
  void require(const char *, bool, const std::string &) {}

private:
  Json &json;
};

/// A value of which one stands for nothing: null.
template <typename T> struct NullOr {
  T &value;
  std::remove_const_t<T> none;
  Json toJson() const { return value == none ? Json() : jsonOf(value); }
  void readFrom(const Json &json) {
    if (json.is_null())
      value = none;
    else
      readInto(json, value);
  }
};
template <typename T> NullOr<T> orNull(T &value, const std::type_identity_t<T> &none) {
  return {value, none};
}

/// An enum as a word; `names` in the order of its values.
template <typename T> struct Word {
  T &value;
  llvm::ArrayRef<const char *> names;
  const char *expected; // `stream or memory`
  Json toJson() const { return names[static_cast<size_t>(value)]; }
  void readFrom(const Json &json) {
    const auto *found = std::find(names.begin(), names.end(), textValue(json));
    if (found == names.end())
      refuseValue(json, expected);
    value = static_cast<T>(found - names.begin());
  }
};
template <typename T>
Word<T> wordOf(T &value, llvm::ArrayRef<const char *> names, const char *expected) {
  return {value, names, expected};
}

/// Numbers that have to fit a narrower type than theirs, `Narrow`, which is unsigned.
template <typename Narrow, typename T> struct Within {
  T &value;
  Json toJson() const { return jsonOf(value); }
  void readFrom(const Json &json) {
    if constexpr (std::integral<T>) {
      value = unsignedValue<Narrow>(json);
    } else {
      value.clear();
      for (const Json &entry : listValue(json))
        value.push_back(unsignedValue<Narrow>(entry));
    }
  }
};
template <typename Narrow, typename T> Within<Narrow, T> within(T &value) { return {value}; }

namespace detail {
template <typename T> inline constexpr bool isList = false;
template <typename T> inline constexpr bool isList<std::vector<T>> = true;
template <typename T> inline constexpr bool isMap = false;
template <typename T> inline constexpr bool isMap<std::map<std::string, T>> = true;
template <typename T> inline constexpr bool isOptional = false;
template <typename T> inline constexpr bool isOptional<std::optional<T>> = true;
} // namespace detail

template <typename T> void readInto(const Json &json, T &&value) {
  using Value = std::remove_reference_t<T>;
  if constexpr (requires { value.readFrom(json); }) {
    value.readFrom(json);
  } else if constexpr (std::same_as<Value, Json>) {
    value = objectValue(json);
  } else if constexpr (std::same_as<Value, bool>) {
    value = flagValue(json);
  } else if constexpr (std::unsigned_integral<Value>) {
    value = unsignedValue<Value>(json);
  } else if constexpr (std::same_as<Value, int64_t>) {
    value = signedValue(json);
  } else if constexpr (std::same_as<Value, double>) {
    value = numberValue(json);
  } else if constexpr (std::same_as<Value, std::string>) {
    value = textValue(json);
  } else if constexpr (detail::isList<Value>) {
    value.clear();
    for (const Json &entry : listValue(json))
      readInto(entry, value.emplace_back());
  } else if constexpr (detail::isMap<Value>) {
    value.clear();
    for (const auto &[key, member] : objectValue(json).items())
      readInto(member, value[key]);
  } else if constexpr (detail::isOptional<Value>) {
    value.reset();
    if (!json.is_null())
      readInto(json, value.emplace());
  } else {
    JsonReader reader(json);
    describe(reader, value);
  }
}

template <typename T> Json jsonOf(const T &value) {
  if constexpr (requires { value.toJson(); }) {
    return value.toJson();
  } else if constexpr (detail::isList<T>) {
    Json list = Json::array();
    for (const auto &entry : value)
      list.push_back(jsonOf(entry));
    return list;
  } else if constexpr (detail::isMap<T>) {
    Json members = Json::object();
    for (const auto &[key, member] : value)
      members[key] = jsonOf(member);
    return members;
  } else if constexpr (detail::isOptional<T>) {
    return value ? jsonOf(*value) : Json();
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string> ||
                       std::same_as<T, Json>) {
    return Json(value);
  } else {
    Json json;
    JsonWriter writer(json);
    describe(writer, value);
    return json;
  }
}

/// Reads a file of ours; `context` goes to the description after the noun. Errors as those of
/// readJson and parseJson.
template <typename Noun, typename... Context>
llvm::Expected<Noun> readDescribed(const std::string &path, FileFormat format,
                                   const Context &...context) {
  SPINDLE_ASSIGN(Json json, readJson(path, format));
  return parseJson<Noun>(path, json, [&](const Json &file) {
    Noun noun{};
    JsonReader reader(file);
    describe(reader, noun, context...);
    return noun;
  });
}

template <typename Noun, typename... Context>
llvm::Error writeDescribed(const std::string &path, FileFormat format, const Noun &noun,
                           const Context &...context) {
  Json json = jsonHeader(format);
  JsonWriter writer(json);
  describe(writer, noun, context...);
  return writeJson(path, json);
}

} // namespace spindle
