// Values of JSON files with the type that a format gives them. The library would wrap -1, cut 1.5
// and take an object for a list without a word. All throw a JsonFault, for parseJson to catch.
#pragma once

#include "core/support/formats/Json.h"

#include <limits>

namespace spindle {

/// Throws `is 3, expected a text` for this value.
[[noreturn]] void refuseValue(const Json &value, const std::string &expected);

/// A member of an object.
const Json &memberAt(const Json &object, const char *key);
/// An entry of a list.
const Json &entryAt(const Json &list, size_t index);
/// Refuses a list of more entries.
void refuseMore(const Json &list, size_t most);

/// The value, which must be a list.
const Json &listValue(const Json &value);
inline const Json &listAt(const Json &object, const char *key) {
  return listValue(memberAt(object, key));
}
/// The value, which must be an object.
const Json &objectValue(const Json &value);

std::string textValue(const Json &value);
inline std::string textAt(const Json &object, const char *key) {
  return textValue(memberAt(object, key));
}

double numberValue(const Json &value);
inline double numberAt(const Json &object, const char *key) {
  return numberValue(memberAt(object, key));
}

bool flagValue(const Json &value);

/// A whole number from 0 to `largest`.
uint64_t wholeNumber(const Json &value, uint64_t largest);

template <typename Integer> Integer unsignedValue(const Json &value) {
  return static_cast<Integer>(wholeNumber(value, std::numeric_limits<Integer>::max()));
}
template <typename Integer> Integer unsignedAt(const Json &object, const char *key) {
  return unsignedValue<Integer>(memberAt(object, key));
}

/// A whole number that may be below zero.
int64_t signedValue(const Json &value);

} // namespace spindle
