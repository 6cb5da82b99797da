// Neurons in fixed point: integers as a chip computes them.
#include "core/support/files/File.h"
#include "core/support/formats/Npy.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/network/Network.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <filesystem>
#include <functional>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

constexpr EmulationEngine kEngines[] = {EmulationEngine::Interpreter, EmulationEngine::Lanes,
                                        EmulationEngine::Layers};

std::vector<float> integers(CounterRandom &random, size_t count, int32_t most) {
  std::vector<float> values(count);
  for (float &value : values)
    value = float(int32_t(random.below(uint32_t(2 * most + 1))) - most);
  return values;
}

/// Input events of one sample: each element in each step with a probability.
EventSamples someEvents(CounterRandom &random, uint32_t steps, uint32_t elements, double rate) {
  EventSamples events{steps, {0}, {}};
  for (uint32_t step = 0; step < steps; ++step)
    for (uint32_t element = 0; element < elements; ++element)
      if (random.uniform() < rate)
        events.events.push_back({step, element});
  events.offsets.push_back(events.events.size());
  return events;
}

EmulationResult emulateEvents(mlir::ModuleOp module, int64_t elements, const EventSamples &events,
                              EmulationEngine engine) {
  Samples samples{{elements}, {}, {0}, events};
  EmulationOptions options;
  options.steps = events.steps;
  options.recordSamples = 1;
  options.engine = engine;
  return llvm::cantFail(emulate(module, samples, options));
}

struct Format {
  int64_t decay, decayBits, shift, membraneBits;
};

TEST(FixedPoint, EqualsIntegersInEveryEngine) {
  constexpr size_t kInputs = 40, kNeurons = 23;
  for (Format f : {Format{415, 12, 6, 24}, {0, 12, 0, 12}, {4096, 12, 3, 16}, {1000, 10, 4, 10}}) {
    CounterRandom random(f.decay + 1);
    std::vector<float> weights = integers(random, kInputs * kNeurons, 60);
    EventSamples events = someEvents(random, 200, kInputs, 0.1);
    int64_t threshold = (int64_t(1) << (f.membraneBits - 1)) / 3,
            most = (int64_t(1) << (f.membraneBits - 1)) - 1;
    threshold = std::min<int64_t>(threshold, 120 << f.shift);
    std::vector<Spike> expected;
    std::vector<int64_t> v(kNeurons, 0);
    for (uint32_t step = 0; step < events.steps; ++step) {
      std::vector<int64_t> sums(kNeurons, 0);
      for (const InputEvent &event : events.events)
        for (size_t n = 0; event.step == step && n < kNeurons; ++n)
          sums[n] += int64_t(weights[n * kInputs + event.element]);
      for (size_t n = 0; n < kNeurons; ++n) {
        int64_t scale = int64_t(1) << f.decayBits, product = v[n] * (scale - f.decay);
        int64_t kept = product < 0 ? -(-product / scale) : product / scale;
        v[n] = std::min(most, std::max(-most - 1, kept + sums[n] * (int64_t(1) << f.shift)));
        if (v[n] >= threshold) {
          expected.push_back({step, uint32_t(kInputs + n)});
          v[n] = -3;
        }
      }
    }
    ASSERT_GT(expected.size(), 50u);
    NetworkBuilder n({int64_t(kInputs)});
    n.events().dense(kNeurons, weights, {}, "");
    n.population(
        "fixed_lif",
        fmt::format("reset = #snn<reset zero>, threshold = array<f32: {}.0>, v_reset = array<f32: "
                    "-3.0>, decay = {} : i64, decay_bits = {} : i64, weight_shift = {} : "
                    "i64, membrane_bits = {} : i64",
                    threshold, f.decay, f.decayBits, f.shift, f.membraneBits));
    n.decode();
    mlir::ModuleOp module = n.finish();
    for (EmulationEngine engine : kEngines) {
      EmulationResult found = emulateEvents(module, kInputs, events, engine);
      std::vector<Spike> spikes = found.trace.recorded[0];
      std::erase_if(spikes, [](const Spike &spike) { return spike.neuron < kInputs; });
      EXPECT_EQ(spikes, expected) << f.membraneBits << " bits";
    }
  }
}

