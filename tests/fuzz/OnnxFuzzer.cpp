// ONNX models beside a file of weights, `w.data`, which they may name; no other one may be reached.
#include "lib/frontend/Import.h"
#include "lib/frontend/ModelFiles.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

#include <cstdlib>
#include <filesystem>

namespace spindle {

namespace {

namespace fs = std::filesystem;

/// The folder of the model, gone at the end.
struct ModelFolder {
  ModelFolder() : path("/dev/shm/spindle-fuzz-" + std::to_string(getpid()) + "-onnx") {
    fs::create_directory(path);
    std::ofstream(path / "w.data", std::ios::binary) << std::string(64, '\x3d');
  }
  ~ModelFolder() { fs::remove_all(path); }
  fs::path path;
};

} // namespace

void fuzzOnnx(const uint8_t *data, size_t size) {
  static const ModelFolder folder;
  FuzzedFile file(data, size, "-onnx/x.onnx");
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  ModelOptions options;
  options.path = file.path();
  if (auto files = modelFiles(options)) {
    for (const std::string &each : *files)
      if (each != file.path() && !fs::equivalent(each, folder.path / "w.data"))
        std::abort();
  } else {
    llvm::consumeError(files.takeError());
  }
  if (auto module = importModel(context, options); !module)
    llvm::consumeError(module.takeError());
}

} // namespace spindle
