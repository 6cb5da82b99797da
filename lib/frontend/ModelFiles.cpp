#include "lib/frontend/ModelFiles.h"

#include "core/support/files/DataPath.h"
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "lib/frontend/keras/KerasModel.h"
#include "lib/frontend/nir/NirGraph.h"
#include "lib/frontend/onnx/OnnxData.h"

#include "llvm/ADT/STLExtras.h"

#include <filesystem>
#include <fstream>
#include <set>

namespace spindle {

namespace {

using Files = std::set<std::string>;

/// The first bytes of a regular file that can be read; as many as there are.
llvm::Expected<std::string> beginningOf(const std::string &path, size_t count) {
  SPINDLE_ASSIGN(std::ifstream stream, openFile(path));
  std::string bytes(count, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<size_t>(stream.gcount()));
  return bytes;
}

/// The files that a network names under `npz` and `file`, wherever they stand.
llvm::Error collect(const YamlDocument &document, const YAML::Node &node, Files &files) {
  if (node.IsSequence())
    for (const YAML::Node &element : node)
      SPINDLE_RETURN_IF_ERROR(collect(document, element, files));
  if (!node.IsMap())
    return llvm::Error::success();
  for (const auto &member : node) {
    const std::string &key = member.first.Scalar();
    if ((key != "npz" && key != "file") || !member.second.IsScalar()) {
      SPINDLE_RETURN_IF_ERROR(collect(document, member.second, files));
      continue;
    }
    SPINDLE_ASSIGN(std::string found,
                   PathResolver(document.fileName())
                       .find(member.second.Scalar(), document.placeOf("", member.second)));
    files.insert(found);
  }
  return llvm::Error::success();
}

llvm::Expected<Files> filesBeside(const ModelOptions &options) {
  Files files;
  if (!options.arguments.empty())
    files.insert(options.arguments);
  if (options.format() == ModelFormat::Onnx) {
    SPINDLE_ASSIGN(std::unique_ptr<OnnxModel> model, readOnnxModel(options.path));
    SPINDLE_ASSIGN(std::vector<std::string> data, onnxDataFiles(*model));
    files.insert(data.begin(), data.end());
  } else if (options.format() == ModelFormat::Network) {
    SPINDLE_ASSIGN(YamlDocument document, YamlDocument::load(options.path));
    SPINDLE_RETURN_IF_ERROR(collect(document, document.root(), files));
  }
  return files;
}

/// Bytecode by its magic number; text has no zero bytes.
llvm::Error checkMlir(const std::string &path) {
  SPINDLE_ASSIGN(std::string bytes, beginningOf(path, 4096));
  bool isText = bytes.find('\0') == std::string::npos;
  if (llvm::StringRef(bytes).starts_with("ML\xefR") || (isText && !bytes.empty()))
    return llvm::Error::success();
  return inputError(path, bytes.empty() ? "is empty, expected MLIR"
                                        : "is neither text nor bytecode of MLIR");
}

llvm::Error checkNir(const std::string &path) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  return checkNirFile(file);
}

} // namespace

llvm::Error unknownFormat(const std::string &path) {
  return inputError(path,
                    "unknown model format, expected .onnx, .keras or .h5 (Keras), .mlir, .mlirbc, "
                    ".nir or .yaml (network)");
}

llvm::Expected<std::vector<std::string>> modelFiles(const ModelOptions &options) {
  if (!options.format())
    return unknownFormat(options.path);
  SPINDLE_ASSIGN(Files beside, filesBeside(options));
  beside.erase(options.path);
  std::vector<std::string> files = {options.path};
  files.insert(files.end(), beside.begin(), beside.end());
  return files;
}

llvm::Error checkModelHeader(const ModelOptions &options) {
  std::optional<ModelFormat> format = options.format();
  if (!format)
    return unknownFormat(options.path);
  SPINDLE_RETURN_IF_ERROR(beginningOf(options.path, 1).takeError());
  if (format == ModelFormat::Mlir)
    SPINDLE_RETURN_IF_ERROR(checkMlir(options.path));
  if (format == ModelFormat::Keras)
    SPINDLE_RETURN_IF_ERROR(checkKerasHeader(options.path));
  if (format == ModelFormat::Nir)
    SPINDLE_RETURN_IF_ERROR(checkNir(options.path));
  SPINDLE_ASSIGN(std::vector<std::string> files, modelFiles(options));
  for (const std::string &file : files)
    SPINDLE_RETURN_IF_ERROR(llvm::StringRef(file).ends_with_insensitive(".npz")
                                ? readNpzHeaders(file).takeError()
                                : beginningOf(file, 1).takeError());
  if (!options.arguments.empty())
    SPINDLE_RETURN_IF_ERROR(readNpzHeaders(options.arguments).takeError());
  return llvm::Error::success();
}

} // namespace spindle
