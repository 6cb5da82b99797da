#include "core/network/SpikeStatistics.h"

#include "core/network/SpikeTrace.h"
#include "core/support/CounterRandom.h"
#include "core/support/formats/Json.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Bernoulli spikes, several in a step where `most` is more than one; rates differ by neuron.
SpikeTrace randomTrace(uint64_t seed, uint32_t steps, uint32_t most) {
  CounterRandom random(seed);
  SpikeTrace trace;
  trace.populations = {{"in", PopulationKind::Input, {7}, 0, 7},
                       {"out", PopulationKind::Neuron, {2, 5}, 7, 10}};
  trace.steps = steps;
  trace.stepMs = 0.5;
  trace.maxSpikes = most;
  trace.samples = 9;
  trace.counts.assign(17, 0);
  for (uint64_t sample = 0; sample < trace.samples; ++sample) {
    std::vector<Spike> spikes;
    for (uint32_t step = 0; step < steps; ++step)
      for (NeuronId neuron = 0; neuron < 17; ++neuron)
        for (uint32_t k = 0; k < most; ++k)
          if (random.uniform() < 0.03 * (neuron % 6))
            spikes.push_back({step, neuron});
    for (const Spike &spike : spikes)
      ++trace.counts[spike.neuron];
    if (sample < 6)
      trace.recorded.push_back(spikes);
  }
  return trace;
}

/// As numpy has them: mean and population standard deviation, in two passes.
std::pair<double, double> meanAndDeviation(const std::vector<double> &values) {
  long double mean = 0, variance = 0;
  for (double value : values)
    mean += value / static_cast<long double>(values.size());
  for (double value : values)
    variance += (value - mean) * (value - mean) / static_cast<long double>(values.size());
  return {double(mean), double(std::sqrt(variance))};
}

/// Intervals of a neuron, by sample, from sorted lists of its times.
std::vector<double> intervalsOf(const SpikeTrace &trace, NeuronId neuron) {
  std::vector<double> intervals;
  for (const std::vector<Spike> &spikes : trace.recorded) {
    std::vector<double> times;
    for (const Spike &spike : spikes)
      if (spike.neuron == neuron)
        times.push_back(spike.step);
    for (size_t i = 1; i < times.size(); ++i)
      intervals.push_back(times[i] - times[i - 1]);
  }
  return intervals;
}

void expectRates(const SpikeTrace &trace, const PopulationStatistics &found) {
  std::vector<double> rates;
  for (uint32_t n = 0; n < found.population.size; ++n)
    rates.push_back(double(trace.counts[found.population.first + n]) /
                    double(trace.samples * trace.steps));
  auto [mean, deviation] = meanAndDeviation(rates);
  EXPECT_NEAR(found.rate.mean, mean, 1e-14);
  EXPECT_NEAR(found.rate.deviation, deviation, 1e-14);
  EXPECT_DOUBLE_EQ(found.rate.least, *std::min_element(rates.begin(), rates.end()));
  EXPECT_DOUBLE_EQ(found.rate.most, *std::max_element(rates.begin(), rates.end()));
  EXPECT_EQ(found.rate.silent, std::count(rates.begin(), rates.end(), 0));
}

void expectIntervals(const SpikeTrace &trace, const PopulationStatistics &found) {
  std::vector<double> all, ofNeurons;
  std::map<size_t, uint64_t> bins;
  for (uint32_t n = 0; n < found.population.size; ++n) {
    std::vector<double> own = intervalsOf(trace, found.population.first + n);
    all.insert(all.end(), own.begin(), own.end());
    if (auto [mean, deviation] = meanAndDeviation(own); own.size() >= 2 && mean > 0)
      ofNeurons.push_back(deviation / mean);
  }
  auto [mean, deviation] = meanAndDeviation(all);
  EXPECT_EQ(found.intervals.count, all.size());
  EXPECT_NEAR(found.intervals.mean, mean, 1e-12);
  EXPECT_NEAR(found.intervals.cv.value_or(-1), deviation / mean, 1e-12);
  EXPECT_EQ(found.intervals.cvNeurons, ofNeurons.size());
  EXPECT_NEAR(found.intervals.neuronCv.value_or(-1), meanAndDeviation(ofNeurons).first, 1e-12);
  // Bounds of bins by their definition, each interval by looking through all of them.
  std::vector<double> bounds;
  for (double bound = 0; bound < 64; ++bound)
    bounds.push_back(bound);
  for (double octave = 64; octave < 1e6; octave *= 2)
    for (int k = 0; k < 32; ++k)
      bounds.push_back(octave + k * octave / 32);
  std::vector<uint64_t> histogram(bounds.size());
  for (double interval : all)
    for (size_t bin = 0; bin < bounds.size(); ++bin)
      histogram[bin] += bounds[bin] <= interval && interval < bounds[bin + 1];
  while (histogram.back() == 0)
    histogram.pop_back();
  EXPECT_EQ(found.intervals.histogram, histogram);
}

