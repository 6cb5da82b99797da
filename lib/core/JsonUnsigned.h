// Whole numbers of JSON files: the library would wrap -1 and cut 1.5 without a word.
#pragma once

#include "lib/support/Json.h"

#include "fmt/format.h"

#include <limits>

namespace spindle {

/// `value` as an unsigned integer within the range of `Integer`; `name` is for the error. Throws
/// the JSON library's type_error, which parseJson turns into an input error.
template <typename Integer> Integer unsignedValue(const Json &value, const char *name) {
  constexpr uint64_t largest = std::numeric_limits<Integer>::max();
  if (!value.is_number_unsigned() || value.get<uint64_t>() > largest)
    throw Json::type_error::create(
        302,
        fmt::format("{} is {}, expected a whole number from 0 to {}", name, value.dump(), largest),
        &value);
  return value.get<Integer>();
}

/// json[key], likewise.
template <typename Integer> Integer unsignedAt(const Json &json, const char *key) {
  return unsignedValue<Integer>(json.at(key), key);
}

} // namespace spindle
