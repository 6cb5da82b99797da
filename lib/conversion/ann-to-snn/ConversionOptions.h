// What a user chooses about the conversion: the section `conversion` of a flow.
#pragma once

#include "lib/support/Yaml.h"

namespace spindle {

enum class NormalizationMethod { Percentile, Maximum };
enum class NeuronChoice { IntegrateAndFire, LeakyIntegrateAndFire };
enum class ResetChoice { Zero, Subtract };
enum class EncodingChoice { Direct, Poisson };
enum class DecodingChoice { Count, Membrane };
enum class PoolingChoice { Linear, Population };

struct ConversionOptions {
  NormalizationMethod method = NormalizationMethod::Percentile;
  double percentile = 99.9; // of the non-zero calibration activations
  bool perChannel = true;   // a scale per channel (per neuron of a dense layer), else per layer
  NeuronChoice neuron = NeuronChoice::IntegrateAndFire;
  double tauSteps = 100; // membrane time constant of leaky neurons, in steps
  ResetChoice reset = ResetChoice::Subtract;
  double initialMembrane = 0.5; // in thresholds
  DecodingChoice decoding = DecodingChoice::Membrane;
  PoolingChoice pooling = PoolingChoice::Linear;
  EncodingChoice encoding = EncodingChoice::Direct; // the section `emulation` says it, not this one
};

/// Reads the section `conversion`.
void readConversionOptions(YamlReader &reader, ConversionOptions &options);

} // namespace spindle
