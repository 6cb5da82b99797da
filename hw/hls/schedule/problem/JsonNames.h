// Things in JSON files that are named by others.
#pragma once

#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"

#include <map>
#include <string>
#include <vector>

namespace spindle::hls {

/// The names of a list, and how its members are referred to. Throws the JSON library's exceptions,
/// which parseJson turns into input errors.
class JsonNames {
public:
  /// `kind` is for errors: "operation".
  template <typename Things>
  JsonNames(const char *thingKind, const Things &things) : kind(thingKind) {
    for (const auto &thing : things) {
      names.push_back(thing.name);
      ++count[thing.name];
      first.try_emplace(thing.name, static_cast<unsigned>(names.size() - 1));
    }
  }

  /// The name, or the index if others have the same name.
  Json reference(unsigned index) const {
    const std::string &name = names[index];
    return count.at(name) == 1 ? Json(name) : Json(index);
  }

  /// The index for a name or an index; `where` is for errors.
  unsigned find(const Json &reference, const std::string &where) const {
    if (reference.is_number_unsigned() && reference.get<uint64_t>() < names.size())
      return reference.get<unsigned>();
    if (reference.is_string())
      if (auto known = count.find(reference.get<std::string>()); known != count.end()) {
        if (known->second == 1)
          return first.at(known->first);
        fail(reference, where + " names " + kind + " '" + known->first + "', of which there are " +
                            std::to_string(known->second) + ": use its index");
      }
    fail(reference, where + " refers to " + kind + " " + jsonText(reference) +
                        ", which is none of the " + std::to_string(names.size()));
  }

private:
  [[noreturn]] static void fail(const Json &reference, const std::string &message) {
    throw Json::type_error::create(302, message, &reference);
  }

  std::string kind;
  std::vector<std::string> names;
  std::map<std::string, unsigned> count, first;
};

/// Refuses keys that nobody reads: they are mostly misspelt.
inline void refuseUnknownKeys(const Json &json, const std::vector<std::string> &known,
                              const std::string &where) {
  std::string list;
  for (const std::string &key : known)
    list += (list.empty() ? "" : ", ") + key;
  for (const auto &[key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Json::type_error::create(
          302, where + " has unknown key '" + key + "', expected " + list, &json);
}

} // namespace spindle::hls
