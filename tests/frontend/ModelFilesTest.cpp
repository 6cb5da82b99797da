// Every model of the test data: its layers as its authors describe them, or the reason why it is
// refused.
#include "lib/support/File.h"
#include "tests/frontend/Imported.h"

#include "gmock/gmock.h"

#include <cctype>

namespace spindle {
namespace {

using testing::ElementsAreArray;
using testing::StartsWith;
using Lines = std::vector<std::string>;

struct ModelFile {
  const char *path, *arguments;
  Lines layers; // or the start of the error, after the path
};

class ModelFiles : public testing::TestWithParam<ModelFile> {};

TEST_P(ModelFiles, HasTheseLayers) {
  ModelOptions options;
  options.path = dataFile(GetParam().path);
  if (options.path.empty())
    GTEST_SKIP() << "test data absent: " << GetParam().path << " (set SPINDLE_DATA)";
  if (GetParam().arguments)
    options.arguments = dataFile(GetParam().arguments);
  Imported model = import(options);
  if (GetParam().layers.size() == 1)
    EXPECT_THAT(model.error, StartsWith(options.path + GetParam().layers[0]));
  else
    EXPECT_THAT(model.layers(), ElementsAreArray(GetParam().layers));
}

std::string fileName(const testing::TestParamInfo<ModelFile> &test) {
  std::string name = llvm::StringRef(test.param.path).rsplit('/').second.str();
  for (char &letter : name)
    letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name + (test.param.arguments ? "_with_arguments" : "");
}

const char *maxPool =
    "(MaxPool): error: operator is not supported (average pooling is); supported: Add, ";

INSTANTIATE_TEST_SUITE_P(
    Data, ModelFiles,
    testing::Values(
        ModelFile{"models/onnx/ccoltong_custom.onnx",
                  nullptr,
                  {"input 1x28x28", "reshape 784", "dense dense1 60", "relu dense1 60",
                   "dense dense2 60", "relu dense2 60", "dense dense3 10"}},
        ModelFile{
            "models/onnx/ccoltong_lenet.onnx", nullptr, {std::string(": node '13' ") + maxPool}},
        ModelFile{"models/onnx/djl_mnist.onnx",
                  nullptr,
                  {": node 'Node4' (MeanVarianceNormalization): error: operator is not supported; "
                   "supported: Add, "}},
        ModelFile{"models/onnx/vnn_cifar10_resnet_2b.onnx",
                  nullptr,
                  {": node 'Add_6' (Add): error: joins two activations; residual connections are "
                   "not supported"}},
        ModelFile{"models/onnx/vnn_cifar_base_kw.onnx",
                  nullptr,
                  {"input 3x32x32", "conv2d Conv_0 8x16x16", "relu Conv_0 8x16x16",
                   "conv2d Conv_2 16x8x8", "relu Conv_2 16x8x8", "reshape 1024", "dense Gemm_5 100",
                   "relu Gemm_5 100", "dense Gemm_7 10"}},
        ModelFile{"models/onnx/vnn_mnist-net_256x2.onnx",
                  nullptr,
                  {"input 784", "dense dense1 256", "relu dense1 256", "dense dense2 256",
                   "relu dense2 256", "dense dense3 10"}},
        ModelFile{"models/onnx/vnn_mnist-net_256x4.onnx",
                  nullptr,
                  {"input 784", "dense dense1 256", "relu dense1 256", "dense dense2 256",
                   "relu dense2 256", "dense dense3 256", "relu dense3 256", "dense dense4 256",
                   "relu dense4 256", "dense dense5 10"}},
        ModelFile{"models/onnx/vnn_mnist_Convnet_maxpool.onnx",
                  nullptr,
                  {std::string(": node 'MaxPool_2' ") + maxPool}},
        ModelFile{"models/onnx/wuhan_mnist-lg.onnx",
                  nullptr,
                  {std::string(": node 'max_pooling2d_3' ") + maxPool}},
        ModelFile{"models/onnx/zhaochenxiang_lenet.onnx",
                  nullptr,
                  {"input 1x32x32", "conv2d c1.c1.0.Conv 6x28x28", "relu c1.c1.0.Conv 6x28x28",
                   "avg_pool2d c1.c1.2.AveragePool 6x14x14", "conv2d c2.c2.0.Conv 16x10x10",
                   "relu c2.c2.0.Conv 16x10x10", "avg_pool2d c2.c2.2.AveragePool 16x5x5",
                   "conv2d c3.c3.0.Conv 120x1x1", "relu c3.c3.0.Conv 120x1x1", "reshape 120",
                   "dense classifier.classifier.0.Gemm 84", "relu classifier.classifier.0.Gemm 84",
                   "dense classifier.classifier.2.Gemm 10"}},
        ModelFile{"models/onnx/zoo_mnist-12.onnx",
                  nullptr,
                  {std::string(": node 'Pooling66' ") + maxPool}},
        ModelFile{"models/mlir/heir_lenet.mlir",
                  nullptr,
                  {"input 1x32x32", "conv2d conv1 6x28x28", "relu conv1 6x28x28",
                   "avg_pool2d pool1 6x14x14", "conv2d conv2 16x10x10", "relu conv2 16x10x10",
                   "avg_pool2d pool2 16x5x5", "reshape 400", "dense dense3 120", "relu dense3 120",
                   "dense dense4 84", "relu dense4 84", "dense dense5 10"}},
        ModelFile{"models/mlir/heir_mnist_mlp.mlir",
                  "models/npz/heir_mnist_mlp_weights.npz",
                  {"input 784", "dense dense1 512", "relu dense1 512", "dense dense2 10"}},
        ModelFile{"models/mlir/heir_mnist_mlp.mlir",
                  nullptr,
                  {":6:3: error: function 'mnist' has 5 arguments, expected one, the input; give "
                   "the others by "
                   "model.arguments, an npz archive"}}),
    fileName);

/// Share of the MNIST test images that a model gets right. Pixels are (x / 255 - mean) / deviation.
struct Accuracy {
  const char *path, *arguments;
  double mean, deviation;
  int pad, images;
  double expected;
};

class ModelAccuracy : public testing::TestWithParam<Accuracy> {};

TEST_P(ModelAccuracy, IsTheMeasuredOne) {
  const Accuracy &c = GetParam();
  std::string images = dataFile("datasets/mnist/t10k-images-idx3-ubyte.gz");
  std::string labels = dataFile("datasets/mnist/t10k-labels-idx1-ubyte.gz");
  ModelOptions options;
  options.path = llvm::StringRef(c.path).starts_with("configs/") ? c.path : dataFile(c.path);
  options.arguments = c.arguments ? dataFile(c.arguments) : "";
  if (images.empty() || options.path.empty())
    GTEST_SKIP() << "MNIST or the model is absent (set SPINDLE_DATA)";
  Imported model = import(options);
  ASSERT_EQ(model.error, "");
  std::string pixels = *readMaybeGzip(images), digits = *readMaybeGzip(labels);
  ReferenceAnn ann(*model.module);
  int right = 0, side = 28 + 2 * c.pad;
  for (int n = 0; n < c.images; ++n) {
    std::vector<double> x(side * side, 0);
    for (int p = 0; p < 784; ++p) {
      double grey = static_cast<unsigned char>(pixels[16 + n * 784 + p]) / 255.0;
      x[(p / 28 + c.pad) * side + p % 28 + c.pad] = (grey - c.mean) / c.deviation;
    }
    std::vector<double> y = ann(x);
    right += std::max_element(y.begin(), y.end()) - y.begin() == digits[8 + n];
  }
  EXPECT_NEAR(double(right) / c.images, c.expected, 0.00005);
}

std::string networkName(const testing::TestParamInfo<Accuracy> &test) {
  const char *names[] = {"ccoltong_custom", "own_mlp", "heir_lenet"};
  return names[test.index];
}

// The figures of docs and papers are for all 10,000 images; that of LeNet was computed with NumPy
// on the first 1,000.
INSTANTIATE_TEST_SUITE_P(
    Mnist, ModelAccuracy,
    testing::Values(Accuracy{"models/onnx/ccoltong_custom.onnx", nullptr, .1307, .3081, 0, 10000,
                             .9708},
                    Accuracy{"configs/models/own-mlp.mlir",
                             "models/npz/own_mlp_784_128_10_nobias.npz", 0, 1, 0, 10000, .9777},
                    Accuracy{"models/mlir/heir_lenet.mlir", nullptr, .1307, .3081, 2, 1000, .979}),
    networkName);

/// Answers of ONNX Runtime 1.31.1 to the input x(i) = (37 i mod 101) / 101.
TEST(ModelAnswers, AgreeWithOnnxRuntime) {
  struct Answer {
    const char *path;
    std::vector<double> logits;
  };
  for (const Answer &answer : {Answer{"models/onnx/zhaochenxiang_lenet.onnx",
                                      {-0.77460, -0.81840, -0.40906, -0.19512, -0.43241, -0.05794,
                                       -0.56503, -0.97423, 0.99213, 0.48129}},
                               Answer{"models/onnx/vnn_cifar_base_kw.onnx",
                                      {1.10457, -3.68694, 2.59980, 0.66543, 2.34904, 0.60729,
                                       1.02385, -0.54660, -0.72190, -3.39460}}}) {
    ModelOptions options;
    options.path = dataFile(answer.path);
    if (options.path.empty())
      GTEST_SKIP() << "test data absent: " << answer.path << " (set SPINDLE_DATA)";
    Imported model = import(options);
    ASSERT_EQ(model.error, "");
    auto function = *model.module->getOps<mlir::func::FuncOp>().begin();
    std::vector<double> x(snn::sizeOf(function.getArgument(0)));
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = double(i * 37 % 101) / 101;
    expectNear(model(x), answer.logits, 2e-5);
  }
}

} // namespace
} // namespace spindle
