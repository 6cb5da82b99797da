// Expanded networks spike as the layers do, every spike.
#include "dialects/snn/transforms/Passes.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/neuron-level/CompiledProgram.h"
#include "lib/emulation/neuron-level/NeuronInterpreter.h"
#include "tests/emulation/NetworkBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

constexpr uint32_t kSteps = 12;

mlir::LogicalResult expand(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  snn::SnnExpandNeuronsOptions options;
  options.steps = kSteps;
  passes.addPass(snn::createSnnExpandNeurons(options));
  return passes.run(module);
}

/// Spikes of the layer interpreter as one bundle per population.
std::vector<neuron_level::Value> bundlesOf(const Network &network,
                                           const std::vector<Spike> &spikes) {
  std::vector<neuron_level::Value> result;
  for (const Population &population : network.populations) {
    neuron_level::Bundle bundle{population.shape,
                                std::vector<neuron_level::Train>(population.size)};
    for (const Spike &spike : spikes)
      if (spike.neuron >= population.first && spike.neuron < population.first + population.size)
        bundle.trains[spike.neuron - population.first].push_back(float(spike.step + 1));
    result.push_back(std::move(bundle));
  }
  return result;
}

/// The network of `build` on random inputs, layer by layer and neuron by neuron. A network whose
/// first population is an encoder is given that population's spikes.
template <typename Build> void compare(Shape input, Build build, uint64_t seed = 3) {
  NetworkBuilder n(input, seed);
  build(n);
  mlir::ModuleOp module = n.finish();
  ASSERT_TRUE(module);
  module.getContext()->loadDialect<mlir::tensor::TensorDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> expanded = module.clone();
  ASSERT_TRUE(succeeded(expand(*expanded)));
  Network network = llvm::cantFail(readNetwork(module));
  interpreter::Interpreter<float> interpreter(network);
  neuron_level::Program program = llvm::cantFail(neuron_level::readProgram(*expanded, "main"));
  auto compiled = llvm::cantFail(neuron_level::CompiledProgram::compile(program));
  bool encoder = network.populations[0].kind == PopulationKind::Input;
  size_t spikes = 0;
  for (uint64_t sample = 0; sample < 3; ++sample) {
    CounterRandom random(sample, 9);
    std::vector<float> x = randomFloats(random, network.inputs(), 0, 1);
    auto run = llvm::cantFail(interpreter.run(x.data(), sample, kSteps, 5));
    std::vector<neuron_level::Value> expected = bundlesOf(network, run.spikes), arguments;
    if (encoder) {
      arguments = {expected[0]};
      expected.erase(expected.begin());
    } else {
      arguments = {neuron_level::Floats{input, x}};
    }
    EXPECT_EQ(llvm::cantFail(neuron_level::interpret(program, arguments)), expected);
    EXPECT_EQ(llvm::cantFail(compiled->run(arguments)), expected);
    spikes += run.spikes.size();
  }
  EXPECT_GT(spikes, 20u) << "a silent network compares nothing";
}

TEST(ExpandNeurons, DenseOfDigitsSize) {
  compare({64}, [](NetworkBuilder &n) {
    n.direct().dense(16, true, 0.5f);
    n.integrateAndFire(snn::Reset::Subtract, some(n, 16, 0.5f, 2), {0}, {0.5f});
    n.dense(10, true);
    n.integrateAndFire(snn::Reset::Zero, {0.8f}, some(n, 10, -0.5f, 0.2f), some(n, 10, 0, 0.4f));
    n.decode();
  });
}

TEST(ExpandNeurons, LeakyNeuronsOnRandomSpikes) {
  compare({3, 4}, [](NetworkBuilder &n) {
    n.poisson(1.5f).transpose({1, 0}).flatten().dense(9);
    n.leaky(snn::Reset::Subtract, {0.3f}, some(n, 9, 1, 9), some(n, 9, 1, 3),
            some(n, 9, -0.1f, 0.1f), {0}, some(n, 9, 0, 0.3f));
    n.dense(5);
    n.leaky(snn::Reset::Zero, some(n, 5, 0.2f, 1), {3.7f}, {2.3f}, {0.01f}, {-0.2f}, {0});
    n.decode();
  });
}

TEST(ExpandNeurons, ConvolutionAndPoolingWithItsOwnPopulation) {
  compare({2, 6, 6}, [](NetworkBuilder &n) {
    n.direct().conv(3, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 1});
    n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f});
    n.pool({2, 2}, {2, 2});
    n.integrateAndFire(snn::Reset::Subtract, {0.5f}, {0}, {0});
    n.transpose({1, 2, 0}).flatten().dense(4);
    n.integrateAndFire(snn::Reset::Subtract, {0.5f}, {0}, {0}).decode();
  });
}

TEST(ExpandNeurons, SumsInARowOnlyWhereNothingIsRounded) {
  auto build = [](float grid) {
    return [grid](NetworkBuilder &n) {
      n.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f});
      n.pool({2, 2}, {2, 2}).flatten();
      std::vector<float> weights = some(n, 16, -0.2f, 1);
      for (float &weight : weights)
        weight = grid > 0 ? std::round(weight / grid) * grid : weight;
      n.dense(4, weights, {}, "out");
      n.integrateAndFire(snn::Reset::Subtract, {0.3f}, {0}, {0}).decode();
    };
  };
  compare({1, 4, 4}, build(0x1p-7f));
  NetworkBuilder n({1, 4, 4}, 3);
  build(0)(n);
  mlir::ModuleOp module = n.finish();
  module.getContext()->loadDialect<mlir::tensor::TensorDialect>();
  std::string message;
  mlir::ScopedDiagnosticHandler listen(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    message += diagnostic.str();
    return mlir::success();
  });
  EXPECT_TRUE(failed(expand(module)));
  EXPECT_THAT(message, HasSubstr("cannot be merged with the linear operation before it"));
}

} // namespace
