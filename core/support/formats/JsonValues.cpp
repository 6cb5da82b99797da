#include "core/support/formats/JsonValues.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"

namespace spindle {

void refuseValue(const Json &value, const std::string &expected) {
  std::string found = value.is_object()  ? "an object"
                      : value.is_array() ? "a list"
                      : value.is_string()
                          ? fmt::format("'{}'", excerpt(value.get_ref<const std::string &>()))
                          : jsonText(value);
  throw JsonFault{&value, fmt::format("is {}, expected {}", found, expected)};
}

const Json &memberAt(const Json &object, const char *key) {
  if (!object.is_object())
    refuseValue(object, fmt::format("an object with '{}'", key));
  auto member = object.find(key);
  if (member == object.end())
    throw JsonFault{&object, fmt::format("has no member '{}'", key)};
  return *member;
}

const Json &entryAt(const Json &list, size_t index) {
  if (index >= listValue(list).size())
    throw JsonFault{&list,
                    fmt::format("has {} entries, expected at least {}", list.size(), index + 1)};
  return list[index];
}

void refuseMore(const Json &list, size_t most) {
  if (listValue(list).size() > most)
    throw JsonFault{&list, fmt::format("has {} entries, expected {}", list.size(), most)};
}

const Json &listValue(const Json &value) {
  if (!value.is_array())
    refuseValue(value, "a list");
  return value;
}

const Json &objectValue(const Json &value) {
  if (!value.is_object())
    refuseValue(value, "an object");
  return value;
}

std::string textValue(const Json &value) {
  if (!value.is_string())
    refuseValue(value, "a text");
  return value.get<std::string>();
}

double numberValue(const Json &value) {
  if (!value.is_number())
    refuseValue(value, "a number");
  return value.get<double>();
}

bool flagValue(const Json &value) {
  if (!value.is_boolean())
    refuseValue(value, "true or false");
  return value.get<bool>();
}

uint64_t wholeNumber(const Json &value, uint64_t largest) {
  // Values that were not parsed may be unsigned without being stored so.
  bool isWhole = value.is_number_unsigned() || (value.is_number_integer() && value >= 0);
  if (!isWhole || value.get<uint64_t>() > largest)
    refuseValue(value, fmt::format("a whole number from 0 to {}", largest));
  return value.get<uint64_t>();
}

int64_t signedValue(const Json &value) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                    most = std::numeric_limits<int64_t>::max();
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(most)))
    refuseValue(value, fmt::format("a whole number from {} to {}", least, most));
  return value.get<int64_t>();
}

} // namespace spindle
