// Images and labels in one input, read at once and in passing: the first two bytes say where the
// labels begin.
#include "lib/dataset/Dataset.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

#include <algorithm>

namespace spindle {

void fuzzIdx(const uint8_t *data, size_t size) {
  if (size < 2)
    return;
  size_t split = 2 + std::min<size_t>(data[0] << 8 | data[1], size - 2);
  FuzzedFile images(data + 2, split - 2, ".images"), labels(data + split, size - split, ".labels");
  DatasetOptions options;
  options.format = DatasetFormat::Idx;
  options.test.images = images.path();
  options.test.labels = labels.path();
  auto all = loadDataset(options, PathResolver()), passing = openDataset(options, PathResolver());
  if (bool(all) != bool(passing))
    __builtin_trap();
  if (!all) {
    llvm::consumeError(all.takeError());
    llvm::consumeError(passing.takeError());
    return;
  }
  // In passing, last one first, then in order.
  std::vector<float> room(passing->size());
  size_t count = passing->count();
  for (size_t k = 0; k <= count; ++k) {
    size_t index = k == 0 ? count - 1 : k - 1;
    llvm::cantFail(passing->reader->read(index, 1, room.data()));
    if (!std::equal(room.begin(), room.end(), all->sample(index)))
      __builtin_trap();
  }
}

} // namespace spindle
