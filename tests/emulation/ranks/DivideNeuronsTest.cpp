// Neurons divided among ranks: spike for spike as on one rank, which the tests of layers hold
// against the reference interpreter.
#include "lib/emulation/network/Synapses.h"
#include "lib/emulation/ranks/RestrictNetwork.h"
#include "tests/emulation/NetworkBuilder.h"
#include "tests/emulation/ranks/OnRanks.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

/// Random connections with probability 0.1, sources ascending.
NetworkBuilder &receive(NetworkBuilder &n, llvm::StringRef from, int64_t first, int64_t end,
                        int64_t size, int64_t targets, int64_t delay, float weight) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> sources;
  for (int64_t target = 0; target < targets; ++target) {
    for (int64_t source = first; source < end; ++source)
      if (n.random.uniform() < 0.1)
        sources.push_back(int32_t(source));
    offsets.push_back(int64_t(sources.size()));
  }
  return n.feedback(from, {size}, delay).sparse({targets}, offsets, sources, weight);
}

std::string membranes(NetworkBuilder &n, size_t count) {
  return fmt::format("initial_membrane = array<f32: {:.6e}>",
                     fmt::join(randomFloats(n.random, count, -60, -50), ", "));
}

/// Vogels and Abbott, small: membranes driven above the threshold by the leak.
void balanced(NetworkBuilder &n, bool conductances, int64_t delay) {
  constexpr int64_t kNeurons = 203;
  receive(n, "cells", 160, kNeurons, kNeurons, kNeurons, delay, conductances ? 5.1f : -9.0f);
  mlir::Value inhibition = n.last();
  receive(n, "cells", 0, 160, kNeurons, kNeurons, delay, conductances ? 0.4f : 1.62f);
  n.population(
      conductances ? "coba_lif" : "dual_cuba_lif",
      "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: -50.0>, v_reset = "
      "array<f32: -60.0>, v_leak = array<f32: -46.0>, tau = array<f32: 40.0>, tau_exc = "
      "array<f32: 10.0>, tau_inh = array<f32: 20.0>, refractory = array<i64: 5>, " +
          std::string(conductances ? "e_exc = array<f32: 0.0>, e_inh = array<f32: -80.0>, "
                                   : "discretization = #snn<discretization exact>, ") +
          membranes(n, kNeurons),
      inhibition);
  n.sparse({3}, 0.5).integrator().decode(); // reads the spikes of all cells in the same step
}

std::string leaky(llvm::StringRef name, const std::string &more = "") {
  return fmt::format(
      "layer = \"{}\", reset = #snn<reset subtract>, threshold = array<f32: 1.0>, tau = "
      "array<f32: 8.0>{}",
      name.str(), more);
}

/// Two populations in two dimensions with parameters of channels and neurons, three delays, input,
/// several spikes per step, a population behind them in the same step, and one too small to divide.
void several(NetworkBuilder &n) {
  n.poisson();
  mlir::Value input = n.last();
  receive(n, "first", 0, 24, 24, 24, 4, 0.4f);
  mlir::Value late = n.last();
  n.feedback("second", {2, 9}, 3).flatten().dense(24, false, 0.4f).delay({2}).add(late);
  mlir::Value back = n.last();
  n.from(input)
      .dense(24, true, 0.9f)
      .add(back)
      .population("lif", leaky("first", ", r = array<f32: 3.0>, max_spikes = 4 : i64"));
  mlir::Value first = n.last();
  n.feedback("second", {2, 9}, 7).flatten().dense(18, false, 0.5f);
  mlir::Value own = n.last();
  n.from(first).sparse({18}, 0.5).add(own).reshape({2, 9});
  n.population(
      "lif",
      "layer = \"second\", reset = #snn<reset zero>, threshold = array<f32: 0.5, 0.8>, tau = "
      "array<f32: 8.0>, refractory = array<i64: 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, "
      "0, 1, 2, 0, 1, 2>");
  n.flatten().dense(2).population("lif", leaky("small"));
  n.decode();
}

struct NeuronCase {
  const char *name;
  Shape input;
  void (*build)(NetworkBuilder &);
};

void PrintTo(const NeuronCase &each, std::ostream *os) { *os << each.name; }

const NeuronCase kDivided[] = {
    {"Currents", {1}, [](NetworkBuilder &n) { balanced(n, false, 1); }},
    {"CurrentsOfSeveralSteps", {1}, [](NetworkBuilder &n) { balanced(n, false, 7); }},
    {"Conductances", {1}, [](NetworkBuilder &n) { balanced(n, true, 1); }},
    {"ConductancesOfSeveralSteps", {1}, [](NetworkBuilder &n) { balanced(n, true, 8); }},
    {"SeveralPopulations", {12}, several},
};

EmulationOptions optionsFor(Division divide) {
  EmulationOptions options;
  options.steps = 150;
  options.threads = 1;
  options.divide = divide;
  return options;
}

class DividedNeurons : public ::testing::TestWithParam<NeuronCase> {};

TEST_P(DividedNeurons, SpikeAsOnOneRank) {
  NetworkBuilder n(GetParam().input, 11);
  GetParam().build(n);
  mlir::ModuleOp module = n.finish();
  ASSERT_TRUE(module);
  Samples samples = randomSamples(3, GetParam().input, 2, 2);
  EmulationOptions options = optionsFor(Division::Neurons);
  options.recordSamples = 2;
  EmulationResult alone = llvm::cantFail(emulate(module, samples, options));
  ASSERT_EQ(alone.summary.engine, "layers");
  ASSERT_GT(alone.trace.recorded.front().size(), 200u);
  for (size_t ranks : {2, 3, 5})
    expectSame(llvm::cantFail(emulateOnRanks(ranks, module, samples, options)), alone);
  options.threads = 4; // as ranks
  expectSame(llvm::cantFail(emulate(module, samples, options)), alone);
}

