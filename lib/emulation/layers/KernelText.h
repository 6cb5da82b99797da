// Kernels written as text: loops over rows in the func, scf, arith and llvm dialects, with names in
// place of what the shapes of a layer decide.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>

namespace spindle::layerwise {

/// What stands for `$name` in the text of a kernel.
class Names {
public:
  Names &set(const std::string &name, std::string text) {
    texts[name] = std::move(text);
    return *this;
  }
  Names &set(const std::string &name, int64_t value) { return set(name, std::to_string(value)); }
  /// Replaces every `$name`; a name is letters and digits. Names without a text are a defect of
  /// ours.
  std::string fill(llvm::StringRef text) const;
  /// `text` for every `$k` below `count`, with commas between.
  std::string list(int64_t count, llvm::StringRef text) const;

private:
  std::map<std::string, std::string> texts;
};

} // namespace spindle::layerwise
