// Networks drawn at random from all layers.
#pragma once

#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"

#include <cmath>

namespace spindle::test {

/// Draws one layer after the other behind an encoder of spikes.
class RandomNetwork {
public:
  RandomNetwork(uint64_t seed, bool inFixedPoint, bool isRecurrent = false)
      : fixed(inFixedPoint), random(seed), input{1 + below(4), 5 + below(14), 5 + below(14)},
        n(input, seed) {
    n.poisson();
    for (int64_t layers = 2 + below(3); layers > 0; --layers)
      drawLayer();
    n.flatten();
    if (isRecurrent)
      recur();
    dense(4);
    fixed ? fire() : void(n.integrator());
    n.decode();
  }

  Shape shapeOfInput() const { return input; }
  mlir::ModuleOp finish() { return n.finish(); }

private:
  int64_t below(int64_t bound) { return int64_t(random.below(uint32_t(bound))); }
  Shape shape() const { return snn::shapeOf(n.last()).vec(); }

  std::vector<float> weights(int64_t count, float low = -0.4f) {
    std::vector<float> values = randomFloats(random, size_t(count), low, 0.6f);
    for (float &value : values)
      value = fixed ? std::round(10 * value) : value;
    return values;
  }
  std::vector<float> someBias(int64_t count) {
    return below(2) ? weights(count) : std::vector<float>();
  }

  /// A population that has a name rests after each spike.
  void fireInFixedPoint(const std::string &layer = "") {
    bool isNamed = !layer.empty();
    std::string name = isNamed ? fmt::format(", layer = \"{}\"", layer) : "";
    bool subtracts = !isNamed && below(2);
    int64_t refractory = isNamed || below(2) ? 1 + below(4) : 0;
    n.population("fixed_lif",
                 fmt::format("reset = #snn<reset {}>, threshold = array<f32: {}.0>, decay = {} : "
                             "i64, decay_bits = 8 : i64, weight_shift = 1 : i64, membrane_bits = "
                             "16 : i64, refractory = array<i64: {}>{}",
                             subtracts ? "subtract" : "zero", 6 + below(12), below(60), refractory,
                             name));
  }

  void fire() {
    if (fixed)
      fireInFixedPoint();
    else if (below(3) == 0)
      n.population("lif",
                   fmt::format("reset = #snn<reset zero>, threshold = array<f32: 0.4>, tau = array<"
                               "f32: 6.0>, r = array<f32: 4.0>, refractory = array<i64: {}>",
                               below(3)));
    else
      n.population(
          "if",
          fmt::format("reset = #snn<reset subtract>, threshold = array<f32: 0.6>, max_spikes = "
                      "{} : i64",
                      below(4) ? 1 : 3));
  }

  void dense(int64_t outputs) {
    n.dense(outputs, weights(outputs * snn::sizeOf(n.last())), someBias(outputs), "");
  }

  /// A population in fixed point that hears itself.
  void recur() {
    mlir::Value spikes = n.last();
    n.feedback("again", {9}, 1 + below(3));
    dense(9);
    mlir::Value back = n.last();
    n.from(spikes);
    dense(9);
    n.add(back);
    fireInFixedPoint("again");
  }

  /// Keeps rows and columns where `kernel` is odd and `stride` one.
  void convolve(int64_t filters, int64_t kernel, int64_t stride, int64_t groups) {
    int64_t channels = shape()[0] / groups, pad = kernel / 2;
    n.conv({filters, channels, kernel, kernel}, weights(filters * channels * kernel * kernel),
           someBias(filters), "", {{stride, stride}, {pad, pad, pad, pad}, {1, 1}, groups});
  }
  void convolveSomehow() {
    int64_t channels = shape()[0], groups = 1;
    if (below(2))
      for (groups = 1 + below(channels); channels % groups;)
        --groups;
    int64_t filters = groups * (1 + below(groups > 4 ? 4 : 20));
    ConvOptions options{{1 + below(2), 1 + below(2)},
                        {below(3), below(3), below(3), below(3)},
                        {1 + below(2), 1 + below(2)},
                        groups};
    int64_t rows = 1 + below(3), columns = 1 + below(3);
    n.conv({filters, channels / groups, rows, columns},
           weights(filters * channels / groups * rows * columns), someBias(filters), "", options);
  }

  void scale() {
    Shape whole = shape();
    int64_t count = below(2) ? whole[0] : snn::sizeOf(n.last());
    n.scale(count == whole[0] ? Shape{count} : whole, weights(count, 0.1f), someBias(count));
  }

  void delay() {
    int64_t kinds[] = {1, shape()[0], snn::sizeOf(n.last())};
    std::vector<int64_t> steps(static_cast<size_t>(kinds[below(3)]));
    for (int64_t &each : steps)
      each = below(5);
    n.delay(steps);
  }

  /// Two ways from the spikes at hand that meet as currents.
  void branch() {
    mlir::Value spikes = n.last();
    int64_t channels = shape()[0], kind = below(3);
    convolve(kind == 2 ? 1 + below(9) : channels, 3, 1, 1);
    mlir::Value straight = n.last();
    n.from(spikes);
    if (kind == 0)
      n.add(straight); // the spikes themselves
    else if (kind == 1)
      below(2) ? scale() : convolve(channels, 1, 1, below(2) ? channels : 1), n.add(straight);
    else
      n.concat(straight, 0, true);
  }

  void drawLayer() {
    int64_t smallest = std::min(shape()[1], shape()[2]);
    switch (smallest < 4 ? 4 : below(8)) {
    case 0:
    case 1:
      convolveSomehow();
      return fire();
    case 2: {
      PoolOptions pool = drawPool(random);
      n.maxPool(pool.kernel, pool.strides, pool.padding);
      return;
    }
    case 3: {
      PoolOptions pool = drawPool(random);
      if (fixed || below(2))
        n.sumPool(pool.kernel, pool.strides, pool.padding);
      else
        n.pool(pool.kernel, pool.strides, pool.padding, below(2));
      if (below(2))
        convolve(1 + below(12), 1, 1, 1);
      return fire();
    }
    case 4:
      branch();
      return fire();
    case 5: {
      mlir::Value spikes = n.last();
      n.maxPool({3, 3}, {1, 1}, {1, 1, 1, 1}).concat(spikes, below(3));
      return;
    }
    case 6:
      return delay();
    case 7: {
      const Shape orders[] = {{1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}};
      n.transpose(orders[below(4)]);
      return;
    }
    }
  }

  bool fixed;
  CounterRandom random;
  Shape input;
  NetworkBuilder n;
};

} // namespace spindle::test
