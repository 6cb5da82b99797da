// A random chain of style event, samples of it, and what the emulator makes of them.
#pragma once

#include "lib/emulation/HostValues.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/conversion/snn-to-loops/RandomChain.h"

namespace spindle::test {

struct EventCase {
  explicit EventCase(uint64_t seed, ChainKind kind = ChainKind::Dense, size_t images = 3,
                     std::optional<hls::SystemKind> system = {})
      : chain(seed, kind), module(chain.finish()) {
    chain.options.system = system;
    network = llvm::cantFail(readNetwork(module));
    program = llvm::cantFail(loopsOf(module, chain.options));
    interpreter::Interpreter<float> interpreter(network);
    for (size_t image = 0; image < images; ++image) {
      SampleInput input{chain.events(), {}};
      Samples samples = chain.sample();
      wanted.push_back(llvm::cantFail(
          interpreter.run(samples.sample(0), 0, uint32_t(chain.options.steps), 1, input.events)));
      if (program.given)
        input.given = llvm::cantFail(hostValues(module, program.given, samples, 1));
      inputs.push_back(std::move(input));
    }
    arguments = argumentsFor(program, inputs);
  }

  /// Of all samples: spikes of the input too, and of populations alone.
  size_t spikes() const {
    size_t all = 0;
    for (const auto &one : wanted)
      all += one.spikes.size();
    return all;
  }
  size_t fired() const {
    size_t all = spikes();
    for (const SampleInput &input : inputs)
      all -= program.given ? 0 : input.events.size();
    return all;
  }

  RandomChain chain;
  mlir::ModuleOp module;
  Network network;
  std::vector<SampleInput> inputs;
  EmulatedSamples wanted;
  LoopProgram program;
  hls::Values arguments;
};

} // namespace spindle::test
