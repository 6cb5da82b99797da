// Names in emitted SystemVerilog: identifiers, no keywords, each used once.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace spindle::rtl {

/// Whether SystemVerilog (IEEE 1800-2017, annex B) reserves the word.
bool isKeyword(llvm::StringRef word);

/// The names of one module.
class Names {
public:
  /// A free name that reads like `wish`: other characters become underscores, `_2`, `_3`, … is
  /// appended where it is taken.
  std::string add(llvm::StringRef wish);

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> suffixes; // the last one that was tried, by wish
};

} // namespace spindle::rtl
