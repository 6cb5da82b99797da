// The compiled engine against the interpreter, and programs against their canonical form.
#include "lib/emulation/neuron-level/CompiledProgram.h"
#include "tests/emulation/neuron-level/ParsedProgram.h"
#include "tests/emulation/neuron-level/RandomPrograms.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gmock/gmock.h"

#include <algorithm>
#include <bit>
#include <cstdint>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

bool sameFloat(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

/// Times bit for bit, the sign of zero too.
bool sameBits(const Values &a, const Values &b) {
  if (a != b)
    return false;
  for (size_t n = 0; n < a.size(); ++n)
    if (auto *bundle = std::get_if<Bundle>(&a[n]))
      for (size_t t = 0; t < bundle->trains.size(); ++t)
        if (const Train &x = bundle->trains[t], &y = std::get<Bundle>(b[n]).trains[t];
            !std::equal(x.begin(), x.end(), y.begin(), y.end(), sameFloat))
          return false;
  return true;
}

size_t spikesOf(const Values &values) {
  size_t spikes = 0;
  for (const Value &value : values)
    if (auto *bundle = std::get_if<Bundle>(&value))
      for (const Train &train : bundle->trains)
        spikes += train.size();
  return spikes;
}

TEST(RandomPrograms, EngineEqualsInterpreter) {
  size_t spikes = 0, neuronCount = 0;
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    RandomProgram random(seed, 8);
    ParsedProgram program(random.text);
    neuron_level::Program read = llvm::cantFail(program.read());
    for (mlir::Operation &op : read.entry.getBody().front())
      neuronCount += mlir::isa<snn::SingleNeuronOp>(op);
    auto compiled = llvm::cantFail(neuron_level::CompiledProgram::compile(read));
    for (uint64_t trial = 0; trial < 20; ++trial) {
      Values arguments = randomArguments(100 * seed + trial);
      Values expected = llvm::cantFail(neuron_level::interpret(read, arguments));
      Values found = llvm::cantFail(compiled->run(arguments));
      ASSERT_TRUE(sameBits(found, expected)) << seed << " " << trial << "\n" << random.text;
      spikes += spikesOf(found);
    }
  }
  EXPECT_GT(neuronCount, 80u);
  EXPECT_GT(spikes, 20000u);
}

TEST(RandomPrograms, CanonicalFormComputesTheSame) {
  size_t before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    RandomProgram random(seed, 10);
    ParsedProgram program(random.text);
    Values arguments = randomArguments(seed);
    Values expected = program.interpret(arguments);
    auto count = [&](size_t &operations) {
      (*program)->walk([&](mlir::Operation *) { ++operations; });
    };
    count(before);
    mlir::PassManager passes((*program)->getContext());
    passes.addPass(mlir::createCanonicalizerPass());
    ASSERT_TRUE(succeeded(passes.run(*program)));
    count(after);
    ASSERT_TRUE(sameBits(program.interpret(arguments), expected)) << random.text;
  }
  EXPECT_LT(after, before * 9 / 10) << "the patterns do something";
}

TEST(CompiledProgram, RunsTheListing) {
  std::string text = kListing;
  text.replace(text.find("30.0"), 4, "-19.5");
  ParsedProgram program(text);
  neuron_level::Program read = llvm::cantFail(program.read("dense_2"));
  auto compiled = llvm::cantFail(neuron_level::CompiledProgram::compile(read));
  for (std::vector<float> data : {std::vector<float>{1, 2}, {2, 1}, {3, 3}, {kNever, 1}}) {
    Values arguments{Floats{{2}, data}, Floats{{2}, {1, 0}}, Floats{{2}, {0, 1}}, 0.0f, 0.0f};
    EXPECT_EQ(llvm::cantFail(compiled->run(arguments)),
              llvm::cantFail(neuron_level::interpret(read, arguments)));
  }
}

TEST(CompiledProgram, FollowsCalls) {
  ParsedProgram program(R"(
func.func private @one(%b: !bundle, %w: tensor<2xf32>) -> (!train, index) {
  %t = snn.neuron(%b : !bundle, %w : tensor<2xf32>) {k = 0.5 : f32, vth = 1.0 : f32, vrest = 0.0 : f32} : !train
  %n = arith.constant 7 : index
  return %t, %n : !train, index
}
func.func @f(%b: !bundle) -> (!train, index, !bundle) {
  %w = arith.constant dense<[0.75, 2.0]> : tensor<2xf32>
  %x:2 = call @one(%b, %w) : (!bundle, tensor<2xf32>) -> (!train, index)
  return %x#0, %x#1, %b : !train, index, !bundle
})");
  neuron_level::Program read = llvm::cantFail(program.read());
  auto compiled = llvm::cantFail(neuron_level::CompiledProgram::compile(read));
  Bundle in{{2}, {{1, 1.25f}, {4}}};
  Values expected{Train{1.25f, 4}, int64_t(7), in};
  EXPECT_EQ(llvm::cantFail(compiled->run({in})), expected);
  EXPECT_EQ(program.interpret({in}), expected);
}

TEST(CompiledProgram, MakesTheErrorsOfTheInterpreter) {
  ParsedProgram program(R"(
func.func @f(%b: !bundle, %w: tensor<?xf32>, %t: tensor<?xf32>, %bias: f32) -> (!train, !train, !train) {
  %n = snn.neuron(%b : !bundle, %w : tensor<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32} : !train
  %s = snn.tensor_to_spike_train(%t : tensor<?xf32>) : !train
  %c = snn.neuron(%s : !train) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, step = 0.001 : f32} : !train
  %e = snn.neuron(%s : !train, %bias : f32) {k = 1.0e30 : f32, vth = 1.0 : f32, vrest = 0.0 : f32, until = 1.0 : f32} : !train
  return %n, %c, %e : !train, !train, !train
})");
  neuron_level::Program read = llvm::cantFail(program.read());
  auto compiled = llvm::cantFail(neuron_level::CompiledProgram::compile(read));
  Bundle two{{2}, {{1}, {2}}};
  Floats right{{2}, {1, 2}}, wrong{{1}, {1}}, early{{1}, {-1}}, late{{1}, {1e9f}},
      some{{1}, {0.5f}};
  for (auto &[arguments, part] : std::vector<std::pair<Values, std::string>>{
           {{two, wrong, some, 0.0f}, "1 weights for 2 trains"},
           {{two, right, early, 0.0f}, "spike time -1"},
           {{two, right, late, 0.0f}, "steps of 0.001 ms"},
           {{two, right, some, 2.0f}, "more than 4194304 spikes"},
           {{two, right, some}, "takes 4 arguments"}}) {
    std::string error = toText(compiled->run(arguments).takeError());
    EXPECT_THAT(error, HasSubstr(part));
    EXPECT_EQ(error, program.errorOf(arguments));
  }
}

} // namespace
