// A network as loops through the JIT, and what the emulator makes of the same spikes.
#pragma once

#include "hw/cosim/samples/SampleTokens.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/Synthesis.h"
#include "lib/conversion/snn-to-loops/Passes.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/emulation/interpreter/Interpreter.h"

#include "gtest/gtest.h"

namespace spindle::test {

inline llvm::Expected<LoopProgram> loopsOf(mlir::ModuleOp network, const CircuitOptions &options) {
  network.getContext()
      ->loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    hls::HlsDialect>();
  return snnToLoops(network, options);
}

inline std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// Loops of the network are kept as they are, on the default target.
inline hls::Synthesis synthesizeEvents(mlir::MLIRContext &context, const std::string &text) {
  auto program = llvm::cantFail(hls::parseProgram(context, text, "network.mlir"));
  hls::SynthesisOptions options;
  options.loops.unroll = {1};
  return llvm::cantFail(
      hls::synthesize(*program, llvm::cantFail(hls::readTarget(hls::kDefaultTarget)), options));
}

/// What the host gives the circuit of a sample.
struct SampleInput {
  std::vector<InputEvent> events;
  std::vector<float> given; // currents or pixels, under direct coding
};

/// Arguments of a run on some samples (one where there are no streams): the given spikes, what the
/// host computes, weights where they are asked for, and zeros.
inline hls::Values argumentsFor(const LoopProgram &program,
                                const std::vector<SampleInput> &samples) {
  hls::Values values;
  for (const ProgramArray &array : program.arguments) {
    const HardwareArray &port = array.port;
    hls::KernelArray made = hls::makeTokens(port, goesOut(port.role) ? 0 : samples.size());
    for (size_t sample = 0; sample < samples.size(); ++sample) {
      if (port.role == ArrayRole::Input)
        for (const InputEvent &event : samples[sample].events)
          hls::addSpike(made, port, sample, event.step, event.element);
      for (size_t n = 0; isGiven(port.role) && n < size_t(port.elements); ++n)
        if (holds(port, n))
          hls::setValue(made, port, sample, n, int64_t(samples[sample].given[n]));
    }
    for (size_t n = 0; n < array.values.size(); ++n)
      made.set(n, uint64_t(array.values[n]) & made.type.mask());
    values.arguments.push_back(std::move(made));
  }
  return values;
}

inline hls::Values argumentsFor(const LoopProgram &program, const std::vector<InputEvent> &events) {
  return argumentsFor(program, std::vector<SampleInput>{{events, {}}});
}

using EmulatedSamples = std::vector<interpreter::SampleRun<float>>;

/// What has to come out at a port that puts something out.
inline hls::KernelArray wantedAt(const HardwareArray &port, const Network &network,
                                 const EmulatedSamples &wanted) {
  hls::KernelArray made = hls::makeTokens(port, wanted.size());
  for (size_t sample = 0; sample < wanted.size(); ++sample) {
    if (port.role == ArrayRole::Class) {
      const std::vector<float> &answers = wanted[sample].answers.back();
      hls::setValue(made, port, sample, 0,
                    std::max_element(answers.begin(), answers.end()) - answers.begin());
      continue;
    }
    if (port.role == ArrayRole::Answer) {
      const std::vector<float> &answers = wanted[sample].answers.back();
      for (size_t c = 0; c < answers.size(); ++c)
        if (port.first.empty() || holds(port, c))
          hls::setValue(made, port, sample, c, int64_t(answers[c]));
      continue;
    }
    for (const Population &of : network.populations)
      for (const Spike &spike : wanted[sample].spikes)
        if (of.name == port.layer && spike.neuron >= of.first &&
            spike.neuron < of.first + of.size && holds(port, spike.neuron - of.first))
          hls::addSpike(made, port, sample, spike.step, spike.neuron - of.first);
  }
  return made;
}

/// Every spike of every population in every step, and the answers; empty where they agree.
inline std::string differenceOf(const LoopProgram &program, const hls::Values &found,
                                const Network &network, const EmulatedSamples &wanted) {
  for (size_t n = 0; n < program.arguments.size(); ++n) {
    const HardwareArray &port = program.arguments[n].port;
    if (!goesOut(port.role))
      continue;
    std::string difference =
        hls::firstDifference(port, found.arguments[n], wantedAt(port, network, wanted), 0);
    if (!difference.empty())
      return difference;
  }
  return "";
}

inline void expectSameSpikes(const LoopProgram &program, const hls::Values &found,
                             const Network &network, const EmulatedSamples &wanted,
                             const std::string &what) {
  EXPECT_EQ(differenceOf(program, found, network, wanted), "") << what;
}

} // namespace spindle::test