TEST(SpikeStatistics, AgreeWithListsOfRatesAndIntervals) {
  for (auto [steps, most] : {std::pair(40u, 1u), std::pair(500u, 1u), std::pair(60u, 3u)}) {
    SpikeTrace trace = randomTrace(steps, steps, most);
    ASSERT_FALSE(bool(verify(trace)));
    SpikeStatistics statistics = spikeStatistics(trace);
    EXPECT_FALSE(bool(verify(statistics)));
    EXPECT_EQ(statistics.steps, steps);
    EXPECT_EQ(statistics.samples, 9u);
    EXPECT_EQ(statistics.recordedSamples, 6u);
    ASSERT_EQ(statistics.populations.size(), 2u);
    for (const PopulationStatistics &each : statistics.populations) {
      expectRates(trace, each);
      expectIntervals(trace, each);
    }
  }
}

// Whoever emulates which samples, on threads or machines: sums of whole numbers are the same.
TEST(SpikeStatistics, DoNotDependOnTheOrderOfSamples) {
  SpikeTrace trace = randomTrace(3, 200, 1);
  SpikeStatistics before = spikeStatistics(trace);
  std::reverse(trace.recorded.begin(), trace.recorded.end());
  EXPECT_EQ(spikeStatistics(trace), before);
}

// A regular train has no variation, to the last bit, at whatever length.
TEST(SpikeStatistics, RegularTrainsHaveNoVariation) {
  SpikeTrace trace;
  trace.populations = {{"clock", PopulationKind::Neuron, {2}, 0, 2}};
  trace.steps = 1'000'000;
  trace.samples = 1;
  trace.recorded.resize(1);
  for (uint32_t step = 0; step < trace.steps; step += 3)
    trace.recorded[0].push_back({step, 0});
  trace.counts = {trace.recorded[0].size(), 0};
  SpikeStatistics statistics = spikeStatistics(trace);
  const PopulationStatistics &clock = statistics.populations[0];
  EXPECT_EQ(clock.intervals.mean, 3);
  EXPECT_EQ(clock.intervals.cv, 0.0);
  EXPECT_EQ(clock.intervals.neuronCv, 0.0);
  EXPECT_EQ(clock.intervals.cvNeurons, 1u);
  EXPECT_THAT(clock.intervals.histogram, ElementsAre(0, 0, 0, 333333));
  EXPECT_EQ(clock.rate.silent, 1u);
  EXPECT_DOUBLE_EQ(clock.rate.deviation, clock.rate.mean); // one neuron at 2 · mean, one at zero
}

// A Bernoulli process with probability p: mean 1 / p, cv sqrt(1 − p) (geometric intervals).
TEST(SpikeStatistics, GeometricIntervals) {
  SpikeTrace trace;
  trace.populations = {{"bernoulli", PopulationKind::Neuron, {1}, 0, 1}};
  trace.steps = 400'000;
  trace.samples = 1;
  trace.recorded.resize(1);
  CounterRandom random(8);
  for (uint32_t step = 0; step < trace.steps; ++step)
    if (random.uniform() < 0.25)
      trace.recorded[0].push_back({step, 0});
  trace.counts = {trace.recorded[0].size()};
  IntervalStatistics intervals = spikeStatistics(trace).populations[0].intervals;
  EXPECT_NEAR(intervals.mean, 4, 0.06); // five standard errors, sqrt(12 / 1e5) each
  EXPECT_NEAR(*intervals.cv, std::sqrt(0.75), 0.02);
}

TEST(SpikeStatistics, SilenceAndRepetitionsHaveNoVariation) {
  SpikeTrace trace;
  trace.populations = {{"silent", PopulationKind::Neuron, {2}, 0, 2},
                       {"double", PopulationKind::Neuron, {1}, 2, 1}};
  trace.steps = 4;
  trace.maxSpikes = 2;
  trace.samples = 1;
  trace.recorded = {{{1, 2}, {1, 2}}};
  trace.counts = {0, 0, 2};
  SpikeStatistics statistics = spikeStatistics(trace);
  EXPECT_EQ(statistics.populations[0].intervals, IntervalStatistics());
  EXPECT_EQ(statistics.populations[0].rate.silent, 2u);
  EXPECT_THAT(statistics.populations[1].intervals.histogram, ElementsAre(1));
  EXPECT_EQ(statistics.populations[1].intervals.cv, std::nullopt);
  EXPECT_EQ(statistics.populations[1].intervals.cvNeurons, 0u);
}

