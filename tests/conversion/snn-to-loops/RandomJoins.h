// Random networks in fixed point whose spikes part and meet, of layers that have a form in events.
#pragma once

#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"

namespace spindle::test {

/// Populations p1, p2, … of one shape; each adds up what some of those before, or the recorded
/// events, make on ways of their own. The last one reads some of them side by side.
class RandomJoins {
public:
  explicit RandomJoins(uint64_t seed)
      : random(seed, 21), isImage(seed % 3 != 0), shape(drawShape()), n(shape, seed) {
    options.steps = 1 + below(6);
    options.takesWeights = below(2);
    options.recordsSpikes = true;
    n.events();
    sources.push_back(n.last());
    for (int64_t layers = 1 + below(4); layers > 0; --layers)
      addLayer();
    addLast();
  }

  mlir::ModuleOp finish() { return n.finish(); }
  CircuitOptions options;

  /// Events of a sample, ascending.
  std::vector<InputEvent> events() {
    std::vector<InputEvent> drawn;
    double rate = 0.1 + 0.8 * random.uniform();
    for (uint32_t step = 0; step < uint32_t(options.steps); ++step)
      for (uint32_t element = 0; element < uint32_t(snn::sizeOf(sources.front())); ++element)
        if (random.uniform() < rate)
          drawn.push_back({step, element});
    return drawn;
  }

private:
  int64_t below(int64_t bound) { return int64_t(random.below(uint32_t(bound))); }
  int64_t between(int64_t least, int64_t most) { return least + below(most - least + 1); }

  Shape drawShape() {
    int64_t channels = between(1, 4), rows = between(3, 6), columns = between(3, 6);
    return isImage ? Shape{channels, rows, columns} : Shape{1 + below(30)};
  }

  std::vector<float> weights(int64_t count) {
    int64_t most = int64_t(1) << between(1, 5);
    std::vector<float> values(static_cast<size_t>(count));
    for (float &value : values)
      value = float(between(-most * 2 / 3, most));
    return values;
  }
  std::vector<float> someBias(int64_t count) {
    return below(2) ? weights(count) : std::vector<float>();
  }

  void fire() {
    int64_t decay = below(3) ? 0 : between(0, 16);
    bool hasCurrent = below(5) == 0;
    std::string name = fmt::format("p{}", ++populations);
    n.population(
        hasCurrent ? "fixed_cuba_lif" : "fixed_lif",
        fmt::format("{}layer = \"{}\", reset = #snn<reset {}>, threshold = array<f32: "
                    "{}.0>, refractory = array<i64: {}>, decay = {} : i64, decay_bits = 4 "
                    ": i64, membrane_bits = 12 : i64",
                    hasCurrent ? fmt::format("decay_syn = {} : i64, ", between(0, 16)) : "", name,
                    below(2) ? "subtract" : "zero", between(1, 40), below(4) ? 0 : below(3),
                    decay));
    sources.push_back(n.last());
  }

  mlir::Value drawSource() { return sources[size_t(below(int64_t(sources.size())))]; }

  /// From the spikes at hand to currents of the same shape.
  void weigh() {
    int64_t count = snn::sizeOf(n.last());
    if (below(6) == 0)
      n.delay({below(4)});
    if (!isImage) {
      switch (below(4)) {
      case 0:
        return; // as they are
      case 1: {
        std::vector<float> bias = someBias(count);
        n.scale({count}, weights(count), bias);
        return;
      }
      default: {
        std::vector<float> bias = someBias(count);
        n.dense(count, weights(count * count), bias, "");
      }
      }
      return;
    }
    int64_t channels = shape[0];
    if (below(5) == 0)
      n.maxPool({3, 3}, {1, 1}, {1, 1, 1, 1});
    std::vector<float> bias = someBias(channels);
    switch (below(7)) {
    case 0:
      return;
    case 1:
      n.scale({channels}, weights(channels), bias);
      return;
    case 2:
      n.conv({channels, channels, 1, 1}, weights(channels * channels), bias, "");
      return;
    case 3:
      n.sumPool({3, 3}, {1, 1}, {1, 1, 1, 1});
      return;
    case 4: // sums of windows that overlap, in front of weights
      n.sumPool({3, 1}, {1, 1}, {1, 0, 1, 0});
      n.conv({channels, channels, 1, 1}, weights(channels * channels), bias, "");
      return;
    case 5: {
      n.flatten();
      std::vector<float> own = someBias(count);
      n.dense(count, weights(count * count), own, "").reshape(shape);
      return;
    }
    default:
      n.conv({channels, channels, 3, 3}, weights(channels * channels * 9), bias, "",
             {{1, 1}, {1, 1, 1, 1}});
    }
  }

  void addLayer() {
    mlir::Value sum;
    for (int64_t ways = 1 + below(3); ways > 0; --ways) {
      n.from(drawSource());
      weigh();
      if (sum)
        n.add(sum);
      sum = n.last();
    }
    if (mlir::isa<snn::SpikeBundleType>(sum.getType()) || below(2) == 0) {
      n.from(sources.back()); // at least one way has weights, and the newest one is read
      int64_t count = snn::sizeOf(n.last());
      std::vector<float> factors = weights(isImage ? shape[0] : count);
      n.scale({int64_t(factors.size())}, factors, {}).add(sum);
    }
    fire();
  }

  void addLast() {
    n.from(sources.back());
    for (int64_t others = below(3); others > 0; --others)
      n.concat(drawSource(), 0);
    if (isImage && below(2))
      n.transpose({1, 2, 0});
    n.flatten();
    int64_t classes = between(2, 5);
    std::vector<float> bias = someBias(classes);
    n.dense(classes, weights(classes * snn::sizeOf(n.last())), bias, "");
    if (below(3) == 0) {
      n.population("fixed_li", "layer = \"out\", decay = 0 : i64, membrane_bits = 14 : i64");
      n.decode();
      return;
    }
    fire();
    below(4) ? n.decode() : n.decodeFirstSpike();
  }

  CounterRandom random;
  bool isImage;
  Shape shape;
  NetworkBuilder n;
  std::vector<mlir::Value> sources;
  int populations = 0;
};

} // namespace spindle::test
