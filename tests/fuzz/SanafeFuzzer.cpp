// Files of SANA-FE: an architecture and a network with its mappings, parted by a line of `%`.
// Numbers of more than four digits are left out, for a few of them may ask for long lists.
#include "lib/frontend/sanafe/SanafeImport.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

#include <string_view>

namespace spindle {

void fuzzSanafe(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  int digits = 0;
  for (unsigned char c : text)
    if (digits = c >= '0' && c <= '9' ? digits + 1 : 0; digits > 4)
      return;
  size_t part = text.find("\n%\n");
  std::string_view first = text.substr(0, part),
                   second = part == text.npos ? "" : text.substr(part + 3);
  auto bytes = [](std::string_view of) { return reinterpret_cast<const uint8_t *>(of.data()); };
  FuzzedFile architecture(bytes(first), first.size(), ".arch.yaml");
  FuzzedFile network(bytes(second), second.size(), ".snn.yaml");
  SanafeSource source;
  source.architecture = architecture.path();
  source.network = part == text.npos ? "" : network.path();
  source.steps = 20;
  auto imported = importSanafe(source);
  if (imported)
    return;
  llvm::Error error = imported.takeError();
  if (kindOf(error) == ErrorKind::Check)
    __builtin_trap();
  llvm::consumeError(std::move(error));
}

} // namespace spindle
