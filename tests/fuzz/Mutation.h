// Damage to files as transport, editors and enemies do it.
#pragma once

#include "core/support/CounterRandom.h"

#include <string>

namespace spindle {

/// The bytes with one to four changes: bits, bytes and integers are overwritten, ranges cut out,
/// doubled or taken from `other`, the end is cut off, decimal numbers are replaced by those at the
/// edges of types.
std::string mutated(std::string bytes, const std::string &other, CounterRandom &random);

} // namespace spindle
