// Known facts of MNIST, and of networks trained elsewhere on it.
#include "lib/dataset/Dataset.h"
#include "tests/dataset/Loaded.h"
#include "tests/dataset/Perceptron.h"
#include "gmock/gmock.h"

#include <cmath>
#include <filesystem>

using namespace spindle;
using testing::ElementsAre;

namespace {

std::string dataFolder() {
  const char *data = std::getenv("SPINDLE_DATA");
  return data ? data : "../shared/data";
}

DatasetOptions mnist(const std::string &set) {
  DatasetOptions options;
  options.test.images = "datasets/mnist/" + set + "-images-idx3-ubyte.gz";
  options.test.labels = "datasets/mnist/" + set + "-labels-idx1-ubyte.gz";
  options.scale = 1.0 / 255;
  return options;
}

class Mnist : public testing::Test {
protected:
  void SetUp() override {
    if (!std::filesystem::exists(dataFolder() + "/datasets/mnist"))
      GTEST_SKIP() << "MNIST is absent in " << dataFolder() << "; set SPINDLE_DATA";
  }
};

} // namespace

TEST_F(Mnist, TestSetHasItsKnownLabels) {
  Samples samples = loaded(mnist("t10k"));
  EXPECT_EQ(samples.count(), 10000u);
  EXPECT_THAT(samples.shape, ElementsAre(1, 28, 28));
  std::vector<uint32_t> first(samples.labels.begin(), samples.labels.begin() + 10);
  EXPECT_THAT(first, ElementsAre(7, 2, 1, 0, 4, 1, 4, 9, 5, 9));
  std::vector<size_t> counts(10);
  for (uint32_t label : samples.labels)
    ++counts[label];
  EXPECT_THAT(counts, ElementsAre(980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009));
}

TEST_F(Mnist, TrainingSetHasItsKnownMeanAndDeviation) {
  Samples samples = loaded(mnist("train"));
  EXPECT_EQ(samples.count(), 60000u);
  double sum = 0, squares = 0;
  for (float value : samples.values) {
    sum += value;
    squares += double(value) * value;
  }
  double mean = sum / double(samples.values.size());
  EXPECT_NEAR(mean, 0.1307, 5e-5);
  EXPECT_NEAR(std::sqrt(squares / double(samples.values.size()) - mean * mean), 0.3081, 5e-5);
}

TEST_F(Mnist, APerceptronTrainedElsewhereReachesItsAccuracy) {
  std::string path = dataFolder() + "/models/npz/own_mlp_784_128_10_nobias.npz";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is absent";
  std::vector<NpzMember> members = llvm::cantFail(readNpz(path));
  EXPECT_NEAR(perceptronAccuracy(loaded(mnist("t10k")), members), 0.9777, 0.00011);
}

TEST_F(Mnist, NormalisationGivesTheAccuracyOfTheNetworkThatNeedsIt) {
  std::string path = dataFolder() + "/models/npz/heir_mnist_mlp_weights.npz";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is absent";
  std::vector<NpzMember> members = llvm::cantFail(readNpz(path));
  DatasetOptions options = mnist("t10k");
  options.mean = {0.1307};
  options.std = {0.3081};
  EXPECT_NEAR(perceptronAccuracy(loaded(options), members), 0.9816, 0.00011);
}
