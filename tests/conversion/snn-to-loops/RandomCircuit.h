// Random spiking networks in fixed point, with how their layers are to be worked through.
#pragma once

#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle::test {

/// Layers of all kinds behind recorded events; populations are named p1, p2, ….
class RandomCircuit {
public:
  explicit RandomCircuit(uint64_t seed, bool isSmall = false)
      : random(seed, 7), small(isSmall),
        input{1 + below(3), 3 + below(small ? 3 : 5), 3 + below(small ? 3 : 5)}, n(input, seed) {
    options.steps = 1 + below(small ? 4 : 12);
    options.takesWeights = below(2);
    options.recordsSpikes = true;
    n.events();
    for (int64_t layers = below(small ? 2 : 4); layers > 0; --layers)
      drawLayer();
    n.flatten();
    dense(2 + below(5));
    if (below(4) == 0) {
      readOut();
      return;
    }
    fire();
    below(4) ? n.decode() : n.decodeFirstSpike();
  }

  mlir::ModuleOp finish() { return n.finish(); }
  int64_t inputs() const { return input[0] * input[1] * input[2]; }

  CircuitOptions options;

  /// Events of a sample, ascending.
  std::vector<InputEvent> events() {
    std::vector<InputEvent> drawn;
    double rate = 0.1 + 0.8 * random.uniform();
    for (uint32_t step = 0; step < uint32_t(options.steps); ++step)
      for (uint32_t element = 0; element < uint32_t(inputs()); ++element)
        if (random.uniform() < rate)
          drawn.push_back({step, element});
    return drawn;
  }

private:
  int64_t below(int64_t bound) { return int64_t(random.below(uint32_t(bound))); }
  int64_t between(int64_t least, int64_t most) { return least + below(most - least + 1); }
  Shape shape() const { return snn::shapeOf(n.last()).vec(); }
  int64_t elements() const { return snn::sizeOf(n.last()); }

  std::vector<float> weights(int64_t count) {
    int64_t most = (int64_t(1) << below(6)) + below(2);
    std::vector<float> values(static_cast<size_t>(count));
    for (float &value : values)
      value = float(between(-most * 2 / 3, most));
    return values;
  }
  std::vector<float> someBias(int64_t count) {
    return below(2) ? weights(count) : std::vector<float>();
  }

  /// Integers as the text of an attribute: one, one per channel or one per neuron.
  std::string values(const char *type, int64_t least, int64_t most) {
    int64_t counts[] = {1, shape()[0], elements()};
    std::vector<std::string> texts;
    for (int64_t left = counts[below(3)]; left > 0; --left)
      texts.push_back(fmt::format("{}{}", between(least, most), type[0] == 'f' ? ".0" : ""));
    return fmt::format("array<{}: {}>", type, fmt::join(texts, ", "));
  }

  /// A population on the currents at hand; so many of its neurons may be computed side by side.
  void fire() {
    int64_t bits = between(4, 18), most = (int64_t(1) << (bits - 1)) - 1;
    int64_t shift = below(4), decayBits = between(1, 14),
            decay = below(3) ? between(0, int64_t(1) << decayBits) : 0;
    int64_t threshold = std::min<int64_t>(most, between(2, 12) << shift);
    std::string name = fmt::format("p{}", ++populations);
    bool hasCurrent = below(4) == 0;
    n.population(
        hasCurrent ? "fixed_cuba_lif" : "fixed_lif",
        (hasCurrent ? fmt::format("decay_syn = {} : i64, ", between(0, int64_t(1) << decayBits))
                    : "") +
            fmt::format("layer = \"{}\", reset = #snn<reset {}>, threshold = {}, v_reset = {}, "
                        "initial_membrane = {}, refractory = {}, decay = {} : i64, "
                        "decay_bits = {} : i64, weight_shift = {} : i64, membrane_bits = {} : i64",
                        name, below(2) ? "subtract" : "zero", values("f32", 1, threshold),
                        values("f32", -std::min<int64_t>(most, 3), 0),
                        values("f32", -std::min<int64_t>(most, 3), threshold),
                        below(3) ? "array<i64: 0>" : values("i64", 0, 3), decay, decayBits, shift,
                        bits));
    options.layers[name] = {between(1, mostLanes), between(1, mostInputs)};
    mostInputs = 1;
  }

  /// Membranes as answers.
  void readOut() {
    int64_t bits = between(4, 18), decayBits = between(1, 14);
    n.population("fixed_li",
                 fmt::format("layer = \"out\", initial_membrane = {}, decay = {} : i64, "
                             "decay_bits = {} : i64, weight_shift = {} : i64, membrane_bits = {} "
                             ": i64",
                             values("f32", -3, 3),
                             below(2) ? between(0, int64_t(1) << decayBits) : 0, decayBits,
                             below(4), bits));
    options.layers["out"] = {between(1, mostLanes), between(1, mostInputs)};
    n.decode();
  }

  void dense(int64_t outputs) {
    mostInputs = std::min<int64_t>(elements(), 5);
    n.dense(outputs, weights(outputs * elements()), someBias(outputs), "");
    mostLanes = outputs;
  }

  void convolve(int64_t filters, const ConvOptions &conv, int64_t rows, int64_t columns) {
    int64_t channels = shape()[0] / conv.groups;
    n.conv({filters, channels, rows, columns}, weights(filters * channels * rows * columns),
           someBias(filters), "", conv);
    mostLanes = filters / conv.groups;
  }
  void convolveSomehow() {
    int64_t groups = below(2) ? shape()[0] : 1;
    ConvOptions conv{{1 + below(2), 1 + below(2)},
                     {below(3), below(3), below(3), below(3)},
                     {1 + below(2), 1},
                     groups};
    convolve(groups * (1 + below(4)), conv, 1 + below(2), 1 + below(3));
  }

  /// Two ways from the spikes at hand that meet as currents.
  void join() {
    mlir::Value spikes = n.last();
    convolve(shape()[0], {{1, 1}, {1, 1, 1, 1}}, 3, 3);
    mlir::Value straight = n.last();
    n.from(spikes);
    switch (below(4)) {
    case 0:
      n.add(straight);
      break;
    case 1: {
      int64_t count = below(2) ? shape()[0] : elements();
      n.scale(count == elements() ? shape() : Shape{count}, weights(count), someBias(count));
      n.add(straight);
      break;
    }
    case 2:
      n.delay({below(4)});
      n.add(straight);
      break;
    default:
      n.concat(straight, below(3), true);
    }
    mostLanes = elements();
  }

  void drawLayer() {
    int64_t smallest = std::min(shape()[1], shape()[2]);
    switch (smallest < 3 ? 5 : below(6)) {
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
      n.sumPool(pool.kernel, pool.strides, pool.padding);
      mostLanes = shape()[0];
      if (below(2))
        convolveSomehow();
      return fire();
    }
    case 4:
      join();
      return fire();
    default:
      n.transpose({1, 2, 0});
      if (below(2))
        return;
      n.flatten();
      dense(3 + below(6));
      fire();
      n.reshape({1, 1, elements()});
    }
  }

  CounterRandom random;
  bool small;
  Shape input;
  NetworkBuilder n;
  int64_t mostLanes = 1, mostInputs = 1;
  int populations = 0;
};

} // namespace spindle::test
