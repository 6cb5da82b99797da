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

static void readNirOptions(YamlReader &reader, ModelOptions &options) {
  reader.read("dt_ms", options.dtMs, 1e-6, 1e6);
  reader.readEnum("reset", options.nirReset, {"zero", "subtract"});
  reader.readEnum("discretization", options.discretization, {"euler", "exact", "exact_crossing"});
  reader.readEnum("input", options.nirInput, {"events", "current"});
}

static bool isNetworkFile(llvm::StringRef path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

bool ModelOptions::spikesAlready() const {
  return llvm::StringRef(path).ends_with(".nir") || isNetworkFile(path);
}

void readModelOptions(YamlReader &reader, const std::string &yamlFile, ModelOptions &options) {
  PathResolver resolver(yamlFile);
  reader.require("path");
  readPath(reader, resolver, "path", options.path);
  reader.read("function", options.function);
  readPath(reader, resolver, "arguments", options.arguments);
  llvm::StringRef path = options.path;
  const char *format = path.ends_with(".onnx")  ? "an ONNX file"
                       : path.ends_with(".nir") ? "a NIR file"
                       : isNetworkFile(path)    ? "a network file"
                                                : nullptr;
  if (format)
    for (const char *key : {"function", "arguments"})
      if (reader.has(key))
        reader.fail(key, std::string(key) + " is a key of MLIR models, " + format +
                             " holds its own; leave it out");
  if (path.ends_with(".nir"))
    return readNirOptions(reader, options);
  if (isNetworkFile(path)) {
    int64_t seed = 0;
    reader.read("seed", seed, 0);
    if (reader.has("seed"))
      options.networkSeed = seed;
    reader.read("list_synapses", options.listSynapses);
    return;
  }
  reader.readEnum("input_layout", options.inputLayout, {"auto", "nchw", "nhwc"});
}

} // namespace spindle
