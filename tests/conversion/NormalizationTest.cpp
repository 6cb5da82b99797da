#include "lib/conversion/ann-to-snn/Normalization.h"

#include <gmock/gmock.h>

namespace spindle {
namespace {

using ::testing::ElementsAre;

TEST(Percentile, IsLinearBetweenRanks) {
  // numpy.percentile([1, 2, 3, 4, 10], q) for q = 0, 50, 90, 100
  auto at = [](double q) {
    std::vector<float> values{10, 1, 4, 2, 3};
    return percentileOf(values, q);
  };
  EXPECT_FLOAT_EQ(at(0), 1);
  EXPECT_FLOAT_EQ(at(50), 3);
  EXPECT_FLOAT_EQ(at(90), 7.6f);
  EXPECT_FLOAT_EQ(at(100), 10);
}

TEST(Percentile, OfNothingIsZero) {
  std::vector<float> none;
  EXPECT_EQ(percentileOf(none, 99), 0);
}

LayerActivations twoChannels() {
  // Two samples of 3 channels × 2 elements; zeros do not count; the last channel is dead.
  return {"conv1", {3, 1, 2}, {1, 0, 8, -1, 0, 0, 3, 2, 0, 4, 0, 0}};
}

TEST(ActivationScales, MaximumPerChannelAndDeadChannelTakesTheLayers) {
  ConversionOptions options;
  options.method = ConversionMethod::Maximum;
  EXPECT_THAT(activationScales(twoChannels(), options, true), ElementsAre(3, 8, 8));
  EXPECT_THAT(activationScales(twoChannels(), options, false), ElementsAre(8));
}

TEST(ActivationScales, PercentileOverPositiveActivationsOnly) {
  ConversionOptions options;
  options.percentile = 50;
  EXPECT_THAT(activationScales(twoChannels(), options, true), ElementsAre(2, 6, 3));
  EXPECT_THAT(activationScales(twoChannels(), options, false), ElementsAre(3));
}

TEST(ActivationScales, SilentLayerTakesOne) {
  ConversionOptions options;
  EXPECT_THAT(activationScales({"dense1", {2}, {0, -1}}, options, true), ElementsAre(1, 1));
}

} // namespace
} // namespace spindle
