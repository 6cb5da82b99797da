// Numbers of a report that have a unit.
#pragma once

#include "core/support/formats/Json.h"

namespace spindle {

/// A number that has a unit, and the file it was read from or computed with.
inline Json quantity(double value, const char *unit, const std::string &source) {
  return {{"value", value}, {"unit", unit}, {"source", source}};
}
inline Json quantity(uint64_t value, const char *unit, const std::string &source) {
  return {{"value", value}, {"unit", unit}, {"source", source}};
}

/// a / b, and zero where nothing was counted.
inline double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

} // namespace spindle
