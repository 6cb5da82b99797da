// A network as loops through the JIT, and what the emulator makes of the same spikes.
#pragma once

#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "lib/conversion/snn-to-loops/Passes.h"
#include "lib/conversion/snn-to-loops/SnnToLoops.h"
#include "lib/emulation/interpreter/Interpreter.h"

#include "gtest/gtest.h"

namespace spindle::test {

inline llvm::Expected<LoopProgram> loopsOf(mlir::ModuleOp network, const CircuitOptions &options) {
  network.getContext()
      ->loadDialect<mlir::affine::AffineDialect, mlir::memref::MemRefDialect, hls::HlsDialect>();
  return snnToLoops(network, options);
}

inline std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// Arguments of a run: the given spikes, weights where they are asked for, and zeros.
inline hls::Values argumentsFor(const LoopProgram &program, const std::vector<InputEvent> &events) {
  hls::Values values;
  for (const ProgramArray &array : program.arguments) {
    hls::KernelArray made =
        hls::makeArray({hls::ElementType::Kind::Integer, array.port.bits}, array.port.shape);
    if (array.port.role == ArrayRole::Input)
      for (const InputEvent &event : events)
        made.set(size_t(event.step) * size_t(array.port.shape[1]) + event.element, 1);
    for (size_t n = 0; n < array.values.size(); ++n)
      made.set(n, uint64_t(array.values[n]) & made.type.mask());
    values.arguments.push_back(std::move(made));
  }
  return values;
}

/// Every spike of every population in every step, and the answer.
inline void expectSameSpikes(const LoopProgram &program, const hls::Values &found,
                             const Network &network, const interpreter::SampleRun<float> &wanted,
                             const std::string &what) {
  size_t population = 0;
  for (size_t n = 0; n < program.arguments.size(); ++n) {
    const ProgramArray &array = program.arguments[n];
    const hls::KernelArray &values = found.arguments[n];
    if (array.port.role == ArrayRole::Answer) {
      for (size_t c = 0; c < values.count(); ++c)
        EXPECT_EQ(float(values.at(c)), wanted.answers.back()[c]) << what << " class " << c;
    }
    if (array.port.role != ArrayRole::Spikes)
      continue;
    while (network.populations[population].kind == PopulationKind::Input)
      ++population;
    const Population &of = network.populations[population++];
    ASSERT_EQ(array.port.shape[1], int64_t(of.size)) << what;
    hls::KernelArray spikes = hls::makeArray(values.type, values.shape);
    for (const Spike &spike : wanted.spikes)
      if (spike.neuron >= of.first && spike.neuron < of.first + of.size)
        spikes.set(size_t(spike.step) * of.size + (spike.neuron - of.first), 1);
    EXPECT_EQ(values, spikes) << what << " layer " << array.port.layer;
  }
}

} // namespace spindle::test
