#include "core/network/Diagnosis.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <cmath>

namespace spindle {

static constexpr FileFormat kDiagnosisFormat = {"spindle-diagnosis", 1};

/// Percentage points between two counts of right answers; the difference is exact.
static double pointsBetween(uint64_t more, uint64_t less, uint64_t samples) {
  return samples == 0 ? 0 : 100 * (double(more) - double(less)) / double(samples);
}

double lossPoints(const Diagnosis &diagnosis) {
  return pointsBetween(diagnosis.annCorrect, diagnosis.snnCorrect, diagnosis.samples);
}

std::optional<double> contributionPoints(const Diagnosis &diagnosis, const DiagnosedLayer &layer) {
  if (!layer.withoutTwin.empty())
    return std::nullopt;
  return pointsBetween(layer.twinCorrect, diagnosis.snnCorrect, diagnosis.samples);
}

std::vector<const DiagnosedLayer *> costliestLayers(const Diagnosis &diagnosis) {
  std::vector<const DiagnosedLayer *> costliest;
  uint64_t most = diagnosis.snnCorrect + 1;
  for (const DiagnosedLayer &layer : diagnosis.layers) {
    if (!layer.withoutTwin.empty() || layer.twinCorrect < most)
      continue;
    if (layer.twinCorrect > most)
      costliest.clear();
    most = layer.twinCorrect;
    costliest.push_back(&layer);
  }
  return costliest;
}

double hiddenSpikeRate(const Diagnosis &diagnosis) {
  double places = double(diagnosis.hiddenNeurons) * diagnosis.steps * double(diagnosis.samples);
  return places == 0 ? 0 : double(diagnosis.hiddenSpikes) / places;
}

/// What is wrong with a layer, empty when nothing.
static std::string faultOf(const DiagnosedLayer &layer, uint64_t samples) {
  if (layer.code != "rate" && layer.code != "first_spike")
    return fmt::format("layer {} has the code '{}', expected rate or first_spike", layer.name,
                       layer.code);
  for (auto [share, name] : {std::pair(layer.saturated, "saturated"), std::pair(layer.dead, "dead"),
                             std::pair(layer.deadInAnn, "dead_in_ann")})
    if (!(share >= 0 && share <= 1))
      return fmt::format("{} of layer {} is {}, expected a share of 0 to 1", name, layer.name,
                         share);
  if (layer.deadInAnn > layer.dead)
    return fmt::format("dead_in_ann of layer {} is {}, expected at most dead: {}", layer.name,
                       layer.deadInAnn, layer.dead);
  if (!(layer.rateError >= 0) || !std::isfinite(layer.rateError) ||
      !std::isfinite(layer.meanError) || !(layer.neuronSpikes >= 0))
    return fmt::format("layer {} has an error or a number of spikes that is none", layer.name);
  if (layer.twinCorrect > samples)
    return fmt::format("layer {} has {} right answers to {} samples", layer.name, layer.twinCorrect,
                       samples);
  return "";
}

static std::string faultOf(const Diagnosis &diagnosis) {
  for (uint64_t correct : {diagnosis.annCorrect, diagnosis.snnCorrect})
    if (correct > diagnosis.samples)
      return fmt::format("{} right answers to {} samples", correct, diagnosis.samples);
  for (const DiagnosedLayer &layer : diagnosis.layers)
    if (std::string fault = faultOf(layer, diagnosis.samples); !fault.empty())
      return fault;
  return "";
}

llvm::Error verify(const Diagnosis &diagnosis) {
  std::string fault = faultOf(diagnosis);
  return fault.empty() ? llvm::Error::success() : checkError("diagnosis", fault);
}

/// Of `diagnosis`, from whose counts the points follow.
static void describe(auto &file, MaybeConst<DiagnosedLayer> auto &layer,
                     const Diagnosis &diagnosis) {
  file.field("name", layer.name);
  file.field("code", layer.code);
  file.field("neurons", layer.neurons);
  file.field("rate_error", layer.rateError);
  file.field("mean_error", layer.meanError);
  file.field("saturated", layer.saturated);
  file.field("dead", layer.dead);
  file.field("dead_in_ann", layer.deadInAnn);
  file.field("spikes_per_neuron", layer.neuronSpikes);
  if (file.has("without_twin", !layer.withoutTwin.empty())) {
    file.field("without_twin", layer.withoutTwin);
  } else {
    file.field("twin_correct", layer.twinCorrect);
    file.derived("contribution_points", [&] { return contributionPoints(diagnosis, layer); });
  }
}

static void describe(auto &file, MaybeConst<Diagnosis> auto &diagnosis) {
  file.field("steps", diagnosis.steps);
  file.field("samples", diagnosis.samples);
  file.field("ann_correct", diagnosis.annCorrect);
  file.field("snn_correct", diagnosis.snnCorrect);
  file.derived("loss_points", [&] { return lossPoints(diagnosis); });
  file.group("hidden", [&](auto &hidden) {
    hidden.field("neurons", diagnosis.hiddenNeurons);
    hidden.field("spikes", diagnosis.hiddenSpikes);
    hidden.derived("spike_rate", [&] { return hiddenSpikeRate(diagnosis); });
    hidden.derived("break_even", [] { return kBreakEvenSpikeRate; });
    hidden.derived("is_below", [&] { return hiddenSpikeRate(diagnosis) < kBreakEvenSpikeRate; });
  });
  file.list("layers", diagnosis.layers,
            [&](auto &entry, auto &layer) { describe(entry, layer, diagnosis); });
}

llvm::Error writeDiagnosis(const std::string &path, const Diagnosis &diagnosis) {
  SPINDLE_RETURN_IF_ERROR(verify(diagnosis));
  return writeDescribed(path, kDiagnosisFormat, diagnosis);
}

llvm::Expected<Diagnosis> readDiagnosis(const std::string &path) {
  SPINDLE_ASSIGN(Diagnosis diagnosis, readDescribed<Diagnosis>(path, kDiagnosisFormat));
  if (std::string fault = faultOf(diagnosis); !fault.empty())
    return inputError(path, fault);
  return diagnosis;
}

} // namespace spindle
