// The recorded samples of a run at the ports of its circuit: what goes in, and what the emulator
// says has to come out.
#pragma once

#include "core/kernel/KernelArray.h"
#include "core/network/HardwareNetwork.h"
#include "core/network/MembraneTrace.h"
#include "core/network/SpikeTrace.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "tools/spindle/hardware/HardwareFiles.h"

namespace spindle {

struct Recording {
  HardwareNetwork network;
  SpikeTrace trace;
  MembraneTrace membranes;              // of the population that answers, if one does
  std::vector<float> sums;              // samples × classes: answers of tensor layers
  size_t classes = 0;                   // of those
  std::vector<float> given;             // samples × elements: currents or pixels
  std::vector<hls::KernelArray> arrays; // weights; of others nothing is read
};

/// Of the circuit in `folder`, for the first `images` samples. Errors: samples that were not
/// recorded, or not with this circuit.
llvm::Expected<Recording> readRecording(const std::string &folder, uint32_t images);

/// Samples of a recording, one after the other.
struct SampleRange {
  uint32_t first = 0, count = 1;
};

/// What goes into the circuit; streams that come out are empty. Errors: no such population.
llvm::Expected<hls::Values> argumentsOf(const Recording &recording, SampleRange range);

/// What the program makes of samples against what the emulator made of them, counted in `made`;
/// empty where they agree.
llvm::Expected<std::string> compareSamples(const Recording &recording, SampleRange range,
                                           const hls::Values &found, SampleCosim &made);

} // namespace spindle
