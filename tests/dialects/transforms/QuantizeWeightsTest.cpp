// Quantised networks against a simulation in integers and against the network they came from.
#include "dialects/snn/transforms/Passes.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "tests/emulation/NetworkBuilder.h"

#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace spindle;
using namespace spindle::test;

namespace {

constexpr uint32_t kQuantizedSteps = 40;

void quantize(mlir::ModuleOp module, unsigned bits, bool perChannel) {
  mlir::PassManager passes(module.getContext());
  snn::SnnQuantizeWeightsOptions options;
  options.bits = bits;
  options.perChannel = perChannel;
  passes.addNestedPass<mlir::func::FuncOp>(snn::createSnnQuantizeWeights(options));
  ASSERT_TRUE(succeeded(passes.run(module)));
}

interpreter::SampleRun<float> run(const Network &network, uint64_t sample) {
  interpreter::Interpreter<float> interpreter(network);
  CounterRandom random(sample, 77);
  std::vector<float> x = randomFloats(random, network.inputs(), 0, 1);
  return llvm::cantFail(interpreter.run(x.data(), sample, kQuantizedSteps, 5));
}

std::vector<int64_t> integers(llvm::ArrayRef<float> values) {
  std::vector<int64_t> result;
  for (float value : values) {
    EXPECT_EQ(value, std::round(value));
    result.push_back(std::llround(value));
  }
  return result;
}

/// One dense population in integers: spikes per step and neuron of the one before in, own out.
std::vector<std::vector<bool>> simulate(snn::DenseOp dense, snn::IfOp neurons, int64_t levels,
                                        const std::vector<std::vector<bool>> &input) {
  std::vector<int64_t> weights = integers(*snn::constantFloats(dense.getWeight()));
  std::vector<int64_t> bias = integers(*snn::constantFloats(dense.getBias()));
  for (int64_t weight : weights)
    EXPECT_LE(std::abs(weight), levels);
  std::vector<int64_t> threshold = integers(neurons.getThreshold()),
                       reset = integers(neurons.getVReset()),
                       v = integers(neurons.getInitialMembrane());
  bool subtracts = neurons.getReset() == snn::Reset::Subtract;
  v.resize(bias.size(), v[0]);
  size_t inputs = weights.size() / bias.size();
  std::vector<std::vector<bool>> output;
  for (const std::vector<bool> &spikes : input) {
    output.emplace_back(bias.size());
    for (size_t o = 0; o < bias.size(); ++o) {
      for (size_t i = 0; i < inputs; ++i)
        v[o] += spikes[i] ? weights[o * inputs + i] : 0;
      v[o] += bias[o];
      int64_t limit = threshold[threshold.size() == 1 ? 0 : o];
      if (v[o] < limit)
        continue;
      output.back()[o] = true;
      v[o] = subtracts ? v[o] - limit : reset[reset.size() == 1 ? 0 : o];
    }
  }
  return output;
}

std::vector<std::vector<bool>> spikesOf(const Population &population,
                                        const std::vector<Spike> &spikes) {
  std::vector<std::vector<bool>> result(kQuantizedSteps, std::vector<bool>(population.size));
  for (const Spike &spike : spikes)
    if (spike.neuron >= population.first && spike.neuron < population.first + population.size)
      result[spike.step][spike.neuron - population.first] = true;
  return result;
}

void buildDense(NetworkBuilder &n) {
  n.poisson().dense(10);
  n.integrateAndFire(snn::Reset::Subtract, randomFloats(n.random, 10, 0.5f, 2), {0}, {0.3f});
  n.dense(6);
  n.integrateAndFire(snn::Reset::Zero, {0.8f}, randomFloats(n.random, 6, -0.5f, 0.2f), {0});
  n.decode();
}

TEST(QuantizeWeights, SpikesAreThoseOfIntegers) {
  for (unsigned bits : {2u, 4u, 8u, 16u})
    for (bool perChannel : {false, true}) {
      NetworkBuilder n({12}, bits);
      buildDense(n);
      mlir::ModuleOp module = n.finish();
      quantize(module, bits, perChannel);
      Network network = llvm::cantFail(readNetwork(module));
      llvm::SmallVector<snn::DenseOp> layers(network.function.getOps<snn::DenseOp>());
      llvm::SmallVector<snn::IfOp> neurons(network.function.getOps<snn::IfOp>());
      for (uint64_t sample = 0; sample < 5; ++sample) {
        std::vector<Spike> spikes = run(network, sample).spikes;
        for (size_t p : {0, 1})
          EXPECT_EQ(simulate(layers[p], neurons[p], (1 << (bits - 1)) - 1,
                             spikesOf(network.populations[p], spikes)),
                    spikesOf(network.populations[p + 1], spikes))
              << bits << " bits, population " << p;
      }
    }
}

/// Spikes that differ between a network and its quantised twin, as a share of all.
template <typename Build>
double changedShare(const Shape &input, unsigned bits, bool perChannel, Build make) {
  NetworkBuilder n(input, 4), q(input, 4);
  make(n);
  make(q);
  mlir::ModuleOp original = n.finish(), quantized = q.finish();
  quantize(quantized, bits, perChannel);
  Network a = llvm::cantFail(readNetwork(original)), b = llvm::cantFail(readNetwork(quantized));
  size_t changed = 0, all = 0;
  for (uint64_t sample = 0; sample < 10; ++sample) {
    std::vector<Spike> x = run(a, sample).spikes, y = run(b, sample).spikes, difference;
    std::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(),
                                  std::back_inserter(difference));
    changed += difference.size();
    all += x.size();
  }
  EXPECT_GT(all, 500u);
  return double(changed) / double(all);
}

