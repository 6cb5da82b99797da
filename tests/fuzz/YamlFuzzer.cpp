// A YAML document, and the section of a data set as the reader that uses most of it.
#include "lib/dataset/DatasetOptions.h"
#include "tests/fuzz/FuzzTarget.h"

namespace spindle {

void fuzzYaml(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
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
