#include "core/network/Diagnosis.h"

#include "core/support/formats/JsonValues.h"

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
static std::string problemOf(const DiagnosedLayer &layer, uint64_t samples) {
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

static std::string problemOf(const Diagnosis &diagnosis) {
  for (uint64_t correct : {diagnosis.annCorrect, diagnosis.snnCorrect})
    if (correct > diagnosis.samples)
      return fmt::format("{} right answers to {} samples", correct, diagnosis.samples);
  for (const DiagnosedLayer &layer : diagnosis.layers)
    if (std::string problem = problemOf(layer, diagnosis.samples); !problem.empty())
      return problem;
  return "";
}

llvm::Error verify(const Diagnosis &diagnosis) {
  std::string problem = problemOf(diagnosis);
  return problem.empty() ? llvm::Error::success() : checkError("diagnosis", problem);
}

static Json layerToJson(const Diagnosis &diagnosis, const DiagnosedLayer &layer) {
  Json json = {{"name", layer.name},
               {"code", layer.code},
               {"neurons", layer.neurons},
               {"rate_error", layer.rateError},
               {"mean_error", layer.meanError},
               {"saturated", layer.saturated},
               {"dead", layer.dead},
               {"dead_in_ann", layer.deadInAnn},
               {"spikes_per_neuron", layer.neuronSpikes}};
  if (std::optional<double> points = contributionPoints(diagnosis, layer)) {
    json["twin_correct"] = layer.twinCorrect;
    json["contribution_points"] = *points;
  } else {
    json["without_twin"] = layer.withoutTwin;
  }
  return json;
}

static DiagnosedLayer layerFromJson(const Json &json) {
  DiagnosedLayer layer;
  layer.name = textAt(json, "name");
  layer.code = textAt(json, "code");
  layer.neurons = unsignedAt<uint32_t>(json, "neurons");
  layer.rateError = numberAt(json, "rate_error");
  layer.meanError = numberAt(json, "mean_error");
  layer.saturated = numberAt(json, "saturated");
  layer.dead = numberAt(json, "dead");
  layer.deadInAnn = numberAt(json, "dead_in_ann");
  layer.neuronSpikes = numberAt(json, "spikes_per_neuron");
  if (json.contains("without_twin"))
    layer.withoutTwin = textAt(json, "without_twin");
  else
    layer.twinCorrect = unsignedAt<uint64_t>(json, "twin_correct");
  return layer;
}

llvm::Error writeDiagnosis(const std::string &path, const Diagnosis &diagnosis) {
  SPINDLE_RETURN_IF_ERROR(verify(diagnosis));
  Json json = jsonHeader(kDiagnosisFormat);
  json["steps"] = diagnosis.steps;
  json["samples"] = diagnosis.samples;
  json["ann_correct"] = diagnosis.annCorrect;
  json["snn_correct"] = diagnosis.snnCorrect;
  json["loss_points"] = lossPoints(diagnosis);
  double rate = hiddenSpikeRate(diagnosis);
  json["hidden"] = {{"neurons", diagnosis.hiddenNeurons},
                    {"spikes", diagnosis.hiddenSpikes},
                    {"spike_rate", rate},
                    {"break_even", kBreakEvenSpikeRate},
                    {"is_below", rate < kBreakEvenSpikeRate}};
  json["layers"] = Json::array();
  for (const DiagnosedLayer &layer : diagnosis.layers)
    json["layers"].push_back(layerToJson(diagnosis, layer));
  return writeJson(path, json);
}

llvm::Expected<Diagnosis> readDiagnosis(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kDiagnosisFormat));
  return parseJson<Diagnosis>(path, json, [&](const Json &j) -> llvm::Expected<Diagnosis> {
    Diagnosis diagnosis;
    diagnosis.steps = unsignedAt<uint32_t>(j, "steps");
    diagnosis.samples = unsignedAt<uint64_t>(j, "samples");
    diagnosis.annCorrect = unsignedAt<uint64_t>(j, "ann_correct");
    diagnosis.snnCorrect = unsignedAt<uint64_t>(j, "snn_correct");
    diagnosis.hiddenNeurons = unsignedAt<uint64_t>(memberAt(j, "hidden"), "neurons");
    diagnosis.hiddenSpikes = unsignedAt<uint64_t>(memberAt(j, "hidden"), "spikes");
    for (const Json &layer : listAt(j, "layers"))
      diagnosis.layers.push_back(layerFromJson(layer));
    if (std::string problem = problemOf(diagnosis); !problem.empty())
      return inputError(path, problem);
    return diagnosis;
  });
}

} // namespace spindle
