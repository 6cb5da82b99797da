// Where a conversion loses accuracy: every spiking layer against the rectifier it came from.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// Above this mean spike rate an equally quantised ANN spends less energy: 5.7 % at T = 5, Yan,
/// Bai, Tang and Wong, "Reconsidering the energy efficiency of spiking neural networks inference
/// from analytical perspectives", arXiv 2409.08290v4, 2026.
inline constexpr double kBreakEvenSpikeRate = 0.057;

/// One spiking layer. The error of a neuron for a sample is activation / scale − value, its value
/// being spikes per step (code "rate") or the share of its window that its spike leaves over (code
/// "first_spike"); a positive error is too little.
struct DiagnosedLayer {
  std::string name;
  std::string code; // "rate" or "first_spike"
  uint32_t neurons = 0;
  double rateError = 0;     // root mean square over neurons and samples
  double meanError = 0;     // mean over the same
  double saturated = 0;     // share of pairs of neuron and sample at the largest value
  double dead = 0;          // share of neurons that spike for no sample
  double deadInAnn = 0;     // share of neurons that are dead and silent in the ANN as well
  double neuronSpikes = 0;  // per neuron and sample
  std::string withoutTwin;  // why there is no analog twin; empty where there is one
  uint64_t twinCorrect = 0; // right answers with the analog twin in place of this layer

  bool operator==(const DiagnosedLayer &) const = default;
};

/// A converted network on some samples; file 35-diagnosis.json.
struct Diagnosis {
  uint32_t steps = 0;
  uint64_t samples = 0, annCorrect = 0, snnCorrect = 0;
  uint64_t hiddenNeurons = 0; // of all spiking populations between the encoder and the answer
  uint64_t hiddenSpikes = 0;  // theirs, over all samples
  std::vector<DiagnosedLayer> layers; // in order of the network

  bool operator==(const Diagnosis &) const = default;
};

/// Accuracy lost by the conversion, in percentage points.
double lossPoints(const Diagnosis &diagnosis);

/// What a layer costs: accuracy with its analog twin less accuracy without, in percentage points.
/// Nothing where there is no twin.
std::optional<double> contributionPoints(const Diagnosis &diagnosis, const DiagnosedLayer &layer);

/// The layers that cost most: several where they cost the same, none where nothing costs anything.
std::vector<const DiagnosedLayer *> costliestLayers(const Diagnosis &diagnosis);

/// Spikes per hidden neuron and step.
double hiddenSpikeRate(const Diagnosis &diagnosis);

/// Counts of right answers do not exceed the samples, shares lie between zero and one, numbers are
/// finite.
llvm::Error verify(const Diagnosis &diagnosis);

/// Points and rates are written beside what they follow from, and left out when it is read.
llvm::Error writeDiagnosis(const std::string &path, const Diagnosis &diagnosis);
llvm::Expected<Diagnosis> readDiagnosis(const std::string &path);

} // namespace spindle
