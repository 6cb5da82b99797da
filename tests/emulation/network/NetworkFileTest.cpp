// Networks described in files: the same as by hand, as an independent simulation, by every engine.
#include "tests/emulation/network/NetworkFile.h"
#include "core/network/synapses/SynapseKind.h"
#include "lib/emulation/interpreter/Coding.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using test::NetworkFile;
using test::spikesOf;

namespace {

/// Rows of targets with sources in a range, and the lists of a file that say the same.
struct Pairs {
  Pairs(CounterRandom &random, int64_t neurons, int64_t first, int64_t end) {
    for (int64_t target = 0; target < neurons; ++target) {
      for (int64_t source = first; source < end; ++source)
        if (random.uniform() < 0.3) {
          sources.push_back(int32_t(source));
          targets.push_back(target);
        }
      offsets.push_back(int64_t(sources.size()));
    }
  }
  std::string text() const {
    return fmt::format("{{sources: [{}], targets: [{}]}}", fmt::join(sources, ", "),
                       fmt::join(targets, ", "));
  }
  std::vector<int64_t> offsets{0}, targets;
  std::vector<int32_t> sources;
};

} // namespace

/// As tests/bench/RecurrentWorkload.cpp builds the balanced networks of Vogels and Abbott.
TEST(NetworkFile, EqualsTheNetworkBuiltByHand) {
  constexpr int64_t kNeurons = 60, kSteps = 3000;
  CounterRandom random(5);
  Pairs excitatory(random, kNeurons, 0, 48), inhibitory(random, kNeurons, 48, kNeurons);
  std::vector<float> membranes = test::randomFloats(random, kNeurons, -60, -50);
  for (bool conductances : {false, true}) {
    int64_t delay = conductances ? 8 : 1;
    float excites = conductances ? 0.4f : 1.62f, inhibits = conductances ? 1.5f : -3;
    test::NetworkBuilder hand({1});
    auto receive = [&](const Pairs &pairs, float weight) {
      hand.feedback("cells", {kNeurons}, delay)
          .sparse({kNeurons}, pairs.offsets, pairs.sources, weight);
      return hand.last();
    };
    mlir::Value inhibition = receive(inhibitory, inhibits);
    receive(excitatory, excites);
    std::string attributes = fmt::format(
        "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: -50.0>, v_reset = "
        "array<f32: "
        "-60.0>, v_leak = array<f32: {:.1f}>, tau = array<f32: 200.0>, tau_exc = array<f32: 50.0>, "
        "tau_inh = array<f32: 100.0>, refractory = array<i64: 50>, initial_membrane = array<f32: "
        "{:.9e}>, ",
        conductances ? -40.0 : -49.0, fmt::join(membranes, ", "));
    hand.population(conductances ? "coba_lif" : "dual_cuba_lif",
                    attributes + (conductances
                                      ? "e_exc = array<f32: 0.0>, e_inh = array<f32: -80.0>"
                                      : "discretization = #snn<discretization exact>"),
                    inhibition);
    hand.sparse({1}, {0, 1}, {0}, 1).integrator().decode();
    EmulationOptions options;
    options.steps = kSteps;
    EmulationResult expected =
        llvm::cantFail(emulate(hand.finish(), test::randomSamples(1, {1}, 1, 1), options));

    NetworkFile file(fmt::format(
        "dt: 0.1\npopulations:\n  cells: {{neuron: {}, size: 60, tau: 20, tau_exc: 5, tau_inh: 10, "
        "v_leak: {}, threshold: -50, v_reset: -60, refractory: 5, initial_membrane: [{:.9e}]}}\n"
        "projections:\n"
        "  - {{from: 'cells[:48]', to: cells, receptor: excitatory, weight: {}, delay: {}, "
        "connect: "
        "{}}}\n"
        "  - {{from: 'cells[48:]', to: cells, receptor: inhibitory, weight: {}, delay: {}, "
        "connect: "
        "{}}}\n",
        conductances ? "coba_lif, current: 20, e_exc: 0, e_inh: -80"
                     : "dual_cuba_lif, discretization: exact",
        conductances ? -60 : -49, fmt::join(membranes, ", "), excites, delay * 0.1,
        excitatory.text(), inhibits, delay * 0.1, inhibitory.text()));
    EmulationResult found = file.run(kSteps);
    EXPECT_EQ(found.summary.engine, "layers");
    EXPECT_GT(spikesOf(expected, "cells").size(), 100u);
    EXPECT_EQ(spikesOf(found, "cells"), spikesOf(expected, "cells"));
    EXPECT_EQ(found.summary.populations.size(), 1u); // no population for the answer
    EXPECT_EQ(found.trace.stepMs, 0.1);
  }
}

