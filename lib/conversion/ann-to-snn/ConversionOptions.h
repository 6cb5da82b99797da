// What a user chooses about the conversion: the section `conversion` of a flow.
#pragma once

#include "core/network/Samples.h"
#include "core/support/formats/Yaml.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace spindle {

enum class ConversionMethod {
  Percentile, // a percentile of the activations spikes in every step
  Maximum,    // the largest activation does
  Calibrated, // thresholds and biases are fitted layer by layer on emulated currents
  FirstSpike, // one spike per neuron, its time is the value
  Auto,       // the cheapest of all of them within max_loss
};
enum class NeuronChoice { IntegrateAndFire, LeakyIntegrateAndFire };
enum class ResetChoice { Zero, Subtract };
enum class DecodingChoice { Count, Membrane, FirstSpike };
enum class PoolingChoice { Linear, Population };

struct ConversionOptions {
  ConversionMethod method = ConversionMethod::Percentile;
  double percentile = 99.9;     // of the non-zero calibration activations
  bool givesPercentile = false; // the user does: calibration of a narrow network tries no others
  bool perChannel = true;       // a scale per channel (per neuron of a dense layer), else per layer
  NeuronChoice neuron = NeuronChoice::IntegrateAndFire;
  double tauSteps = 100; // membrane time constant of leaky neurons, in steps
  ResetChoice reset = ResetChoice::Subtract;
  double initialMembrane = 0.5; // in thresholds
  int64_t maxSpikes = 1;        // of a neuron per step
  DecodingChoice decoding = DecodingChoice::Membrane;
  PoolingChoice pooling = PoolingChoice::Linear;
  std::vector<std::string> tensor; // layers whose rectifiers stay: computed once per sample
  bool fitWeights = true;          // calibrated: weights too, not only thresholds and biases
  double ridge = 0.1;   // calibrated: how strongly fitted weights are held to the trained ones
  double maxLoss = 0.3; // percentage points below the ANN that `auto` may lose

  bool staysTensor(llvm::StringRef layer) const { return llvm::is_contained(tensor, layer.str()); }

  // The section `emulation` says these, not this one.
  InputEncoding encoding = InputEncoding::Direct;
  int64_t steps = 64; // that the network is made for
};

/// The error, at `place`, of choices that exclude each other whatever the network is.
llvm::Error checkConversionOptions(const ConversionOptions &options,
                                   const std::string &place = "conversion");

/// Reads the section `conversion`.
void readConversionOptions(YamlReader &reader, ConversionOptions &options);

} // namespace spindle
