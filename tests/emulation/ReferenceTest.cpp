// Every operation of the reference semantics against its operator in compressed rows, or a closed
// form.
#include "lib/emulation/interpreter/Coding.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/interpreter/Pooling.h"
#include "lib/emulation/interpreter/Synapses.h"
#include "lib/emulation/interpreter/Views.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using namespace spindle::test;
using ::testing::ElementsAre;

namespace {

/// The operator of the network's one operation, applied in the order that the dialect defines.
template <typename Scalar>
std::vector<Scalar> applyMap(mlir::Value result, const std::vector<float> &x) {
  snn::LinearMap map = *result.getDefiningOp<snn::SynapseOp>().linearMap(0);
  std::vector<Scalar> y;
  for (uint32_t o = 0; o < map.outputs; ++o) {
    Scalar sum = 0;
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
      sum += Scalar(map.weights[k]) * Scalar(x[map.indices[k]]);
    y.push_back(sum + Scalar(map.bias[o]));
  }
  return y;
}

template <typename Scalar>
std::vector<Scalar> interpret(mlir::ModuleOp module, const std::vector<float> &x) {
  Network network = llvm::cantFail(readNetwork(module));
  interpreter::Interpreter<Scalar> interpreter(network);
  return llvm::cantFail(interpreter.run(x.data(), 0, 1, 0)).answers.at(0);
}

template <typename Build> void compareWithMap(Shape input, Build build, bool exact) {
  NetworkBuilder n(input, 21);
  build(n);
  CounterRandom random(4);
  std::vector<float> x = randomFloats(random, snn::sizeOf(n.last().getDefiningOp()->getOperand(0)));
  mlir::ModuleOp module = n.finish();
  ASSERT_TRUE(module);
  std::vector<float> found = interpret<float>(module, x);
  std::vector<double> precise = interpret<double>(module, x);
  std::vector<float> same = applyMap<float>(n.last(), x);
  std::vector<double> wanted = applyMap<double>(n.last(), x);
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t o = 0; o < wanted.size(); ++o) {
    if (exact) {
      EXPECT_EQ(found[o], same[o]) << o;
    }
    EXPECT_NEAR(precise[o], wanted[o], exact ? 1e-12 : 1e-6) << o; // 1 / count is rounded to f32
    EXPECT_NEAR(found[o], wanted[o], 1e-4) << o;
  }
}

TEST(ReferenceSynapses, DenseIsItsMap) {
  compareWithMap({17}, [](NetworkBuilder &n) { n.dense(6); }, true);
}

TEST(ReferenceSynapses, ConvolutionIsItsMap) {
  ConvOptions odd{{2, 1}, {1, 2, 0, 3}, {1, 2}, 2};
  compareWithMap({4, 9, 7}, [&](NetworkBuilder &n) { n.conv(6, 3, 2, true, odd); }, true);
  compareWithMap({3, 6, 6}, [&](NetworkBuilder &n) { n.conv(2, 6, 6, false); }, true);
}

TEST(ReferenceSynapses, PoolingIsItsMap) {
  for (bool countPad : {false, true})
    compareWithMap(
        {3, 7, 8}, [&](NetworkBuilder &n) { n.pool({3, 2}, {2, 3}, {2, 1, 0, 1}, countPad); },
        false);
}

TEST(ReferenceSynapses, SumsOfWindowsAreTheirMap) {
  compareWithMap(
      {3, 7, 8}, [&](NetworkBuilder &n) { n.sumPool({3, 2}, {2, 3}, {2, 1, 0, 1}); }, true);
}

TEST(ReferenceSynapses, SparseIsItsMap) {
  for (double density : {0.0, 0.3, 1.0})
    compareWithMap({3, 4, 2}, [&](NetworkBuilder &n) { n.sparse({5, 2}, density); }, true);
}

TEST(ReferenceSynapses, JoinsKeepTheOrderOfTheirInputs) {
  interpreter::Tensor<float> x({2, 2}, {1, 2, 3, 4}), y({2, 1}, {5, 6}), z({1, 2}, {7, 8});
  EXPECT_THAT(interpreter::concat<float>({&x, &y}, 1, {2, 3}).values,
              ElementsAre(1, 2, 5, 3, 4, 6));
  EXPECT_THAT(interpreter::concat<float>({&z, &x}, 0, {3, 2}).values,
              ElementsAre(7, 8, 1, 2, 3, 4));
  EXPECT_THAT(interpreter::add(x, x).values, ElementsAre(2, 4, 6, 8));
}

