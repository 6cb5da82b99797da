// The networks of the emulation benchmark: sizes, neurons and rates that other simulators are
// measured with. LIF of 20 ms, steps of 1 ms, threshold 1, reset to 0; an input adds its weight.
#pragma once

#include "lib/core/Samples.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"

#include <cmath>
#include <numbers>

namespace spindle::bench {

struct SpikingWorkload {
  const char *name;
  test::Shape input;
  void (*build)(test::NetworkBuilder &);
};

/// Normal numbers by Box and Muller.
inline std::vector<float> normalFloats(CounterRandom &random, size_t count, double mean,
                                       double deviation) {
  std::vector<float> values(count);
  for (float &value : values) {
    double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    double angle = 2 * std::numbers::pi * random.uniform();
    value = float(mean + deviation * radius * std::cos(angle));
  }
  return values;
}

inline void leak(test::NetworkBuilder &n) {
  constexpr float kTau = 20;
  float rate = 1 - std::exp(-1 / kTau); // v ← v · (1 − rate) + input
  n.population("lif", fmt::format("reset = 0 : i32, threshold = array<f32: 1.0>, tau = array<f32: "
                                  "{:.1f}>, r = array<f32: {:.9g}>, discretization = 1 : i32",
                                  kTau, 1 / rate));
}

inline void dense(test::NetworkBuilder &n, int64_t outputs, double mean, double deviation) {
  size_t weights = size_t(outputs * snn::sizeOf(n.last()));
  n.dense(outputs, normalFloats(n.random, weights, mean, deviation), {}, "");
  leak(n);
}

inline void convolution(test::NetworkBuilder &n, int64_t filters, int64_t kernel, int64_t padding,
                        double mean, double deviation) {
  int64_t channels = snn::shapeOf(n.last())[0];
  size_t weights = size_t(filters * channels * kernel * kernel);
  n.conv({filters, channels, kernel, kernel}, normalFloats(n.random, weights, mean, deviation), {},
         "", {{1, 1}, {padding, padding, padding, padding}, {1, 1}, 1});
  leak(n);
}

/// 784-1024-1024-10: 2.7e9 synaptic events on 100 samples of 100 steps, rates about 14, 10, 10 %.
inline const SpikingWorkload kMlp{"mlp", {784}, [](test::NetworkBuilder &n) {
                                    n.poisson();
                                    dense(n, 1024, 2e-4, 0.055);
                                    dense(n, 1024, 2e-4, 0.045);
                                    dense(n, 10, 1e-3, 0.05);
                                    n.decode();
                                  }};

/// Convolutions of 6 and 16 filters with average pooling, 120-84-10; rates about 11 to 14 %.
inline const SpikingWorkload kLenet{"lenet", {1, 28, 28}, [](test::NetworkBuilder &n) {
                                      n.poisson();
                                      convolution(n, 6, 5, 2, 0.02, 0.25);
                                      n.pool({2, 2}, {2, 2});
                                      convolution(n, 16, 5, 0, 0.005, 0.15);
                                      n.pool({2, 2}, {2, 2}).flatten();
                                      dense(n, 120, 0.003, 0.12);
                                      dense(n, 84, 0.005, 0.12);
                                      dense(n, 10, 0.005, 0.12);
                                      n.decode();
                                    }};

/// Synapses from the neurons [first, end) to all `neurons`, each with a probability: ascending, by
/// geometric skipping.
struct RandomRows {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> sources;

  RandomRows(CounterRandom &random, int64_t neurons, int64_t first, int64_t end,
             double probability) {
    double scale = 1 / std::log1p(-probability);
    for (int64_t target = 0; target < neurons; ++target) {
      for (int64_t source = first;; ++source) {
        source += int64_t(std::log(1 - random.uniform()) * scale);
        if (source >= end)
          break;
        sources.push_back(int32_t(source));
      }
      offsets.push_back(int64_t(sources.size()));
    }
  }
};

/// Vogels and Abbott's balanced network of current synapses: `neurons` cells, 80 % excitatory,
/// connection probability 0.02, steps of 0.1 ms.
inline void buildCuba(test::NetworkBuilder &n, int64_t neurons, float weightScale) {
  int64_t excitatory = neurons * 4 / 5;
  RandomRows fromExcitatory(n.random, neurons, 0, excitatory, 0.02);
  RandomRows fromInhibitory(n.random, neurons, excitatory, neurons, 0.02);
  auto receive = [&](const RandomRows &rows, float weight) {
    n.feedback("cells", {neurons}).sparse({neurons}, rows.offsets, rows.sources, weight);
    return n.last();
  };
  mlir::Value inhibition = receive(fromInhibitory, -9 * weightScale);
  receive(fromExcitatory, 1.62f * weightScale);
  std::string initial;
  for (float v : test::randomFloats(n.random, size_t(neurons), -60, -50))
    initial += fmt::format("{}{:.9e}", initial.empty() ? "" : ", ", v);
  n.population("dual_cuba_lif",
               "layer = \"cells\", reset = 0 : i32, threshold = array<f32: -50.0>, v_reset = "
               "array<f32: -60.0>, v_leak = array<f32: -49.0>, refractory = array<i64: 50>, tau = "
               "array<f32: 200.0>, tau_exc = array<f32: 50.0>, tau_inh = array<f32: 100.0>, "
               "discretization = 1 : i32, initial_membrane = array<f32: " +
                   initial + ">",
               inhibition);
  n.sparse({1}, {0, 1}, {0}, 1).integrator().decode();
}

inline const SpikingWorkload kCuba4k{
    "cuba4k", {1}, [](test::NetworkBuilder &n) { buildCuba(n, 4000, 1); }};

/// Samples of U(0, 1) with probability 0.3, else 0: mean 0.149.
inline Samples sparseSamples(const test::Shape &shape, size_t count) {
  Samples samples = test::randomSamples(1, shape, count, 10);
  CounterRandom random(2);
  for (float &value : samples.values)
    value = random.uniform() < 0.3 ? value : 0;
  return samples;
}

} // namespace spindle::bench