TEST(IntervalBins, CoverEveryIntervalOnce) {
  EXPECT_EQ(intervalBinStart(0), 0u);
  for (size_t bin = 0; bin < 800; ++bin) {
    uint64_t start = intervalBinStart(bin), next = intervalBinStart(bin + 1);
    ASSERT_LT(start, next);
    EXPECT_LE(next - start, std::max<uint64_t>(1, start / 32));
    EXPECT_EQ(intervalBin(uint32_t(start)), bin);
    EXPECT_EQ(intervalBin(uint32_t(next - 1)), bin);
  }
  EXPECT_LT(intervalBin(UINT32_MAX), 900u);
}

class StatisticsFile : public ::testing::Test {
protected:
  std::string path = ::testing::TempDir() + "statistics-" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  SpikeStatistics statistics = spikeStatistics(randomTrace(1, 300, 1));
  void TearDown() override { std::remove(path.c_str()); }

  /// What the reader says after one member was changed.
  std::string errorAfter(const std::string &pointer, const Json &value) {
    llvm::cantFail(writeSpikeStatistics(path, statistics));
    Json json = llvm::cantFail(readJson(path));
    json[Json::json_pointer(pointer)] = value;
    llvm::cantFail(writeJson(path, json));
    llvm::Expected<SpikeStatistics> back = readSpikeStatistics(path);
    return back ? "" : toText(back.takeError());
  }
};

TEST_F(StatisticsFile, RoundTrip) {
  for (const SpikeStatistics &each : {statistics, spikeStatistics(SpikeTrace())}) {
    llvm::cantFail(writeSpikeStatistics(path, each));
    llvm::Expected<SpikeStatistics> back = readSpikeStatistics(path);
    ASSERT_TRUE(bool(back)) << toText(back.takeError());
    EXPECT_EQ(*back, each);
  }
}

TEST_F(StatisticsFile, HertzAndMillisecondsStandBesideSteps) {
  llvm::cantFail(writeSpikeStatistics(path, statistics));
  Json json = llvm::cantFail(readJson(path));
  const Json &out = json["populations"][1];
  EXPECT_DOUBLE_EQ(out["rate"]["mean_hz"], 2000 * out["rate"]["mean"].get<double>());
  EXPECT_DOUBLE_EQ(out["intervals"]["mean_ms"], 0.5 * out["intervals"]["mean"].get<double>());
  ASSERT_EQ(out["intervals"]["from"].size(), out["intervals"]["histogram"].size());
  EXPECT_EQ(out["intervals"]["from"][65], 66); // the second bin of two steps
}

TEST_F(StatisticsFile, WhatCannotBeIsRefused) {
  EXPECT_THAT(errorAfter("/populations/0/rate/least", 2),
              HasSubstr("error: rates of 'in' are 2 to "));
  EXPECT_THAT(errorAfter("/populations/0/rate/deviation", -1),
              HasSubstr("expected finite numbers from zero on in this order"));
  EXPECT_THAT(errorAfter("/populations/0/rate/silent", 8),
              HasSubstr("error: 8 of the 7 neurons of 'in' are silent"));
  EXPECT_THAT(errorAfter("/populations/1/intervals/count", 3), HasSubstr(" intervals, expected 3"));
  EXPECT_THAT(errorAfter("/steps", 5), HasSubstr("expected some, of less than 5"));
  EXPECT_THAT(errorAfter("/populations/1/intervals/cv", -0.5),
              HasSubstr("error: intervals of 'out' have a mean or variation that is none"));
  EXPECT_THAT(errorAfter("/populations/1/intervals/cv_neurons", 11),
              HasSubstr("error: 11 of the 10 neurons of 'out' have intervals"));
  EXPECT_THAT(errorAfter("/recorded_samples", 10), HasSubstr("error: 10 recorded of 9 samples"));
  EXPECT_THAT(errorAfter("/step_ms", 0),
              HasSubstr("error: a step lasts 0 ms, expected more than zero"));
  EXPECT_THAT(errorAfter("/populations/1/name", "in"),
              HasSubstr("error: two populations are called 'in', names must differ"));
  EXPECT_THAT(errorAfter("/populations/1/rate/mean", nullptr),
              HasSubstr("not a valid file of this format"));
  EXPECT_THAT(errorAfter("/version", 2), HasSubstr("version 2"));
  statistics.recordedSamples = 10;
  EXPECT_EQ(toText(writeSpikeStatistics(path, statistics)),
            "spike statistics: error: 10 recorded of 9 samples");
}

} // namespace
