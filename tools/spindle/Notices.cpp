#include "tools/spindle/Notices.h"

#include <cstdio>

namespace spindle {

void printNotice(llvm::StringRef line) {
  std::string text = line.str() + '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace spindle