namespace {

/// Projections of an imported module by name, as plain rows.
struct SynapseRows {
  std::vector<int64_t> offsets;
  std::vector<int32_t> sources;
  std::vector<float> weights;
};

std::map<std::string, SynapseRows> synapsesOf(mlir::ModuleOp module) {
  std::map<std::string, SynapseRows> all;
  module.walk([&](snn::SparseOp op) {
    auto weights = *snn::constantFloats(op.getWeight());
    all[snn::layerOf(op).str()] = {op.getOffsets().vec(), op.getIndices().vec(), weights};
  });
  module.walk([&](snn::RandomOp op) { // as the reader of the file would list it
    SynapseRows &found = all[snn::layerOf(op).str()];
    snn::LinearMap map = *op.linearMap(0);
    found.offsets.assign(map.offsets.begin(), map.offsets.end());
    found.sources.assign(map.indices.begin(), map.indices.end());
    found.weights = map.weights;
  });
  return all;
}

/// The network below by its equations, in double, populations and projections one after the other.
class Simulation {
public:
  explicit Simulation(std::map<std::string, SynapseRows> connections)
      : synapses(std::move(connections)) {}

  std::vector<Spike> run(uint32_t steps) {
    std::vector<double> v(12, -60), ge(12), gi(12), u(8);
    std::vector<int> restV(12), restU(8);
    std::vector<Spike> spikes;
    for (uint32_t t = 0; t < steps; ++t) {
      for (auto *each : {&noise, &kick, &cells, &brakes})
        each->emplace_back(each == &noise ? 30 : each == &kick ? 2 : each == &cells ? 12 : 8);
      for (uint32_t n = 0; n < 30; ++n)
        noise[t][n] = interpreter::poissonUniform(1, 0, t, n) < float(400 * 0.5 / 1000);
      kick[t][0] = t == 1 || t == 19; // ends at 1 and 10 ms
      kick[t][1] = t == 4;
      for (size_t n = 0; n < 12; ++n) {
        ge[n] += arrive("noise-cells.excitatory", n, noise, t, 2) +
                 arrive("cells-cells.excitatory", n, cells, t, 4);
        gi[n] += arrive("brakes-cells.inhibitory", n, brakes, t, 1);
        bool rests = restV[n] > 0;
        if (rests)
          --restV[n];
        else
          v[n] += ((-60 + 15 - v[n]) + ge[n] * (0 - v[n]) + gi[n] * (-80 - v[n])) / 32;
        ge[n] -= ge[n] / 8;
        gi[n] -= gi[n] / 16;
        cells[t][n] = !rests && v[n] >= -50;
        if (cells[t][n])
          v[n] = -60, restV[n] = 4;
      }
      for (size_t n = 0; n < 8; ++n) {
        double i = arrive("kick-brakes", n, kick, t, 0) + arrive("cells-brakes", n, cells, t, 3);
        bool rests = restU[n] > 0;
        if (rests)
          --restU[n];
        else
          u[n] += ((0 - u[n]) + 16 * i) / 16;
        brakes[t][n] = !rests && u[n] >= 1;
        if (brakes[t][n])
          u[n] -= 1, restU[n] = n % 2;
      }
      uint32_t first = 0;
      for (auto *each : {&noise, &kick, &cells, &brakes})
        for (size_t n = 0; n < (*each)[t].size(); ++n, ++first)
          if ((*each)[t][n])
            spikes.push_back({t, first});
    }
    return spikes;
  }

private:
  using Past = std::vector<std::vector<bool>>;
  double arrive(const std::string &name, size_t target, const Past &past, uint32_t t,
                uint32_t delay) const {
    const SynapseRows &rows = synapses.at(name);
    double sum = 0;
    for (auto k = size_t(rows.offsets[target]); k < size_t(rows.offsets[target + 1]); ++k)
      if (t >= delay && past[t - delay][size_t(rows.sources[k])])
        sum += double(rows.weights[k]);
    return sum;
  }
  std::map<std::string, SynapseRows> synapses;
  Past noise, kick, cells, brakes;
};

const char *const kMixed = R"(
dt: 0.5
seed: 3
populations:
  noise: {source: poisson, size: 30, rate: 400}
  kick: {source: spikes, size: 2, neurons: [0, 1, 0], times: [1, 2.5, 10]}
  cells: {neuron: coba_lif, size: 12, tau: 16, tau_exc: 4, tau_inh: 8, v_leak: -60, current: 15, e_exc: 0, e_inh: -80,
          threshold: -50, v_reset: -60, refractory: 2}
  brakes: {neuron: lif, size: 8, tau: 8, r: 16, threshold: 1, reset: subtract, refractory: [0, 0.5, 0, 0.5, 0, 0.5, 0, 0.5]}
projections:
  - {from: noise, to: cells, receptor: excitatory, connect: {fan_in: 5}, weight: {uniform: [0.1, 0.3]}, delay: 1}
  - {from: kick, to: brakes, connect: {sources: [0, 1, 0], targets: [3, 3, 0]}, weight: [1.5, 0.75, 2], delay: 0}
  - {from: cells, to: brakes, connect: {probability: 0.6}, weight: {normal: [0.5, 0.125]}, delay: 1.5}
  - {from: brakes, to: cells, receptor: inhibitory, connect: {fan_out: 6}, weight: 0.5}
  - {from: cells, to: cells, receptor: excitatory, connect: {probability: 0.3}, autapses: false, weight: 0.125, delay: 2}
)";

} // namespace

