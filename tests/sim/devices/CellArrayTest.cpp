// Programmed cells against closed forms and brute force.
#include "sim/model/devices/CellArray.h"
#include "sim/model/devices/DisturbedCrossbars.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <cmath>

using namespace spindle;

namespace {

struct Moments {
  double mean = 0, variance = 0;
};

Moments momentsOf(const std::vector<double> &values) {
  Moments moments;
  for (double value : values)
    moments.mean += value / double(values.size());
  for (double value : values)
    moments.variance += std::pow(value - moments.mean, 2) / double(values.size() - 1);
  return moments;
}

CellPair pairOf(double positive, double negative, uint32_t side = 300) {
  CellPair pair{CellMatrix(side, side), CellMatrix(side, side)};
  std::fill(pair.positive.values.begin(), pair.positive.values.end(), positive);
  std::fill(pair.negative.values.begin(), pair.negative.values.end(), negative);
  return pair;
}

/// Bounds are five standard errors of 90,000 cells.
TEST(CellArray, ProgrammingNoiseHasItsMeanAndDeviation) {
  Device device;
  device.programmingNoise = 0.2;
  CellPair cells = programmed(pairOf(0.5, 0.25), device, 3, 1);
  for (auto [array, target] : {std::pair(&cells.positive, 0.5), std::pair(&cells.negative, 0.25)}) {
    Moments moments = momentsOf(array->values);
    double deviation = 0.2 * target;
    EXPECT_NEAR(moments.mean, target, 5 * deviation / 300);
    EXPECT_NEAR(std::sqrt(moments.variance), deviation, 5 * deviation / 300 / std::sqrt(2));
  }
  double both = 0; // the cells of a pair have nothing to do with each other
  for (size_t cell = 0; cell < cells.positive.values.size(); ++cell)
    both += (cells.positive.values[cell] - 0.5) * (cells.negative.values[cell] - 0.25);
  EXPECT_NEAR(both / 90'000, 0, 5 * 0.1 * 0.05 / 300);
}

/// Half of what a normal distribution with deviation 1 has below −1 becomes zero conductance.
TEST(CellArray, ConductancesAreNeverBelowZero) {
  Device device;
  device.programmingNoise = 1;
  CellPair cells = programmed(pairOf(1, 1), device, 1, 0);
  double zeros =
      double(std::count(cells.positive.values.begin(), cells.positive.values.end(), 0.0));
  double share = 0.5 * std::erfc(1 / std::sqrt(2.0));
  EXPECT_NEAR(zeros / 90'000, share, 5 * std::sqrt(share * (1 - share)) / 300);
  EXPECT_GE(*std::min_element(cells.positive.values.begin(), cells.positive.values.end()), 0);
}

TEST(CellArray, StuckCellsHaveTheirShares) {
  Device device;
  device.offConductance = 0.125;
  device.stuckOn = 0.1;
  device.stuckOff = 0.3;
  CellPair cells = programmed(pairOf(0.5, 0.5), device, 9, 4);
  auto share = [&](double value) {
    return double(std::count(cells.positive.values.begin(), cells.positive.values.end(), value)) /
           90'000;
  };
  EXPECT_NEAR(share(1), 0.1, 5 * std::sqrt(0.1 * 0.9) / 300);
  EXPECT_NEAR(share(0.125), 0.3, 5 * std::sqrt(0.3 * 0.7) / 300);
  EXPECT_NEAR(share(0.5), 0.6, 5 * std::sqrt(0.6 * 0.4) / 300);
}

/// With exponents N(ν, σ), L = ln(t / t₀): the mean is exp(−νL + σ²L²/2), as of any log-normal.
TEST(CellArray, DriftFollowsThePowerLaw) {
  Device device;
  device.drift = {.exponent = 0.05, .deviation = 0, .seconds = 3600, .referenceSeconds = 20};
  CellPair exact = programmed(pairOf(0.8, 0.3, 2), device, 1, 0);
  EXPECT_DOUBLE_EQ(exact.positive.values[3], 0.8 * std::pow(180.0, -0.05));
  EXPECT_DOUBLE_EQ(exact.negative.values[0], 0.3 * std::pow(180.0, -0.05));
  device.drift.deviation = 0.01;
  Moments moments = momentsOf(programmed(pairOf(1, 1), device, 1, 0).positive.values);
  double log = std::log(180.0), spread = 0.01 * log;
  double mean = std::exp(-0.05 * log + spread * spread / 2);
  double variance = mean * mean * std::expm1(spread * spread);
  EXPECT_NEAR(moments.mean, mean, 5 * std::sqrt(variance) / 300);
  EXPECT_NEAR(moments.variance, variance, 0.03 * variance);
}

TEST(CellArray, LevelsAreTheNearestOnes) {
  CounterRandom draw(5);
  for (uint32_t levels : {2u, 3u, 16u, 37u}) {
    Device device;
    device.levels = levels;
    device.offConductance = 0.05;
    CellPair targets{CellMatrix(20, 20), CellMatrix(20, 20)};
    for (double &value : targets.positive.values)
      value = 0.05 + 0.95 * draw.uniform();
    CellPair cells = programmed(targets, device, 1, 0);
    for (size_t cell = 0; cell < 400; ++cell) {
      double nearest = 1e9;
      for (uint32_t level = 0; level < levels; ++level) {
        double each = 0.05 + 0.95 * level / (levels - 1);
        if (std::abs(each - targets.positive.values[cell]) <
            std::abs(nearest - targets.positive.values[cell]))
          nearest = each;
      }
      EXPECT_NEAR(cells.positive.values[cell], nearest, 1e-12);
    }
  }
}

TEST(CellArray, APairHoldsTheWeight) {
  CounterRandom draw(6);
  CellMatrix weights(30, 30);
  for (double &weight : weights.values)
    weight = 6 * draw.uniform() - 3;
  Device device;
  device.offConductance = 0.1;
  CellPair pair = targetsOf(weights, 3, device);
  for (size_t cell = 0; cell < weights.values.size(); ++cell) {
    double positive = pair.positive.values[cell], negative = pair.negative.values[cell];
    EXPECT_NEAR((positive - negative) * 3 / 0.9, weights.values[cell], 1e-12);
    EXPECT_EQ(std::min(positive, negative), 0.1); // one of them is off
    EXPECT_LE(std::max(positive, negative), 1);
  }
}

TEST(CellArray, SeedCrossbarAndPlaceDecide) {
  Device device;
  device.programmingNoise = 0.1;
  auto cells = [&](uint64_t seed, uint32_t crossbar) {
    return programmed(pairOf(1, 1, 4), device, seed, crossbar).positive.values;
  };
  EXPECT_EQ(cells(1, 2), cells(1, 2));
  EXPECT_NE(cells(1, 2), cells(2, 2));
  EXPECT_NE(cells(1, 2), cells(1ull << 32 | 1, 2));
  EXPECT_NE(cells(1, 2), cells(1, 3)); // a copy of a shared weight is disturbed on its own
}

TEST(CellArray, ConvertersTakeTheNearestCodeOfTheirRange) {
  CounterRandom draw(7);
  for (uint32_t bits : {2u, 4u, 8u}) {
    Adc converter{bits, 3};
    int most = (1 << (bits - 1)) - 1;
    for (int n = 0; n < 200; ++n) {
      double sum = 10 * (draw.uniform() - 0.5), nearest = 1e9;
      for (int code = -most; code <= most; ++code)
        if (double each = code * 3 * 0.5 / most; std::abs(each - sum) < std::abs(nearest - sum))
          nearest = each;
      EXPECT_NEAR(converted(sum, converter, 0.5), nearest, 1e-12);
    }
  }
  EXPECT_EQ(converted(0.123456789, Adc{}, 1), 0.123456789);
}

} // namespace