INSTANTIATE_TEST_SUITE_P(All, DividedNeurons, ::testing::ValuesIn(kDivided),
                         [](const auto &each) { return each.param.name; });

TEST(DivideNeurons, IsChosenForFewSamplesOfNetworksWithFeedback) {
  NetworkBuilder n({1}, 11);
  balanced(n, false, 1);
  mlir::ModuleOp module = n.finish();
  auto ranksThatWork = [&](size_t samples) {
    EmulationOptions options = optionsFor(Division::Automatic);
    options.steps = 10;
    return llvm::cantFail(emulateOnRanks(3, module, randomSamples(3, {1}, samples, 2), options))
        .summary.threads;
  };
  EXPECT_EQ(ranksThatWork(1), 3u) << "neurons";
  EXPECT_EQ(ranksThatWork(2), 3u) << "neurons";
  EXPECT_EQ(ranksThatWork(4), 3u) << "samples";
  EmulationOptions options = optionsFor(Division::Samples);
  options.steps = 10;
  EXPECT_EQ(llvm::cantFail(emulateOnRanks(3, module, randomSamples(3, {1}, 2, 2), options))
                .summary.threads,
            2u)
      << "one rank has no sample";
}

TEST(DivideNeurons, SaysWhyItCannot) {
  NetworkBuilder n({1}, 11);
  balanced(n, false, 1);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, {1}, 1, 2);
  EmulationOptions options = optionsFor(Division::Neurons);
  options.engine = EmulationEngine::Lanes;
  EXPECT_EQ(errorOf(emulateOnRanks(2, module, samples, options)),
            "emulation: error: divide is 'neurons', but only engine 'layers' works parts of a "
            "network; expected auto or samples");
  options.engine = EmulationEngine::Compiled;
  options.recordMembranes = {"cells"};
  EXPECT_THAT(errorOf(emulateOnRanks(2, module, samples, options)),
              HasSubstr("divide is 'neurons', but membranes are recorded"));
  options.divide = Division::Automatic;
  options.steps = 5;
  EXPECT_EQ(llvm::cantFail(emulateOnRanks(2, module, samples, options)).summary.engine, "lanes")
      << "the whole network on one rank";
}

TEST(DivideNeurons, GivesAnErrorOfASampleOnce) {
  NetworkBuilder n({12}, 11);
  several(n);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, {12}, 3, 2);
  samples.values[12 + 5] = -2;
  EmulationOptions options = optionsFor(Division::Neurons);
  EXPECT_EQ(errorOf(emulateOnRanks(3, module, samples, options)),
            "encode1: error: sample 1 has the value -2 at element 5, poisson encoding expects none "
            "below zero; scale inputs to [0, 1] without mean and std, or use encoding: direct");
}

/// Where the synapses of neuron n of the whole network stand in those of its part.
TEST(RestrictNetwork, DividesNeuronsAndTheSynapsesOntoThem) {
  NetworkBuilder n({12}, 11);
  several(n);
  Network whole = llvm::cantFail(readNetwork(n.finish()));
  Synapses all = composeSynapses(whole);
  uint64_t found = 0;
  for (size_t rank = 0; rank < 3; ++rank) {
    mlir::OwningOpRef<mlir::ModuleOp> module = restrictNetwork(whole, rank, 3);
    ASSERT_TRUE(succeeded(mlir::verify(*module)));
    Network part = llvm::cantFail(readNetwork(*module, NetworkExtent::Part));
    EXPECT_TRUE(wholePopulations(part) == whole.populations);
    for (const NetworkOp &each : part.ops) {
      if (!each.population)
        continue;
      const Population &population = part.populations[*each.population];
      bool divides = population.name == "first" || population.name == "second";
      EXPECT_EQ(bool(gatherOf(each.op)), divides) << population.name;
      EXPECT_EQ(population.size, whole.populations[*each.population].size / (divides ? 3 : 1));
    }
    std::vector<uint64_t> once(neuronCount(whole.populations), 1);
    SynapseCount count = synapsesOnto(
        part, once, [&](const NetworkOp &each) { return rank == 0 || gatherOf(each.op); });
    EXPECT_EQ(count.synapses, count.events);
    found += count.synapses;
  }
  EXPECT_EQ(found, all.sources.size()) << "each synapse has one rank";
}

TEST(RestrictNetwork, RangesCoverAllNeuronsEvenly) {
  for (int64_t neurons : {5, 24, 203})
    for (size_t ranks : {1, 2, 3, 5}) {
      int64_t next = 0;
      for (size_t rank = 0; rank < ranks; ++rank) {
        NeuronRange range = neuronRange(neurons, rank, ranks);
        EXPECT_EQ(range.first, next);
        EXPECT_GE(range.count, neurons / int64_t(ranks));
        EXPECT_LE(range.count, neurons / int64_t(ranks) + 1);
        next += range.count;
      }
      EXPECT_EQ(next, neurons);
    }
}

TEST(ReadNetwork, RefusesAPartAlone) {
  NetworkBuilder n({12}, 11);
  several(n);
  Network whole = llvm::cantFail(readNetwork(n.finish()));
  mlir::OwningOpRef<mlir::ModuleOp> module = restrictNetwork(whole, 0, 2);
  llvm::Expected<Network> part = readNetwork(*module);
  ASSERT_FALSE(part);
  EXPECT_THAT(toText(part.takeError()), HasSubstr("the emulator does not know snn.gather"));
}

} // namespace