/// In MLIR that a file comes with.
TEST(NetworkFile, KindsAreKnown) {
  NetworkFile file(kMixed);
  mlir::Operation *synapse = nullptr;
  file.module->walk([&](snn::SynapseOp op) { synapse = op; });
  ASSERT_TRUE(synapse);
  mlir::Builder builder(synapse->getContext());
  for (const char *kind : kSynapseKindNames) {
    synapse->setAttr(snn::kSynapseKind, builder.getStringAttr(kind));
    EXPECT_TRUE(bool(readNetwork(*file.module))) << kind;
  }
  synapse->setAttr(snn::kSynapseKind, builder.getStringAttr("matrix"));
  EXPECT_THAT(toText(readNetwork(*file.module).takeError()),
              testing::HasSubstr("is \"matrix\", expected \"unknown\", \"convolution\", "
                                 "\"sparse\", \"dense\""));
  synapse->setAttr(snn::kSynapseKind, builder.getI64IntegerAttr(3));
  EXPECT_THAT(toText(readNetwork(*file.module).takeError()),
              testing::HasSubstr("is 3 : i64, expected \"unknown\""));
}

TEST(NetworkFile, SpikesAsTheEquationsSay) {
  NetworkFile file(kMixed);
  Network checked = llvm::cantFail(readNetwork(*file.module));
  std::vector<std::string> names;
  for (const Population &population : checked.populations)
    names.push_back(population.name);
  ASSERT_THAT(names, testing::ElementsAre("noise", "kick.times", "kick", "cells", "brakes"));

  constexpr uint32_t kSteps = 600;
  interpreter::Interpreter<double> interpreter(checked);
  float nothing = 0;
  auto run = llvm::cantFail(interpreter.run(&nothing, 0, kSteps, 1, {}, nullptr));
  std::vector<Spike> found;
  for (Spike spike : run.spikes) { // without the elements of kick.times
    if (spike.neuron >= 30 && spike.neuron < 33)
      continue;
    found.push_back({spike.step, spike.neuron - (spike.neuron < 30 ? 0 : 3)});
  }
  std::vector<Spike> expected = Simulation(synapsesOf(*file.module)).run(kSteps);
  std::vector<size_t> counts(4);
  for (const Spike &spike : expected)
    ++counts[spike.neuron < 30 ? 0 : spike.neuron < 32 ? 1 : spike.neuron < 44 ? 2 : 3];
  EXPECT_EQ(counts[1], 3u);
  EXPECT_GT(counts[2], 100u);
  EXPECT_GT(counts[3], 100u);
  EXPECT_EQ(found, expected);
}