TEST(QuantizeWeights, MoreBitsChangeFewerSpikes) {
  for (bool perChannel : {false, true}) {
    double three = changedShare({12}, 3, perChannel, buildDense);
    double eight = changedShare({12}, 8, perChannel, buildDense);
    double sixteen = changedShare({12}, 16, perChannel, buildDense);
    EXPECT_GT(three, eight);
    EXPECT_LT(eight, 0.05);
    EXPECT_LT(sixteen, 0.001);
  }
}

/// Units of filters follow their elements through views; leak and shared currents have units too.
TEST(QuantizeWeights, UnitsReachTheirNeurons) {
  auto make = [](NetworkBuilder &n) {
    n.poisson().conv({3, 2, 2, 2}, randomFloats(n.random, 24, -0.1f, 1), {1, -0.2f, 0.1f}, "c");
    n.transpose({1, 2, 0}).flatten();
    n.leaky(snn::Reset::Subtract, randomFloats(n.random, 27, 1, 2), {5}, {3}, {-0.2f}, {0}, {0.4f});
    mlir::Value spikes = n.last();
    mlir::Value first = n.dense(5).last();
    n.from(spikes).dense(5, false, 0.01f).add(first);
    n.integrateAndFire(snn::Reset::Zero, {1}, {0}, {0}).decode();
  };
  for (bool perChannel : {false, true})
    EXPECT_LT(changedShare({2, 4, 4}, 16, perChannel, make), 0.005);
}

/// An average of thirds cannot be exact in binary; its sum is. Two averages in a row divide twice.
TEST(QuantizeWeights, AveragesBecomeSums) {
  auto make = [](NetworkBuilder &n) {
    n.poisson().pool({3, 3}, {1, 1}).pool({2, 2}, {2, 2}).flatten().dense(6);
    n.integrateAndFire(snn::Reset::Subtract, {0.8f}, {0}, {0.3f}).decode();
  };
  EXPECT_LT(changedShare({2, 6, 6}, 16, true, make), 0.001);
  NetworkBuilder n({2, 6, 6}, 4);
  make(n);
  mlir::ModuleOp module = n.finish();
  quantize(module, 8, true);
  Network network = llvm::cantFail(readNetwork(module));
  EXPECT_TRUE(network.function.getOps<snn::AvgPool2dOp>().empty());
  EXPECT_FALSE(network.function.getOps<snn::SumPool2dOp>().empty());
}

TEST(QuantizeWeights, MembranesOfReadOutsKeepTheirUnit) {
  auto make = [](NetworkBuilder &n) { n.poisson().dense(4).integrator({0.25f}).decode(); };
  NetworkBuilder n({12}, 4), q({12}, 4);
  make(n);
  make(q);
  mlir::ModuleOp original = n.finish(), quantized = q.finish();
  quantize(quantized, 6, true);
  auto x = run(llvm::cantFail(readNetwork(original)), 1).answers.back();
  auto y = run(llvm::cantFail(readNetwork(quantized)), 1).answers.back();
  // Each of at most 13 numbers per step is wrong by half a unit, at most 1 / 31 of a weight of 1.
  for (size_t o = 0; o < 4; ++o)
    EXPECT_NEAR(x[o], y[o], kQuantizedSteps * 13 * 0.5 / 31);
}

} // namespace
