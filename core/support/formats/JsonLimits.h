// How much of everything JSON texts may have that the library is made for.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace spindle {

/// Lists and objects in one another, which the library copies with a stack as deep; our formats
/// have fewer than ten.
inline constexpr int kDeepestJson = 64;
/// Members of an object, which the library finds one after the other.
inline constexpr int kMostJsonMembers = 20'000;

/// What is more than that, and where it begins.
struct JsonExcess {
  size_t at;
  std::string message;
};

/// The first of a text, which need not be valid.
std::optional<JsonExcess> findExcess(llvm::StringRef text, int deepest = kDeepestJson);

} // namespace spindle
