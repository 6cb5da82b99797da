// The search against a second simulation of every candidate, and against what must come out.
#include "lib/conversion/ann-to-snn/calibration/ThresholdSearch.h"

#include "core/support/CounterRandom.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spindle {
namespace {

ConversionOptions fourSteps() {
  ConversionOptions options;
  options.steps = 4;
  return options;
}

LayerPlan onePlan(float scale) { return {{1}, {scale}, {0}, {0.5f}}; }

/// Σ over samples of (scale · spikes / 4 − activation)², everything in activations.
double errorOf(const std::vector<float> &activations, double scale, double shift) {
  double sum = 0;
  for (float a : activations) {
    double v = 0.5 * scale;
    int spikes = 0;
    for (int step = 0; step < 4; ++step) {
      v += a + shift;
      if (v >= scale) {
        v -= scale;
        ++spikes;
      }
    }
    sum += std::pow(scale * spikes / 4 - a, 2);
  }
  return sum;
}

TEST(ThresholdSearch, AQuantisedActivationFindsItsOwnScale) {
  // Activations are multiples of a quarter of 1.5: four steps at threshold 1.5 say them exactly.
  ConversionOptions options = fourSteps();
  LayerPlan plan = onePlan(2); // 0.75 of it, a scale of the grid
  ThresholdSearch search(plan, options, 5);
  for (size_t sample = 0; sample < 5; ++sample) {
    float activation = 0.375f * static_cast<float>(sample);
    search.read(sample, std::vector<float>(4, activation / 2), &activation);
  }
  LayerPlan best = search.best();
  EXPECT_NEAR(best.scale[0], 1.5, 1e-6);
  EXPECT_LT(errorOf({0, 0.375f, 0.75f, 1.125f, 1.5f}, best.scale[0], best.shift[0]), 1e-12);
}

TEST(ThresholdSearch, NoScaleNearbyIsBetter) {
  CounterRandom random(3);
  std::vector<float> activations;
  for (int k = 0; k < 200; ++k)
    activations.push_back(static_cast<float>(std::pow(random.uniform(), 3))); // few are large
  ConversionOptions options = fourSteps();
  LayerPlan plan = onePlan(1);
  ThresholdSearch search(plan, options, activations.size());
  for (size_t sample = 0; sample < activations.size(); ++sample)
    search.read(sample, std::vector<float>(4, activations[sample]), &activations[sample]);
  LayerPlan best = search.best();
  double least = errorOf(activations, best.scale[0], best.shift[0]);
  EXPECT_LT(least, 0.9 * errorOf(activations, 1, 0)) << "the start is not optimal here";
  for (double scale : {0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0})
    EXPECT_GE(errorOf(activations, scale, 0), least - 0.02) << scale;
}

/// The search itself, without leaving anything out.
LayerPlan searched(const LayerPlan &start, const std::vector<std::vector<float>> &currents,
                   const std::vector<float> &activations) {
  ThresholdCandidates candidates(4);
  double least = 0;
  LayerPlan plan = start;
  for (size_t c = 0; c < ThresholdCandidates::kCount; ++c) {
    double sum = 0;
    for (size_t sample = 0; sample < currents.size(); ++sample) {
      float v = start.initialMembrane[0] * candidates.scales[c], spikes = 0;
      for (float current : currents[sample]) {
        v += current + candidates.shifts[c];
        if (v >= candidates.scales[c]) {
          v -= candidates.scales[c];
          ++spikes;
        }
      }
      float error = spikes / 4 * candidates.scales[c] - activations[sample] / start.scale[0];
      sum += error * error;
    }
    if (c > 0 && sum >= least)
      continue;
    least = sum;
    plan.scale = {start.scale[0] * candidates.scales[c]};
    plan.shift = {start.scale[0] * candidates.shifts[c]};
  }
  return plan;
}

/// Among them currents that the largest shift carries to the threshold exactly, or just not.
TEST(ThresholdSearch, WhatIsLeftOutAsSilentHasNoErrors) {
  CounterRandom random(11);
  for (float initialMembrane : {0.0f, 0.5f, 0.75f, 1.0f}) {
    LayerPlan plan{{1}, {2}, {0}, {initialMembrane}};
    std::vector<std::vector<float>> currents;
    std::vector<float> activations;
    for (int sample = 0; sample < 400; ++sample) {
      float most = sample % 4 == 0 ? 1e-6f : 0.5f, mean = 0;
      std::vector<float> input;
      for (int step = 0; step < 4; ++step)
        input.push_back(sample % 8 == 0 ? 0 : most * float(2 * random.uniform() - 1));
      for (float current : input)
        mean += current / 4;
      currents.push_back(std::move(input));
      activations.push_back(sample % 4 == 0 ? 0 : std::max(0.0f, 2 * mean));
    }
    ConversionOptions options = fourSteps();
    ThresholdSearch search(plan, options, currents.size());
    for (size_t sample = 0; sample < currents.size(); ++sample)
      search.read(sample, currents[sample], &activations[sample]);
    LayerPlan best = search.best(), expected = searched(plan, currents, activations);
    EXPECT_EQ(best.scale, expected.scale) << initialMembrane;
    EXPECT_EQ(best.shift, expected.shift) << initialMembrane;
  }
}

TEST(ThresholdSearch, ChannelsAreJudgedApartAndSilentOnesStay) {
  ConversionOptions options = fourSteps();
  LayerPlan plan{{2, 3}, {2, 7}, {0}, {0.5f}};
  ThresholdSearch search(plan, options, 4);
  for (size_t sample = 0; sample < 4; ++sample) {
    float a = 0.375f * static_cast<float>(sample + 1);
    std::vector<float> activations{a, a, a, 0, 0, 0}, currents;
    for (int step = 0; step < 4; ++step)
      currents.insert(currents.end(), {a / 2, a / 2, a / 2, -9, -9, -9});
    search.read(sample, currents, activations.data());
  }
  LayerPlan best = search.best();
  EXPECT_NEAR(best.scale[0], 1.5, 1e-6);
  EXPECT_EQ(best.scale[1], 7);
  EXPECT_EQ(best.shift[1], 0);
}

} // namespace
} // namespace spindle
