// The folder of the stage hardware, and co-simulation on the samples of its run.
#pragma once

#include "core/network/HardwareNetwork.h"
#include "hw/cosim/Cosim.h"

#include <string>

namespace spindle {

/// Beside hardware.json: what the weights of the network are.
inline constexpr const char *kHardwareWeights = "weights.npz";
/// Under direct coding: what the host computes of each recorded sample is an array of this name in
/// a file NAME.npz.
inline const char *givenName(ArrayRole role) {
  return role == ArrayRole::Pixels ? "pixels" : "currents";
}

/// Where tensor layers behind spikes answer: their sums of each recorded sample by the emulator, an
/// array `answers` in this file.
inline constexpr const char *kHardwareAnswers = "answers.npz";

/// What a co-simulation on recorded samples is of.
struct SampleCosim {
  hls::CosimResult result;
  uint64_t spikes = 0;    // of all populations, compared with the emulator's
  uint64_t membranes = 0; // that answer, compared as well
  uint64_t sums = 0;      // of tensor layers that answer, likewise
  uint64_t classes = 0;   // likewise
  uint32_t steps = 0;
};

/// Runs the circuit in `folder` on the first `images` recorded samples of its run, whose spikes
/// (30-spikes.h5 in the folder above) go into it, and compares every spike of every neuron and step
/// with those; of answers that are membranes, these with 30-membranes.h5, and classes. What differs
/// is named by sample, layer, neuron and step in the problems of the result.
llvm::Expected<SampleCosim> cosimSamples(const std::string &folder, uint32_t images,
                                         hls::CosimOptions options);

/// Writes what goes into the circuit in `folder` for its first `images` recorded samples, in one
/// run
/// (`cosim --in`). Errors: a circuit without streams takes one of them only.
llvm::Error writeSampleInputs(const std::string &folder, uint32_t images, const std::string &path);

} // namespace spindle
