#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

namespace spindle {

std::string textPlace(const std::string &path, llvm::StringRef text, size_t offset) {
  llvm::StringRef before = text.take_front(offset);
  return fmt::format("{}:{}:{}", path, 1 + before.count('\n'),
                     before.size() - (before.rfind('\n') + 1) + 1);
}

size_t findNotUtf8(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin()), *at = begin;
  bool isLegal = llvm::isLegalUTF8String(&at, begin + text.size());
  return isLegal ? llvm::StringRef::npos : static_cast<size_t>(at - begin);
}

std::string excerpt(llvm::StringRef text, size_t most) {
  size_t end = std::min(most, text.size());
  while (end > 0 && end < text.size() && (text[end] & 0xc0) == 0x80) // within a character
    --end;
  bool isWhole = end == text.size();
  text = text.take_front(end);
  std::string line;
  while (!text.empty()) {
    size_t good = std::min(findNotUtf8(text), text.size());
    line += text.take_front(good);
    line += good < text.size() ? "�" : "";
    text = text.drop_front(std::min(good + 1, text.size()));
  }
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return isWhole ? line : line + "…";
}

} // namespace spindle
