// Networks trained elsewhere classify MNIST as often as where they were trained.
#include "core/support/formats/Npz.h"
#include "lib/dataset/Dataset.h"
#include "lib/emulation/EvaluateAnn.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::test;

namespace {

std::string dataFolder() {
  const char *data = std::getenv("SPINDLE_DATA");
  return data ? data : "../shared/data";
}

class MnistAccuracy : public ::testing::Test {
protected:
  void SetUp() override {
    if (!std::filesystem::exists(dataFolder() + "/datasets/mnist") ||
        !std::filesystem::exists(dataFolder() + "/models/npz"))
      GTEST_SKIP() << "MNIST or models/npz is absent in " << dataFolder() << "; set SPINDLE_DATA";
    DatasetOptions options;
    options.test.images = "datasets/mnist/t10k-images-idx3-ubyte.gz";
    options.test.labels = "datasets/mnist/t10k-labels-idx1-ubyte.gz";
    options.scale = 1.0 / 255;
    samples = llvm::cantFail(loadDataset(options, PathResolver()));
  }

  std::vector<NpzMember> weights(const std::string &name) {
    return llvm::cantFail(readNpz(dataFolder() + "/models/npz/" + name + ".npz"));
  }

  uint64_t correct(NetworkBuilder &n) {
    return llvm::cantFail(evaluateAnn(n.finish(), samples, 2)).correct;
  }

  Samples samples;
};

NetworkBuilder &convolution(NetworkBuilder &n, const NpzMember &weights) {
  return n.conv(weights.array.shape, weights.array.floats(), {}, weights.name).relu(weights.name);
}

TEST_F(MnistAccuracy, Perceptron) {
  std::vector<NpzMember> layers = weights("own_mlp_784_128_10_nobias");
  NetworkBuilder n({784});
  for (const NpzMember &layer : layers) { // stored inputs × outputs
    int64_t inputs = layer.array.shape[0], outputs = layer.array.shape[1];
    std::vector<float> stored = layer.array.floats(), weights(stored.size());
    for (int64_t i = 0; i < inputs; ++i)
      for (int64_t o = 0; o < outputs; ++o)
        weights[o * inputs + i] = stored[i * outputs + o];
    n.dense(outputs, weights, {}, layer.name);
    if (&layer != &layers.back())
      n.relu(layer.name);
  }
  EXPECT_EQ(correct(n), 9777u);
}

TEST_F(MnistAccuracy, ConvolutionalWithAveragePooling) {
  std::vector<NpzMember> layers = weights("own_lenet_avgpool_nobias");
  ASSERT_EQ(layers.size(), 4u);
  NetworkBuilder n({1, 28, 28});
  convolution(n, layers[0]).pool({2, 2}, {2, 2});
  convolution(n, layers[1]).pool({2, 2}, {2, 2}).flatten();
  n.dense(64, layers[2].array.floats(), {}, "dense3").relu("dense3");
  n.dense(10, layers[3].array.floats(), {}, "dense4");
  EXPECT_EQ(correct(n), 9866u);
}

} // namespace
