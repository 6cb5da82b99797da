#include "lib/emulation/layers/KernelText.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>

namespace spindle::layerwise {

std::string Names::fill(llvm::StringRef text) const {
  std::string result;
  while (!text.empty()) {
    auto [before, after] = text.split('$');
    result += before;
    if (before.size() == text.size())
      break;
    llvm::StringRef name = after.take_while(llvm::isAlnum);
    auto found = texts.find(name.str());
    assert(found != texts.end());
    result += found->second;
    text = after.drop_front(name.size());
  }
  return result;
}

std::string Names::list(int64_t count, llvm::StringRef text) const {
  Names numbered = *this;
  std::string list;
  for (int64_t k = 0; k < count; ++k)
    list += (k ? ", " : "") + numbered.set("k", k).fill(text);
  return list;
}

} // namespace spindle::layerwise
