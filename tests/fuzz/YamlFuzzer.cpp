// A YAML document, the section of a data set as the reader that uses most of it, and a sweep.
#include "lib/dataset/DatasetOptions.h"
#include "lib/exploration/Sweep.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

/// Grids grow with every key; the largest ones would only take time.
static void listPoints(const Sweep &sweep) {
  double points = 1;
  for (const SweptKey &key : sweep.keys)
    points *= double(key.values.size());
  if ((sweep.sample ? double(sweep.sample->points) : points) <= 1000)
    llvm::consumeError(pointsOf(sweep).takeError());
}

void fuzzYaml(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  FuzzedFile file(data, size, ".yaml");
  if (llvm::Expected<Sweep> sweep = readSweep(file.path()))
    listPoints(*sweep);
  else
    llvm::consumeError(sweep.takeError());
  auto document = YamlDocument::parse(text, "fuzzed.yaml");
  if (!document) {
    llvm::consumeError(document.takeError());
    return;
  }
  YamlReader reader(*document);
  YamlReader section = reader.section("dataset");
  DatasetOptions options;
  readDatasetOptions(section, options);
  llvm::consumeError(section.finish());
  llvm::consumeError(reader.finish());
}

} // namespace spindle