/// Drawn connections of one weight are rules, in any case the same as listed ones.
TEST(NetworkFile, RulesAreTheListsThatTheyStandFor) {
  NetworkFile file(kMixed), lists(kMixed, true);
  auto count = [](mlir::ModuleOp module) {
    size_t rules = 0;
    module.walk([&](snn::RandomOp) { ++rules; });
    return rules;
  };
  EXPECT_EQ(count(*file.module), 1u); // the others have weights of their own, or are no rows
  EXPECT_EQ(count(*lists.module), 0u);
  auto ruled = synapsesOf(*file.module), listed = synapsesOf(*lists.module);
  ASSERT_EQ(ruled.size(), listed.size());
  for (auto &[name, expected] : listed) {
    EXPECT_EQ(ruled[name].offsets, expected.offsets) << name;
    EXPECT_EQ(ruled[name].sources, expected.sources) << name;
    EXPECT_EQ(ruled[name].weights, expected.weights) << name;
  }
  EXPECT_GT(listed["cells-cells.excitatory"].sources.size(), 20u);
  for (auto engine :
       {EmulationEngine::Layers, EmulationEngine::Lanes, EmulationEngine::Interpreter}) {
    EmulationResult found = file.run(200, engine), expected = lists.run(200, engine);
    EXPECT_EQ(found.trace, expected.trace);
    EXPECT_EQ(found.summary.synapses, expected.summary.synapses);
    EXPECT_EQ(found.summary.synapticEvents, expected.summary.synapticEvents);
  }
}

TEST(NetworkFile, EveryEngineMakesTheSameSpikes) {
  NetworkFile file(kMixed);
  EmulationResult expected = file.run(200, EmulationEngine::Interpreter, 3);
  EXPECT_GT(spikesOf(expected, "brakes").size(), 30u);
  EXPECT_NE(expected.trace.recorded[0], expected.trace.recorded[1]); // trials are drawn anew
  EXPECT_TRUE(expected.summary.correctByStep.empty());
  for (auto engine : {EmulationEngine::Layers, EmulationEngine::Lanes})
    EXPECT_EQ(file.run(200, engine, 3).trace, expected.trace);
  EXPECT_NE(file.run(200, EmulationEngine::Layers, 3, 2).trace, expected.trace);
}

/// Every model of neurons with samples, a constant current and recurrence; what never spikes is
/// driven only.
TEST(NetworkFile, EveryModelRunsInEveryEngine) {
  const std::string fires = ", threshold: 1, refractory: 1", leaks = ", tau: 10, v_leak: 0.1";
  std::vector<std::pair<std::string, bool>> models = {
      {"if, r: 0.5" + fires, true},
      {"lif, discretization: exact, reset: subtract, max_spikes: 2, r: 5" + leaks + fires, true},
      {"integrator, r: 2", false},
      {"li, r: [1, 2, 3, 4, 5, 6]" + leaks, false},
      {"cuba_lif, tau_syn: 4, r: 5, w_in: 2" + leaks + fires, true},
      {"cuba_li, tau_syn: 4, discretization: exact" + leaks, false},
      {"dual_cuba_lif, tau_exc: 3, tau_inh: 5" + leaks + fires, true},
      {"coba_lif, tau_exc: 3, tau_inh: 5, e_exc: 3, e_inh: -1" + leaks + fires, true}};
  Samples samples = test::randomSamples(4, {2, 5}, 3, 6);
  for (const auto &[model, spikes] : models) {
    SCOPED_TRACE(model);
    bool two = model.find("tau_exc") != std::string::npos;
    std::string text = R"(
dt: 1
populations:
  pixels: {source: samples, shape: [2, 5], encoding: poisson, maximum: 2}
  noise: {source: poisson, size: 7, rate: [10, 20, 30, 40, 50, 60, 70]}
  cells: {size: 6, current: [0.1, 0.2, 0.1, 0.2, 0.3, 0], neuron: )" +
                       model + "}\nprojections:\n";
    auto project = [&](const char *projection, const char *receptor) {
      text += fmt::format("  - {{{}{}}}\n", projection,
                          two ? fmt::format(", receptor: {}", receptor) : "");
    };
    project("from: pixels, to: cells, connect: all_to_all, weight: {uniform: [0, 0.5]}, delay: 0",
            "excitatory");
    project("from: noise, to: cells, connect: all_to_all, weight: {uniform: [0, 1]}", "excitatory");
    if (spikes)
      project("from: cells, to: cells, connect: {probability: 0.5}, weight: 0.1, delay: 2",
              "inhibitory");
    NetworkFile file(text + "output: cells\n");
    ASSERT_TRUE(readsSamples(*file.module));
    EmulationResult expected = file.run(samples, 60, EmulationEngine::Interpreter);
    EXPECT_EQ(spikesOf(expected, "cells").size() > 20, spikes);
    EXPECT_EQ(expected.summary.correctByStep.size(), 60u);
    for (auto engine : {EmulationEngine::Layers, EmulationEngine::Lanes}) {
      EmulationResult found = file.run(samples, 60, engine);
      EXPECT_EQ(found.trace, expected.trace);
      EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
    }
  }
}

