// Every model of the test data: its layers as its authors describe them, or the reason why it is
// refused.
#include "core/support/files/File.h"
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

INSTANTIATE_TEST_SUITE_P(
    Data, ModelFiles,
    testing::Values(
        ModelFile{"models/onnx/ccoltong_custom.onnx",
                  nullptr,
                  {"input 1x28x28", "reshape 784", "dense dense1 60", "relu dense1 60",
                   "dense dense2 60", "relu dense2 60", "dense dense3 10"}},
        ModelFile{"models/onnx/ccoltong_lenet.onnx",
                  nullptr,
                  {"input 1x28x28", "conv2d conv1 6x28x28", "relu conv1 6x28x28",
                   "max_pool2d pool1 6x14x14", "conv2d conv2 16x10x10", "relu conv2 16x10x10",
                   "max_pool2d pool2 16x5x5", "reshape 400", "dense dense3 120", "relu dense3 120",
                   "dense dense4 84", "relu dense4 84", "dense dense5 10"}},
        ModelFile{"models/onnx/djl_mnist.onnx",
                  nullptr,
                  {": node 'Node4' (MeanVarianceNormalization): error: operator is not supported; "
                   "its factors depend on the sample"}},
        ModelFile{"models/onnx/vnn_cifar10_resnet_2b.onnx",
                  nullptr,
                  {"input 3x32x32", "conv2d Conv_0 8x16x16", "relu Conv_0 8x16x16",
                   "conv2d Conv_2 16x8x8", "relu Conv_2 16x8x8", "conv2d Conv_4 16x8x8",
                   "conv2d Conv_5 16x8x8", "add Add_6 16x8x8", "relu Add_6 16x8x8",
                   "conv2d Conv_8 16x8x8", "relu Conv_8 16x8x8", "conv2d Conv_10 16x8x8",
                   "add Add_11 16x8x8", "relu Add_11 16x8x8", "reshape 1024", "dense Gemm_14 100",
                   "relu Gemm_14 100", "dense Gemm_16 10"}},
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
                  {"input 1x28x28", "conv2d Conv_0 32x27x27", "relu Conv_0 32x27x27",
                   "max_pool2d MaxPool_2 32x6x6", "reshape 1152", "dense Gemm_4 10"}},
        ModelFile{"models/onnx/wuhan_mnist-lg.onnx",
                  nullptr,
                  {"input 1x28x28", "conv2d conv2d_3 4x28x28", "relu conv2d_3 4x28x28",
                   "max_pool2d max_pooling2d_3 4x14x14", "conv2d conv2d_4 4x14x14",
                   "relu conv2d_4 4x14x14", "max_pool2d max_pooling2d_4 4x7x7", "reshape 196",
                   "dense dense_4 10"}},
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
                  {"input 1x28x28", "conv2d Convolution28 8x28x28", "relu Convolution28 8x28x28",
                   "max_pool2d Pooling66 8x14x14", "conv2d Convolution110 16x14x14",
                   "relu Convolution110 16x14x14", "max_pool2d Pooling160 16x4x4", "reshape 256",
                   "dense Times212 10"}},
        ModelFile{"workloads/spinemap_lenet/lenet.h5",
                  nullptr,
                  {"input 1x28x28", "conv2d conv2d 6x24x24", "relu conv2d 6x24x24",
                   "avg_pool2d average_pooling2d 6x12x12", "conv2d conv2d_1 16x8x8",
                   "relu conv2d_1 16x8x8", "avg_pool2d average_pooling2d_1 16x4x4", "reshape 256",
                   "dense dense 500", "relu dense 500", "dense dense_1 10"}},
        ModelFile{"workloads/spinemap_lenet/lenet_parsed.h5",
                  nullptr,
                  {"input 1x28x28", "conv2d 00Conv2D_24x24x6 6x24x24",
                   "relu 00Conv2D_24x24x6 6x24x24", "avg_pool2d 01AveragePooling2D_12x12x6 6x12x12",
                   "conv2d 02Conv2D_8x8x16 16x8x8", "relu 02Conv2D_8x8x16 16x8x8",
                   "avg_pool2d 03AveragePooling2D_4x4x16 16x4x4", "reshape 256",
                   "dense 05Dense_500 500", "relu 05Dense_500 500", "dense 06Dense_10 10"}},
        ModelFile{"workloads/spinemap_lenet/snn_lenet.h5",
                  nullptr,
                  {": layer '00Conv2D_24x24x6' (SpikeConv2D): error: layer is not supported; "
                   "supported: Activation, "}},
        ModelFile{"workloads/spinemap_respclass/ANNDVT.h5",
                  nullptr,
                  {": layer 'dense_26' (Dense): error: softmax is supported only at the end of the "
                   "network, over all classes"}},
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

/// Answers of ONNX Runtime 1.31.1 to the input x(i) = (37 i mod 101) / 101, before a softmax.
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
                                       1.02385, -0.54660, -0.72190, -3.39460}},
                               Answer{"models/onnx/zoo_mnist-12.onnx",
                                      {0.05768, -0.64344, -0.20439, 0.81040, -1.04112, 0.60709,
                                       -0.46371, -0.86822, 0.98589, -0.42515}},
                               Answer{"models/onnx/ccoltong_lenet.onnx",
                                      {0.56002, -1.65542, 2.97992, -0.76474, 1.56183, -0.84393,
                                       -0.98322, -0.67945, 2.38586, -1.12666}},
                               Answer{"models/onnx/vnn_mnist_Convnet_maxpool.onnx",
                                      {-4.76652, -20.76842, -5.59895, -11.03488, -9.08870,
                                       -21.61658, -0.75393, -24.18196, 5.53598, -17.82037}},
                               Answer{"models/onnx/wuhan_mnist-lg.onnx",
                                      {-2.11050, 2.23486, -0.26465, 0.88191, -0.43011, -0.85420,
                                       -2.81440, 0.24154, 2.19385, 1.27803}},
                               Answer{"models/onnx/vnn_cifar10_resnet_2b.onnx",
                                      {0.66881, -4.47422, 2.08359, 1.48496, 2.60103, 1.02696,
                                       2.09538, -0.66706, -0.83049, -3.98899}}}) {
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
