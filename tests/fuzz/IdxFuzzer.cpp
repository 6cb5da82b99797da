// Images and labels in one input: the first two bytes say where the labels begin.
#include "lib/dataset/Dataset.h"
#include "tests/fuzz/FuzzedFile.h"

#include <algorithm>

using namespace spindle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  size_t split = 2 + std::min<size_t>(data[0] << 8 | data[1], size - 2);
  FuzzedFile images(data + 2, split - 2, ".images"), labels(data + split, size - split, ".labels");
  DatasetOptions options;
  options.format = DatasetFormat::Idx;
  options.test.images = images.path();
  options.test.labels = labels.path();
  if (auto samples = loadDataset(options, PathResolver()); !samples)
    llvm::consumeError(samples.takeError());
  return 0;
}
