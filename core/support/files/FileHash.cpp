#include "core/support/files/FileHash.h"

#include "core/support/files/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <fstream>
#include <vector>

namespace spindle {

static std::string digits(llvm::BLAKE3 &hasher) {
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

llvm::Expected<std::string> hashFile(const std::string &path) {
  SPINDLE_ASSIGN(std::ifstream stream, openFile(path));
  llvm::BLAKE3 hasher;
  std::vector<char> block(1 << 20);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
         stream.gcount() > 0)
    hasher.update(llvm::StringRef(block.data(), static_cast<size_t>(stream.gcount())));
  if (stream.bad())
    return inputError(path, "cannot read");
  return digits(hasher);
}

std::string hashText(const std::string &text) {
  llvm::BLAKE3 hasher;
  hasher.update(text);
  return digits(hasher);
}

} // namespace spindle