TEST(NetworkFile, PoissonSourcesAreIndependentAndHaveTheirRates) {
  NetworkFile file("dt: 0.5\npopulations:\n  a: {source: poisson, size: 100, rate: 40}\n"
                   "  b: {source: poisson, size: 100, rate: 40}\n"
                   "  c: {source: poisson, shape: [2, 3], rate: [0, 2000]}\n");
  for (auto engine :
       {EmulationEngine::Layers, EmulationEngine::Lanes, EmulationEngine::Interpreter}) {
    EmulationResult result = file.run(1000, engine);
    std::vector<Spike> a = spikesOf(result, "a"), b = spikesOf(result, "b"), both;
    double p = 0.02, trials = 1000 * 100;
    for (const std::vector<Spike> &spikes : {a, b})
      EXPECT_NEAR(double(spikes.size()), trials * p, 5 * std::sqrt(trials * p * (1 - p)));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    EXPECT_NEAR(double(both.size()), trials * p * p, 5 * std::sqrt(trials * p * p));
    EXPECT_EQ(spikesOf(result, "c").size(), 3000u); // the second channel in every step
  }
}

TEST(NetworkFile, ConstantCurrentsSetTheRate) {
  // An integrator of 0.25 per step needs four steps. exact: v(n) = I·r·(1 − e^(−n/τ)) reaches the
  // threshold after ⌈−τ·ln(1 − θ/(I·r))⌉ steps.
  NetworkFile file("dt: 1\npopulations:\n"
                   "  counts: {neuron: if, size: 1, threshold: 1, current: 0.25}\n"
                   "  leaks: {neuron: lif, size: 1, tau: 20, r: 2, current: 0.75, threshold: 1, "
                   "discretization: exact}\n"
                   "  rests: {neuron: lif, size: 1, tau: 20, v_leak: -65, threshold: -50, v_reset: "
                   "-65}\n");
  EmulationResult result = file.run(100, EmulationEngine::Layers);
  auto period = uint32_t(std::ceil(-20 * std::log(1 - 1 / 1.5)));
  for (auto [name, every] : {std::pair("counts", 4u), std::pair("leaks", period)}) {
    std::vector<Spike> expected;
    for (uint32_t step = every; step <= 100; step += every)
      expected.push_back({step - 1, 0});
    EXPECT_EQ(spikesOf(result, name), expected);
  }
  EXPECT_TRUE(spikesOf(result, "rests").empty()); // membranes start at v_leak
}

TEST(NetworkFile, RandomNumbersDoNotDependOnTheOrderOfTheFile) {
  std::string head = "dt: 1\npopulations:\n  a: {neuron: lif, size: 50, tau: 5, threshold: 1}\n"
                     "  b: {neuron: lif, size: 50, tau: 5, threshold: 1}\nprojections:\n",
              one = "  - {from: a, to: b, connect: {probability: 0.2}, weight: {normal: [0, 1]}}\n",
              two = "  - {from: b, to: a, connect: {fan_in: 7}, weight: {uniform: [0, 1]}}\n";
  NetworkFile first(head + one + two), second(head + two + one);
  auto left = synapsesOf(*first.module), right = synapsesOf(*second.module);
  for (const char *name : {"a-b", "b-a"}) {
    EXPECT_EQ(left[name].sources, right[name].sources);
    EXPECT_EQ(left[name].weights, right[name].weights);
  }
}

TEST(Trials, SayWhatIsWrongWithADuration) {
  NetworkFile file("dt: 0.1\npopulations:\n  a: {source: poisson, size: 1, rate: 1}\n");
  EmulationOptions options;
  EXPECT_EQ(llvm::cantFail(stepsOf(options, *file.module)), options.steps);
  options.durationMs = 50;
  EXPECT_EQ(llvm::cantFail(stepsOf(options, *file.module)), 500);
  options.durationMs = 0.25;
  EXPECT_EQ(toText(stepsOf(options, *file.module).takeError()),
            "emulation: error: duration is 0.25 ms, expected a multiple of a step of 0.1 ms");
  (*file.module)->removeAttr("snn.dt_ms");
  options.stepMs = 0.05;
  EXPECT_EQ(llvm::cantFail(stepsOf(options, *file.module)), 5);
}
