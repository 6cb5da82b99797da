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

/// A spike in an array of spikes, of words too.
inline void setSpike(hls::KernelArray &array, const HardwareArray &port, size_t step,
                     size_t element) {
  SpikePlace place = placeOf(port, step, element);
  array.set(place.element, array.at(place.element) | uint64_t(1) << place.bit);
}

/// Arguments of a run: the given spikes, the currents from the host, weights where they are asked
/// for, and zeros.
inline hls::Values argumentsFor(const LoopProgram &program, const std::vector<InputEvent> &events,
                                const std::vector<float> &currents = {}) {
  hls::Values values;
  for (const ProgramArray &array : program.arguments) {
    hls::KernelArray made =
        hls::makeArray({hls::ElementType::Kind::Integer, array.port.bits}, array.port.shape);
    if (array.port.role == ArrayRole::Input)
      for (const InputEvent &event : events)
        setSpike(made, array.port, event.step, event.element);
    auto lanes = size_t(array.port.shape.back());
    for (size_t n = 0; array.port.role == ArrayRole::Currents && n < made.count(); ++n) {
      size_t element = size_t(array.port.first[n / lanes]) + n % lanes * size_t(array.port.stride);
      made.set(n, uint64_t(int64_t(currents[element])) & made.type.mask());
    }
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
      auto valueOf = [&](size_t c) { // membranes have a sign
        unsigned above = array.port.layer.empty() ? 0 : 64 - array.port.bits;
        return float(int64_t(values.at(c) << above) >> above);
      };
      for (size_t c = 0; c < values.count(); ++c)
        EXPECT_EQ(valueOf(c), wanted.answers.back()[c]) << what << " class " << c;
    }
    if (array.port.role != ArrayRole::Spikes)
      continue;
    bool hasWords = !array.port.first.empty(); // then there may be several arrays
    while (network.populations[population].kind == PopulationKind::Input ||
           (hasWords && network.populations[population].name != array.port.layer))
      ++population;
    const Population &of = network.populations[population];
    population += !hasWords;
    ASSERT_EQ(hasWords ? array.port.elements : array.port.shape[1], int64_t(of.size)) << what;
    hls::KernelArray spikes = hls::makeArray(values.type, values.shape);
    for (const Spike &spike : wanted.spikes)
      if (spike.neuron >= of.first && spike.neuron < of.first + of.size)
        setSpike(spikes, array.port, spike.step, spike.neuron - of.first);
    EXPECT_EQ(values, spikes) << what << " layer " << array.port.layer;
  }
}

} // namespace spindle::test
