// Imports a model from text or bytes and runs it.
#pragma once

#include "core/support/CounterRandom.h"
#include "lib/frontend/Import.h"
#include "tests/frontend/ReferenceAnn.h"
#include "tests/frontend/onnx/OnnxFile.h"
#include "tests/support/TemporaryFolder.h"

#include "mlir/IR/MLIRContext.h"

#include <cstdlib>
#include <filesystem>

namespace spindle {

/// A model that was imported, or the text of the error.
struct Imported {
  Imported() = default;
  Imported(Imported &&) = default;
  Imported &operator=(Imported &&other) {
    module = std::move(other.module); // while the context of the old one still lives
    context = std::move(other.context);
    error = std::move(other.error);
    return *this;
  }
  std::shared_ptr<mlir::MLIRContext> context =
      std::make_shared<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string error;

  std::vector<double> operator()(const std::vector<double> &x) const {
    return ReferenceAnn(*module)(x);
  }
  std::vector<std::string> layers() const {
    return module ? describe(*module) : std::vector<std::string>{error};
  }
};

/// The whole module as text, or the error.
inline std::string textOf(const Imported &model) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (model.module)
    model.module.get().print(stream);
  return model.error + text;
}

inline Imported import(const ModelOptions &options) {
  Imported result;
  auto module = importModel(*result.context, options);
  if (module)
    result.module = std::move(*module);
  else
    result.error = toText(module.takeError());
  return result;
}

/// Imports a file of this content; errors call it `name`.
inline Imported importBytes(const std::string &name, const std::string &bytes,
                            ModelOptions options = {}) {
  TemporaryFolder folder;
  options.path = folder.write(name, bytes);
  Imported result = import(options);
  for (size_t at; (at = result.error.find(options.path)) != std::string::npos;)
    result.error.replace(at, options.path.size(), name);
  return result;
}

inline Imported import(const OnnxFile &file, ModelOptions options = {}) {
  return importBytes("x.onnx", file.bytes(), std::move(options));
}

/// Floats in [-1, 1), the same for the same seed.
inline std::vector<float> randomFloats(size_t count, uint64_t seed) {
  CounterRandom random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(random.uniform() * 2 - 1);
  return values;
}
inline std::vector<double> randomDoubles(size_t count, uint64_t seed) {
  std::vector<float> floats = randomFloats(count, seed);
  return std::vector<double>(floats.begin(), floats.end());
}

/// A file of the test data; empty where it is absent.
inline std::string dataFile(const std::string &name) {
  const char *root = std::getenv("SPINDLE_DATA");
  std::string path = std::string(root && *root ? root : "../shared/data") + "/" + name;
  return std::filesystem::exists(path) ? path : "";
}

inline void expectNear(const std::vector<double> &found, const std::vector<double> &expected,
                       double tolerance = 1e-5) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

} // namespace spindle
