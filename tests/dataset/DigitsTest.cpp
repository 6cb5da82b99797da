#include "lib/dataset/Digits.h"

#include "lib/dataset/Dataset.h"
#include "tests/dataset/Perceptron.h"
#include "gmock/gmock.h"

#include <set>

using namespace spindle;
using testing::ElementsAre;

TEST(Digits, AreAPureFunctionOfSeedAndIndex) {
  Samples samples = drawDigits(5, 40);
  EXPECT_THAT(samples.shape, ElementsAre(1, 28, 28));
  std::vector<float> pixels(28 * 28);
  for (uint32_t index : {39u, 0u, 17u}) {
    drawDigit(5, index, pixels.data());
    EXPECT_TRUE(std::equal(pixels.begin(), pixels.end(), samples.sample(index)));
    EXPECT_EQ(samples.labels[index], index % 10);
  }
}

TEST(Digits, NoTwoAreEqualAndAllAreInkOnPaper) {
  constexpr size_t count = 500;
  std::set<std::vector<float>> seen;
  for (uint64_t seed : {1, 2, 3}) {
    Samples samples = drawDigits(seed, count);
    for (size_t i = 0; i < count; ++i) {
      std::vector<float> pixels(samples.sample(i), samples.sample(i) + samples.size());
      double inked = 0;
      for (float pixel : pixels) {
        ASSERT_TRUE(pixel >= 0 && pixel <= 255 && pixel == static_cast<int>(pixel));
        inked += pixel > 127;
      }
      EXPECT_GT(inked, 12) << seed << " " << i;
      EXPECT_LT(inked, 300) << seed << " " << i;
      seen.insert(std::move(pixels));
    }
  }
  EXPECT_EQ(seen.size(), 3 * count);
}

// Neither trivial, so that the nearest class mean is wrong often, nor hopeless.
TEST(Digits, AreNotSeparatedByTheirMeans) {
  Samples train = drawDigits(1, 2000), test = drawDigits(2, 1000);
  std::vector<double> means(10 * train.size());
  for (size_t s = 0; s < train.count(); ++s)
    for (size_t i = 0; i < train.size(); ++i)
      means[train.labels[s] * train.size() + i] += train.sample(s)[i] / 200;
  size_t right = 0;
  for (size_t s = 0; s < test.count(); ++s) {
    double nearest = 1e30;
    uint32_t guess = 0;
    for (uint32_t label = 0; label < 10; ++label) {
      double distance = 0;
      for (size_t i = 0; i < test.size(); ++i) {
        double difference = test.sample(s)[i] - means[label * test.size() + i];
        distance += difference * difference;
      }
      if (distance < nearest) {
        nearest = distance;
        guess = label;
      }
    }
    right += guess == test.labels[s];
  }
  EXPECT_GT(right, 600u);
  EXPECT_LT(right, 900u);
}

// NumPy's forward pass gives 0.9845 (configs/models/README.md); one image more or less is rounding.
TEST(Digits, TheStoredPerceptronReadsThem) {
  std::vector<NpzMember> members = llvm::cantFail(readNpz("configs/models/digits-mlp.npz"));
  YamlDocument document = llvm::cantFail(YamlDocument::load("configs/models/digits-test.yaml"));
  YamlReader reader(document);
  YamlReader section = reader.section("dataset");
  DatasetOptions options;
  readDatasetOptions(section, options);
  llvm::cantFail(reader.finish());
  Samples samples = llvm::cantFail(loadDataset(options, PathResolver(document.fileName())));
  EXPECT_EQ(samples.count(), 2000u);
  EXPECT_NEAR(perceptronAccuracy(samples, members), 0.9845, 0.00051);
}