TEST(ReferenceSynapses, MaximumOfWindowsPassesOverPaddingAndNotANumber) {
  interpreter::Tensor<float> x({1, 2, 3}, {-5, -2, std::nanf(""), -3, -4, -1});
  interpreter::Pool2dGeometry geometry{{2, 2}, {1, 2}, {1, 0, 0, 1}};
  EXPECT_THAT(interpreter::maxPool2d(x, geometry, {1, 2, 2}).values,
              ElementsAre(-2, -std::numeric_limits<float>::infinity(), -2, -1));
}

TEST(ReferenceSynapses, ScaleIsItsMap) {
  for (bool perElement : {false, true})
    compareWithMap({3, 4, 2}, [&](NetworkBuilder &n) { n.scale(perElement); }, true);
}

TEST(ReferenceSynapses, ViewsAreTheirMaps) {
  compareWithMap({3, 4, 2}, [](NetworkBuilder &n) { n.transpose({1, 2, 0}); }, true);
  compareWithMap({3, 4, 2}, [](NetworkBuilder &n) { n.reshape({2, 12}); }, true);
}

TEST(ReferenceSynapses, SumsGoUpwardFromZeroAndTheBiasComesLast) {
  // 1e8 + 1 − 1e8 is 0 in f32 from left to right, and 1 in other orders.
  interpreter::Tensor<float> x({3}, {1e8f, 1, -1e8f}), weight({1, 3}, {1, 1, 1});
  EXPECT_EQ(interpreter::dense(x, weight, {}).values[0], 0);
  EXPECT_EQ(interpreter::dense(x, weight, {0.5f}).values[0], 0.5f);
  // A fused multiply-add would keep the low bits of the product.
  float a = 1 + 0x1p-12f;
  interpreter::Tensor<float> two({2}, {1, a}), weights({1, 2}, {-(1 + 0x1p-11f), a});
  EXPECT_EQ(interpreter::dense(two, weights, {}).values[0], 0);
}

TEST(ReferenceViews, ReluKeepsNoNegativeAndNoNotANumber) {
  interpreter::Tensor<float> x({5}, {-1, 0, 2, std::nanf(""), -0.0f});
  std::vector<float> y = interpreter::relu(x).values;
  EXPECT_THAT(y, ElementsAre(0, 0, 2, 0, 0));
  EXPECT_FALSE(std::signbit(y[4]));
}

TEST(ReferenceViews, ReluIsClampedAndStepped) {
  interpreter::Tensor<float> x({6}, {-1, 0.5f, 2, 6, 7, std::nanf("")});
  EXPECT_THAT(interpreter::clampedRelu(x, 6).values, ElementsAre(0, 0.5f, 2, 6, 6, 0));
  // Clip-floor-shift: levels of 1.5 from −0.75 on.
  EXPECT_THAT(interpreter::steppedRelu(x, 4 / 6.0f, 6 / 4.0f, 4).values,
              ElementsAre(0, 0, 1.5f, 6, 6, 0));
}

TEST(ReferenceCoding, PoissonSpikesAreBinomial) {
  constexpr uint32_t kElements = 2000, kSteps = 50;
  for (double p : {0.0, 0.1, 0.5, 0.93, 1.0, 2.0}) {
    interpreter::Tensor<float> x({kElements}, std::vector<float>(kElements, float(p * 4)));
    double spikes = 0;
    for (uint32_t step = 0; step < kSteps; ++step)
      for (float spike : interpreter::encodePoisson(x, 4, 9, 5, step).values)
        spikes += spike;
    double rate = std::min(p, 1.0), trials = kElements * kSteps;
    EXPECT_NEAR(spikes, trials * rate, 5 * std::sqrt(trials * rate * (1 - rate)));
  }
}

TEST(ReferenceCoding, PoissonDependsOnSeedSampleStepAndElement) {
  float first = interpreter::poissonUniform(1, 2, 3, 4);
  EXPECT_EQ(first, uniformFloat(philox({4, 0, 2, 0}, {1, 0})[3]));
  EXPECT_EQ(interpreter::poissonUniform(1, 2, 6, 4), uniformFloat(philox({4, 1, 2, 0}, {1, 0})[2]));
  EXPECT_NE(first, interpreter::poissonUniform(1ull << 32 | 1, 2, 3, 4));
  EXPECT_NE(first, interpreter::poissonUniform(1, 1ull << 32 | 2, 3, 4));
  EXPECT_NE(first, interpreter::poissonUniform(1, 2, 4, 4));
  EXPECT_NE(first, interpreter::poissonUniform(1, 2, 3, 5));
}

TEST(ReferenceCoding, CountDecodesSpikesSoFar) {
  std::vector<float> counts(2, 0);
  interpreter::Tensor<float> spikes({2}, {1, 0});
  interpreter::decodeCount(spikes, std::nullopt, counts);
  spikes.values = {1, 1};
  EXPECT_THAT(interpreter::decodeCount(spikes, std::nullopt, counts).values, ElementsAre(2, 1));
}

} // namespace
