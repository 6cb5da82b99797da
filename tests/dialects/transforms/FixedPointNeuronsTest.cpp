// Networks in fixed point against the networks of integer weights that they came from.
#include "dialects/snn/transforms/Passes.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "tests/emulation/NetworkBuilder.h"

#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <iterator>

using namespace spindle;
using namespace spindle::test;

namespace {

constexpr uint32_t kIntegerSteps = 60;

void run(mlir::ModuleOp module, std::unique_ptr<mlir::Pass> pass) {
  mlir::PassManager passes(module.getContext());
  passes.addNestedPass<mlir::func::FuncOp>(std::move(pass));
  ASSERT_TRUE(succeeded(passes.run(module)));
}

std::vector<Spike> spikesOf(mlir::ModuleOp module, uint64_t sample) {
  Network network = llvm::cantFail(readNetwork(module));
  interpreter::Interpreter<float> interpreter(network);
  CounterRandom random(sample, 77);
  std::vector<float> x = randomFloats(random, network.inputs(), 0, 1);
  return llvm::cantFail(interpreter.run(x.data(), sample, kIntegerSteps, 5)).spikes;
}

TEST(FixedPointNeurons, WithoutLeakSpikesStay) {
  for (snn::Reset reset : {snn::Reset::Zero, snn::Reset::Subtract}) {
    NetworkBuilder n({12});
    n.poisson().dense(10);
    n.integrateAndFire(reset, randomFloats(n.random, 10, 0.5f, 2), {0}, {0.3f});
    n.dense(6);
    n.integrateAndFire(reset, {0.8f}, {0}, {0});
    n.decode();
    mlir::ModuleOp module = n.finish();
    run(module, snn::createSnnQuantizeWeights());
    std::vector<Spike> before[3];
    for (uint64_t sample = 0; sample < 3; ++sample)
      before[sample] = spikesOf(module, sample);
    run(module, snn::createSnnFixedPointNeurons());
    for (uint64_t sample = 0; sample < 3; ++sample)
      EXPECT_EQ(spikesOf(module, sample), before[sample]);
    auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
    EXPECT_EQ(std::distance(function.getOps<snn::FixedLifOp>().begin(),
                            function.getOps<snn::FixedLifOp>().end()),
              2);
  }
}

/// 16 bits behind the point and 20 of the decay: hardly a membrane ends on the other side of its
/// threshold.
TEST(FixedPointNeurons, WithLeakHardlyASpikeMoves) {
  NetworkBuilder n({12}, 3);
  n.poisson().dense(40, false);
  n.leaky(snn::Reset::Zero, {1.3f}, {7}, {5}, {0.2f}, {-0.2f}, {0.1f});
  n.decode();
  mlir::ModuleOp module = n.finish();
  snn::SnnQuantizeWeightsOptions weights;
  weights.bits = 8;
  weights.perChannel = false;
  run(module, snn::createSnnQuantizeWeights(weights));
  std::vector<Spike> before = spikesOf(module, 1);
  snn::SnnFixedPointNeuronsOptions options;
  options.membraneBits = 25;
  options.decayBits = 20;
  run(module, snn::createSnnFixedPointNeurons(options));
  std::vector<Spike> after = spikesOf(module, 1), both;
  std::set_intersection(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(both), [](const Spike &a, const Spike &b) {
                          return std::pair(a.step, a.neuron) < std::pair(b.step, b.neuron);
                        });
  EXPECT_GT(before.size(), 200u);
  EXPECT_GE(double(both.size()), 0.99 * double(before.size()));
}

} // namespace
