#include "core/chip/Chip.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

void fuzzChip(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".yaml");
  llvm::consumeError(readChip(file.path()).takeError());
}

} // namespace spindle
