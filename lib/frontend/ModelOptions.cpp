#include "lib/frontend/ModelOptions.h"

#include "lib/support/DataPath.h"

namespace spindle {

/// Reads a path and replaces it by the place where the file is.
static void readPath(YamlReader &reader, const PathResolver &resolver, const std::string &key,
                     std::string &path) {
  reader.read(key, path);
  if (!reader.has(key) || path.empty())
    return;
  llvm::Expected<std::string> found = resolver.find(path, "");
  if (found)
    path = *found;
  else
    llvm::handleAllErrors(found.takeError(),
                          [&](const SpindleError &error) { reader.fail(key, error.message); });
}

void readModelOptions(YamlReader &reader, const std::string &yamlFile, ModelOptions &options) {
  PathResolver resolver(yamlFile);
  reader.require("path");
  readPath(reader, resolver, "path", options.path);
  reader.read("function", options.function);
  readPath(reader, resolver, "arguments", options.arguments);
  reader.readEnum("input_layout", options.inputLayout, {"auto", "nchw", "nhwc"});
}

} // namespace spindle
