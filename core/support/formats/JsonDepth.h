// How deep the lists and objects of JSON texts may be nested.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spindle {

/// The first bracket of a text that is nested more than `most` deep, or npos. The library would
/// copy such values with a stack as deep.
inline constexpr int kDeepestJson = 64; // lists and objects; our formats have fewer than ten
size_t findTooDeep(llvm::StringRef text, int most = kDeepestJson);

} // namespace spindle
