// How YAML values and words appear in error messages. Private to this folder.
#pragma once

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "yaml-cpp/yaml.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <string>

namespace spindle {

/// How a value reads in an error: the scalar itself, or what it is instead.
inline std::string describe(const YAML::Node &node) {
  if (node.IsMap())
    return "a mapping";
  if (node.IsSequence())
    return "a list";
  if (!node.IsDefined() || node.IsNull())
    return "empty";
  return fmt::format("'{}'", excerpt(node.Scalar()));
}

inline constexpr size_t kLongestWord = 200; // comparing two takes the product of their lengths

/// ` (did you mean 'columns'?)`, or nothing when no word is near; none is to what is no word.
template <typename Words> std::string suggestion(llvm::StringRef wrong, const Words &words) {
  if (wrong.size() > kLongestWord)
    return "";
  unsigned nearest = std::max<unsigned>(wrong.size() < 5 ? 1 : 2, wrong.size() / 3) + 1;
  std::string best;
  for (llvm::StringRef word : words)
    if (unsigned distance = wrong.edit_distance(word); distance < nearest) {
      nearest = distance;
      best = word.str();
    }
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best);
}

/// ` (did you mean 'columns'?)`, or where no word is near `, expected columns or rows`; nothing
/// where there are too many to read.
template <typename Words> std::string instead(llvm::StringRef wrong, const Words &words) {
  std::string near = suggestion(wrong, words);
  if (!near.empty() || words.empty() || words.size() > 16)
    return near;
  std::string list;
  for (size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + std::string(words[i]);
  return ", expected " + list;
}

} // namespace spindle
