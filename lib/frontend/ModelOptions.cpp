#include "lib/frontend/ModelOptions.h"

#include "core/support/files/DataPath.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

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
  reader.read("reset_delay", options.resetDelay);
  reader.readEnum("discretization", options.discretization, {"euler", "exact", "exact_crossing"});
  reader.readEnum("input", options.nirInput, {"events", "current"});
}

std::optional<ModelFormat> modelFormatOf(llvm::StringRef path) {
  using F = std::optional<ModelFormat>;
  return llvm::StringSwitch<F>(path.substr(std::min(path.rfind('.'), path.size())))
      .CaseLower(".onnx", ModelFormat::Onnx)
      .CasesLower({".keras", ".h5", ".hdf5"}, ModelFormat::Keras)
      .CasesLower({".mlir", ".mlirbc"}, ModelFormat::Mlir)
      .CaseLower(".nir", ModelFormat::Nir)
      .CasesLower({".yaml", ".yml"}, ModelFormat::Network)
      .Default(std::nullopt);
}

bool ModelOptions::spikesAlready() const {
  return format() == ModelFormat::Nir || format() == ModelFormat::Network;
}

void readModelOptions(YamlReader &reader, const std::string &yamlFile, ModelOptions &options) {
  PathResolver resolver(yamlFile);
  reader.require("path");
  readPath(reader, resolver, "path", options.path);
  reader.read("function", options.function);
  readPath(reader, resolver, "arguments", options.arguments);
  std::optional<ModelFormat> format = options.format();
  const char *other = format == ModelFormat::Onnx      ? "an ONNX file"
                      : format == ModelFormat::Nir     ? "a NIR file"
                      : format == ModelFormat::Network ? "a network file"
                                                       : nullptr;
  if (other)
    for (const char *key : {"function", "arguments"})
      if (reader.has(key))
        reader.fail(key, std::string(key) + " is a key of MLIR models, " + other +
                             " holds its own; leave it out");
  if (format == ModelFormat::Nir)
    return readNirOptions(reader, options);
  if (format == ModelFormat::Network) {
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