/// A layer as Loihi computes it, recorded from lava-dl: 200 inputs, 256 neurons, 2,000 ticks. What
/// a neuron makes comes out one tick later.
TEST(FixedPoint, RepeatsALayerOfLoihiSpikeForSpike) {
  const char *data = std::getenv("SPINDLE_DATA");
  std::string folder = std::string(data ? data : "../shared/data") + "/workloads/loihi-oxford/";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << folder << " is absent; set SPINDLE_DATA";
  auto load = [&](const std::string &name) {
    std::string bytes = llvm::cantFail(readFile(folder + name));
    return llvm::cantFail(parseNpy(bytes, folder, name));
  };
  NpyArray weight = load("weight.npy"), in = load("in.npy"), out = load("out.npy");
  int64_t inputs = weight.shape[1], neurons = weight.shape[0], ticks = in.shape[1];
  EventSamples events{uint32_t(ticks), {0}, {}};
  std::vector<float> spikesIn = in.floats(), spikesOut = out.floats();
  for (int64_t tick = 0; tick < ticks; ++tick)
    for (int64_t element = 0; element < inputs; ++element)
      if (spikesIn[size_t(element * ticks + tick)] > 0)
        events.events.push_back({uint32_t(tick), uint32_t(element)});
  events.offsets.push_back(events.events.size());
  std::vector<Spike> expected;
  for (int64_t tick = 1; tick < ticks; ++tick)
    for (int64_t n = 0; n < neurons; ++n)
      if (spikesOut[size_t(n * ticks + tick)] > 0)
        expected.push_back({uint32_t(tick - 1), uint32_t(inputs + n)});
  ASSERT_EQ(expected.size(), 1826u);

  NetworkBuilder n({inputs});
  n.events().dense(neurons, weight.floats(), {}, "");
  n.population("fixed_lif",
               "reset = #snn<reset zero>, threshold = array<f32: 385.0>, decay = 415 : i64, "
               "decay_bits = 12 : i64, weight_shift = 6 : i64");
  n.decode();
  mlir::ModuleOp module = n.finish();
  for (EmulationEngine engine : kEngines) {
    std::vector<Spike> spikes = emulateEvents(module, inputs, events, engine).trace.recorded[0];
    std::erase_if(spikes, [&](const Spike &spike) {
      return spike.neuron < uint32_t(inputs) || spike.step + 1 >= ticks;
    });
    EXPECT_EQ(spikes, expected);
  }
}

std::string refusalOfFixedPoint(const std::function<void(NetworkBuilder &)> &build) {
  NetworkBuilder n({3});
  build(n);
  n.population("fixed_lif",
               "reset = #snn<reset zero>, threshold = array<f32: 5.0>, decay = 0 : i64");
  n.decode();
  llvm::Expected<Network> network = readNetwork(n.finish());
  return network ? "" : llvm::toString(network.takeError());
}

TEST(FixedPoint, RefusesWhatIsNotExact) {
  EXPECT_THAT(
      refusalOfFixedPoint([](auto &n) { n.poisson().dense(1, {1, 2.5f, 3}, {}, "a"); }),
      HasSubstr("a has the weight 2.5 before a population in fixed point, expected integers; "
                "run snn-quantize-weights"));
  EXPECT_THAT(
      refusalOfFixedPoint([](auto &n) { n.poisson().dense(1, {1, 2, 3}, {0.5f}, "a"); }),
      HasSubstr("a has the bias 0.5 before a population in fixed point, expected integers"));
  EXPECT_THAT(
      refusalOfFixedPoint([](auto &n) { n.poisson().dense(1, {8e6f, 8e6f, -8e6f}, {}, "a"); }),
      HasSubstr("the currents of fixed_lif1 may reach 24000000, expected at most 16777216, "
                "up to which sums are exact; use fewer bits for the weights"));
  EXPECT_THAT(refusalOfFixedPoint([](auto &n) { n.dense(1, {1, 2, 3}, {}, "a").direct(); }),
              HasSubstr("drives a population in fixed point, expected integer weights of spikes"));
}

} // namespace
