// What can be said about the files of a model before it is imported.
#include "core/support/formats/Npz.h"
#include "lib/frontend/ModelFiles.h"
#include "tests/frontend/Imported.h"
#include "tests/frontend/keras/KerasFile.h"
#include "tests/frontend/onnx/OneNode.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string check(const ModelOptions &options) {
  llvm::Error error = checkModelHeader(options);
  return error ? toText(std::move(error)) : "";
}

/// The error for a model of this name and content, without its folder.
std::string check(const std::string &name, const std::string &bytes) {
  TemporaryFolder folder;
  ModelOptions options;
  options.path = folder.write(name, bytes);
  std::string error = check(options);
  size_t at = error.find(folder.path());
  return at == std::string::npos ? error : error.erase(at, folder.path().size() + 1);
}

TEST(ModelFormat, IsTheEndingInCapitalsOrNot) {
  struct Case {
    const char *path;
    std::optional<ModelFormat> format;
  };
  for (const Case &each :
       {Case{"a/x.onnx", ModelFormat::Onnx}, Case{"a/X.ONNX", ModelFormat::Onnx},
        Case{"x.Onnx", ModelFormat::Onnx}, Case{"x.H5", ModelFormat::Keras},
        Case{"x.hdf5", ModelFormat::Keras}, Case{"x.HDF5", ModelFormat::Keras},
        Case{"x.MLIR", ModelFormat::Mlir}, Case{"x.mlirBC", ModelFormat::Mlir},
        Case{"x.NIR", ModelFormat::Nir}, Case{"x.Yaml", ModelFormat::Network},
        Case{"x.YML", ModelFormat::Network}, Case{"x.onnx.data", std::nullopt},
        Case{"x", std::nullopt}, Case{"", std::nullopt}, Case{"x.", std::nullopt},
        Case{"onnx", std::nullopt}, Case{"x.onnx/y", std::nullopt}})
    EXPECT_EQ(modelFormatOf(each.path), each.format) << each.path;
}

TEST(ModelFormat, EndingsInCapitalsAreImported) {
  OneNode relu("Relu", {1, 4});
  EXPECT_EQ(importBytes("X.ONNX", relu.file.bytes()).error, "");
  EXPECT_EQ(importBytes("x.MLIR", "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                                  "  %0 = snn.relu %x : tensor<4xf32>\n"
                                  "  return %0 : tensor<4xf32>\n}\n")
                .error,
            "");
  EXPECT_EQ(importBytes("x.YAML",
                        "dt: 1\npopulations:\n  n: {source: poisson, size: 2, rate: 5}\n"
                        "  c: {neuron: if, size: 2, threshold: 1}\n"
                        "projections: [{from: n, to: c, connect: one_to_one, weight: 1}]\n")
                .error,
            "");
}

TEST(ModelHeaders, AreRefusedAsTheImportDoes) {
  struct Case {
    const char *name, *bytes, *error;
  };
  for (const Case &each : {
           Case{"x.onnx", "# Read me",
                ": error: not an ONNX model: the file is cut short or no "
                "protobuf message"},
           Case{"x.onnx", "", ": error: not an ONNX model: it has no graph with nodes"},
           Case{"x.NIR", "# Read me", ": error: not an HDF5 file"},
           Case{"x.h5", "# Read me", ": error: not an HDF5 file"},
           Case{"x.mlir", "", ": error: is empty, expected MLIR"},
           Case{"x.pt", "PK",
                ": error: unknown model format, expected .onnx, .keras or .h5 (Keras), .mlir, "
                ".mlirbc, .nir or .yaml (network)"},
           Case{"x.yaml", "a: [", ":1:1: error: not valid YAML: end of sequence flow not found"},
           Case{"x.yaml", "projections: [{weight: {npz: gone.npz, array: a}}]",
                ":1:30: error: 'gone.npz' is in none of the folders "},
       })
    EXPECT_THAT(check(each.name, each.bytes),
                testing::StartsWith(std::string(each.name) + each.error));
  EXPECT_EQ(check("x.mlir", std::string("ab\0", 3)),
            "x.mlir: error: is neither text nor bytecode of MLIR");
  EXPECT_EQ(check("x.mlirbc", std::string("ML\xefR\0", 5)), "");
  EXPECT_EQ(check("x.onnx", OneNode("Relu", {1, 4}, 99).file.bytes()),
            "x.onnx: error: operator set 99 is not supported, expected 7 to 23");
}

TEST(ModelHeaders, FilesMustBeThere) {
  TemporaryFolder folder;
  for (const char *name : {"gone.onnx", "gone.h5", "gone.mlir", "gone.nir", "gone.yaml"}) {
    ModelOptions options;
    options.path = folder / name;
    EXPECT_EQ(check(options), options.path + ": error: cannot open: No such file or directory");
    std::filesystem::create_directory(options.path);
    EXPECT_EQ(check(options), options.path + ": error: is a folder, expected a file");
  }
}

TEST(ModelHeaders, ArgumentsAreAnArchive) {
  TemporaryFolder folder;
  ModelOptions options;
  options.path = folder.write("x.mlir", "module {}");
  options.arguments = folder.write("README.md", "# Read me");
  EXPECT_EQ(check(options), options.arguments + ": error: not an npz archive, or cut off");
  options.arguments = folder / "w.npz";
  EXPECT_THAT(check(options), HasSubstr("w.npz: error: cannot open: No such file or directory"));
  ASSERT_FALSE(bool(writeNpz(options.arguments, {{"w", makeNpy({2}, std::vector<float>{1, 2})}})));
  EXPECT_EQ(check(options), "");
  llvm::Expected<std::vector<std::string>> files = modelFiles(options);
  ASSERT_TRUE(bool(files));
  EXPECT_THAT(*files, ElementsAre(options.path, options.arguments));
}

TEST(ModelHeaders, FilesOfANetwork) {
  TemporaryFolder folder;
  folder.write("b.csv", "0 0\n");
  ASSERT_FALSE(bool(writeNpz(folder / "a.npz", {{"w", makeNpy({1}, std::vector<float>{1})}})));
  ModelOptions options;
  options.path = folder.write(
      "x.yaml",
      "dt: 1\npopulations:\n  npz: {source: poisson, size: 1, rate: 5}\n"
      "  file: {neuron: if, size: 1, threshold: {npz: a.npz, array: w}}\nprojections:\n"
      "  - {from: npz, to: file, connect: {file: b.csv}, weight: {npz: a.npz, array: w}}\n");
  EXPECT_EQ(check(options), "");
  llvm::Expected<std::vector<std::string>> files = modelFiles(options);
  ASSERT_TRUE(bool(files)) << toText(files.takeError());
  EXPECT_THAT(*files, ElementsAre(options.path, folder / "a.npz", folder / "b.csv"));
  EXPECT_EQ(import(options).error, ""); // and they are all that it reads
}

/// Whatever the import takes passes.
TEST(ModelHeaders, ModelsOfTheTestDataPass) {
  std::string root = dataFile("models");
  if (root.empty())
    GTEST_SKIP() << "test data absent (set SPINDLE_DATA)";
  size_t models = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(root)) {
    ModelOptions options;
    options.path = entry.path().string();
    if (!entry.is_regular_file() || !options.format())
      continue;
    ++models;
    std::string error = check(options);
    EXPECT_TRUE(error.empty() || import(options).error == error) << error;
  }
  EXPECT_GT(models, 10u);
}

} // namespace
} // namespace spindle
