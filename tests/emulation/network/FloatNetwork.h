// Spiking networks in f32, drawn at random, that have a form in integers.
#pragma once

#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"

#include <cmath>

namespace spindle::test {

/// Pixels, direct or as regular spikes; convolutions, poolings and joins between populations with
/// and without leak; answers from membranes, leaky ones or counts.
class FloatNetwork {
public:
  explicit FloatNetwork(uint64_t seed, int64_t tensorLayers = 0)
      : random(seed), input{1 + below(3), 6 + below(7), 6 + below(7)}, n(input, seed) {
    for (int64_t layers = tensorLayers; layers > 0; --layers)
      keepTensor();
    tensorLayers > 0 || below(2) ? first() : void(n.regular());
    for (int64_t layers = 1 + below(3); layers > 0; --layers)
      drawLayer();
    if (below(2)) // one window for each element behind it
      averages();
    n.flatten();
    dense(5);
    answer();
  }

  Shape shapeOfInput() const { return input; }
  mlir::ModuleOp finish() { return n.finish(); }

private:
  int64_t below(int64_t bound) { return int64_t(random.below(uint32_t(bound))); }
  Shape shape() const { return snn::shapeOf(n.last()).vec(); }

  std::vector<float> weights(int64_t count, int64_t fanIn) {
    float size = 2.4f / std::sqrt(float(fanIn));
    return randomFloats(random, size_t(count), -0.6f * size, size);
  }
  std::vector<float> someBias(int64_t count) {
    return below(2) ? randomFloats(random, size_t(count), -0.2f, 0.2f) : std::vector<float>();
  }

  void dense(int64_t outputs) {
    int64_t inputs = snn::sizeOf(n.last());
    n.dense(outputs, weights(outputs * inputs, inputs), someBias(outputs), "");
  }
  void convolve(int64_t filters, int64_t kernel, int64_t groups = 1) {
    int64_t channels = shape()[0] / groups, pad = kernel / 2, fanIn = channels * kernel * kernel;
    n.conv({filters, channels, kernel, kernel}, weights(filters * fanIn, fanIn), someBias(filters),
           "", {{1 + below(2), 1}, {pad, pad, pad, pad}, {1, 1}, groups});
  }
  bool isLarge() const { return shape()[1] > 3 && shape()[2] > 3; }
  void averages() {
    if (isLarge())
      n.pool({2, 2}, {2, 2});
  }

  /// A layer of the ANN with levels in place of spikes.
  void keepTensor() {
    if (below(4) == 0) {
      Shape image = shape();
      int64_t elements = snn::sizeOf(n.last());
      n.flatten();
      dense(elements);
      n.reshape(image);
    } else {
      convolve(2 + below(4), 3);
    }
    if (below(3) == 0 && isLarge())
      n.maxPool({2, 2}, {2, 2});
    n.clampedRelu(0.5f + 0.25f * float(below(6)), (int64_t(4) << below(7)) - 1);
    if (below(3) == 0)
      averages();
  }

  /// Computed once per sample, with poolings on either side of the weights.
  void first() {
    if (below(3) == 0)
      averages();
    convolve(2 + below(4), 3);
    if (below(3) == 0 && isLarge())
      n.maxPool({2, 2}, {2, 2});
    n.direct();
    fire();
  }

  void fire() {
    std::string thresholds;
    for (int64_t left = below(2) ? 1 : shape()[0]; left > 0; --left)
      thresholds += fmt::format("{:.1f}{}", 0.4 + 0.1 * double(below(8)), left > 1 ? ", " : "");
    bool subtracts = below(2);
    std::string firing =
        fmt::format("reset = #snn<reset {}>, threshold = array<f32: {}>, refractory = array<i64: "
                    "{}>, max_spikes = {} : i64, initial_membrane = array<f32: {}>",
                    subtracts ? "subtract" : "zero", thresholds, below(3) ? 0 : 1 + below(2),
                    subtracts && below(3) == 0 ? 3 : 1, below(2) ? "0.25" : "0.0");
    switch (below(4)) {
    case 0:
      n.population("lif", firing + ", tau = array<f32: 6.0>, r = array<f32: 5.0>");
      break;
    case 1:
      n.population("cuba_lif", firing + ", tau = array<f32: 5.0>, r = array<f32: 4.0>, tau_syn = "
                                        "array<f32: 2.5>, w_in = array<f32: 3.0>");
      break;
    default:
      n.population("if", firing);
    }
  }

  void answer() {
    switch (below(4)) {
    case 0:
      fire();
      break;
    case 1:
      n.population("li", "tau = array<f32: 8.0>, r = array<f32: 2.0>");
      break;
    default:
      n.integrator({0.5f});
    }
    n.decode();
  }

  /// Two ways from the spikes at hand that meet as currents.
  void join() {
    mlir::Value spikes = n.last();
    int64_t channels = shape()[0];
    auto same = [&] {
      n.conv({channels, channels, 3, 3}, weights(channels * channels * 9, channels * 9),
             someBias(channels), "", {{1, 1}, {1, 1, 1, 1}, {1, 1}, 1});
    };
    if (below(2) && isLarge()) { // behind averages that both read
      n.pool({2, 2}, {2, 2});
      spikes = n.last();
    }
    same();
    mlir::Value straight = n.last();
    n.from(spikes);
    if (below(2))
      same();
    n.add(straight);
  }

  void drawLayer() {
    switch (below(6)) {
    case 0:
      convolve(2 * (1 + below(3)), 3, shape()[0] % 2 || below(2) ? 1 : 2);
      return fire();
    case 1:
      averages();
      convolve(2 + below(4), 1 + 2 * below(2));
      return fire();
    case 2:
      if (isLarge())
        n.maxPool({2, 2}, {2, 2});
      return;
    case 3:
      join();
      return fire();
    case 4: // a population of its own
      if (!isLarge())
        return;
      averages();
      return fire();
    default:
      n.delay({below(3)});
      convolve(2 + below(4), 3);
      return fire();
    }
  }

  CounterRandom random;
  Shape input;
  NetworkBuilder n;
};

} // namespace spindle::test
