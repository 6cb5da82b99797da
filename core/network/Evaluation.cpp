#include "core/network/Evaluation.h"

#include "core/network/HeldOutFile.h"
#include "core/network/PopulationFile.h"
#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"

namespace spindle {

static constexpr FileFormat kAnnFormat = {"spindle-ann", 1};
static constexpr FileFormat kConversionFormat = {"spindle-snn", 1};
static constexpr FileFormat kEmulationFormat = {"spindle-emulation", 1};

/// What is wrong with a confusion table, empty when nothing.
static std::string confusionProblem(const ConfusionTable &table, uint64_t samples,
                                    uint64_t correct) {
  uint64_t total = 0, diagonal = 0;
  for (size_t label = 0; label < table.size(); ++label) {
    if (table[label].size() != table[0].size())
      return fmt::format("the confusion table has {} answers for label {}, expected {}",
                         table[label].size(), label, table[0].size());
    for (uint64_t count : table[label])
      total += count;
    if (label < table[label].size())
      diagonal += table[label][label];
  }
  if (total != samples)
    return fmt::format("the confusion table counts {} samples, expected {}", total, samples);
  if (diagonal != correct)
    return fmt::format("the confusion table has {} right answers, expected {}", diagonal, correct);
  return "";
}

static std::string problemOf(const AnnEvaluation &evaluation) {
  return confusionProblem(evaluation.confusion, evaluation.samples, evaluation.correct);
}

static std::string problemOf(const EmulationSummary &summary) {
  bool labelled = !summary.correctByStep.empty() || !summary.confusion.empty();
  if (labelled && summary.correctByStep.size() != summary.steps)
    return fmt::format("{} counts of right answers for {} steps", summary.correctByStep.size(),
                       summary.steps);
  for (uint64_t correct : summary.correctByStep)
    if (correct > summary.samples)
      return fmt::format("{} right answers to {} samples", correct, summary.samples);
  if (summary.spikes.size() != summary.populations.size())
    return fmt::format("{} spike counts for {} populations", summary.spikes.size(),
                       summary.populations.size());
  if (std::string problem = populationProblem(summary.populations); !problem.empty())
    return problem;
  if (!labelled)
    return "";
  return confusionProblem(summary.confusion, summary.samples,
                          summary.steps == 0 ? 0 : summary.correctByStep.back());
}

static ConfusionTable confusionFromJson(const Json &rows) {
  ConfusionTable table;
  for (const Json &row : rows)
    table.push_back(unsignedList<uint64_t>(row));
  return table;
}

static llvm::Error toCheckError(const std::string &noun, const std::string &problem) {
  return problem.empty() ? llvm::Error::success() : checkError(noun, problem);
}

llvm::Error verify(const AnnEvaluation &evaluation) {
  return toCheckError("evaluation of the ANN", problemOf(evaluation));
}

llvm::Error verify(const EmulationSummary &summary) {
  return toCheckError("summary of the emulation", problemOf(summary));
}

llvm::Error writeAnnEvaluation(const std::string &path, const AnnEvaluation &evaluation) {
  SPINDLE_RETURN_IF_ERROR(verify(evaluation));
  Json json = jsonHeader(kAnnFormat);
  json["model"] = evaluation.model;
  json["source"] = evaluation.source;
  json["layers"] = evaluation.layers;
  json["parameters"] = evaluation.parameters;
  json["samples"] = evaluation.samples;
  json["correct"] = evaluation.correct;
  json["confusion"] = evaluation.confusion;
  return writeJson(path, json);
}

llvm::Expected<AnnEvaluation> readAnnEvaluation(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kAnnFormat));
  return parseJson<AnnEvaluation>(path, json, [&](const Json &j) -> llvm::Expected<AnnEvaluation> {
    AnnEvaluation evaluation;
    evaluation.model = textAt(j, "model");
    evaluation.source = textAt(j, "source");
    evaluation.layers = textsAt(j, "layers");
    evaluation.parameters = unsignedAt<uint64_t>(j, "parameters");
    evaluation.samples = unsignedAt<uint64_t>(j, "samples");
    evaluation.correct = unsignedAt<uint64_t>(j, "correct");
    evaluation.confusion = confusionFromJson(listAt(j, "confusion"));
    if (std::string problem = problemOf(evaluation); !problem.empty())
      return inputError(path, problem);
    return evaluation;
  });
}

llvm::Error writeConversionSummary(const std::string &path, const ConversionSummary &summary) {
  Json json = jsonHeader(kConversionFormat);
  json["method"] = summary.method;
  json["percentile"] = summary.percentile;
  json["steps"] = summary.steps;
  json["calibration_samples"] = summary.calibrationSamples;
  if (summary.heldOut)
    json["held_out"] = heldOutToJson(*summary.heldOut);
  json["layers"] = Json::array();
  for (const ConversionSummary::Layer &layer : summary.layers)
    json["layers"].push_back(
        {{"name", layer.name}, {"neuron", layer.neuron}, {"scale", layer.scale}});
  return writeJson(path, json);
}

llvm::Expected<ConversionSummary> readConversionSummary(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kConversionFormat));
  return parseJson<ConversionSummary>(path, json, [](const Json &j) {
    ConversionSummary summary;
    summary.method = textAt(j, "method");
    summary.percentile = numberAt(j, "percentile");
    summary.steps = unsignedAt<uint64_t>(j, "steps");
    summary.calibrationSamples = unsignedAt<uint64_t>(j, "calibration_samples");
    if (j.contains("held_out"))
      summary.heldOut = heldOutFromJson(memberAt(j, "held_out"));
    for (const Json &item : listAt(j, "layers"))
      summary.layers.push_back(
          {textAt(item, "name"), textAt(item, "neuron"), numbersAt(item, "scale")});
    return summary;
  });
}

llvm::Error writeEmulationSummary(const std::string &path, const EmulationSummary &summary) {
  SPINDLE_RETURN_IF_ERROR(verify(summary));
  Json json = jsonHeader(kEmulationFormat);
  json["engine"] = summary.engine;
  json["encoding"] = summary.encoding;
  json["steps"] = summary.steps;
  json["samples"] = summary.samples;
  json["correct_by_step"] = summary.correctByStep;
  json["confusion"] = summary.confusion;
  json["populations"] = populationsToJson(summary.populations);
  json["spikes"] = summary.spikes;
  json["synapses"] = summary.synapses;
  json["synaptic_events"] = summary.synapticEvents;
  json["timing"] = {{"seconds", summary.seconds},
                    {"threads", summary.threads},
                    {"peak_memory_bytes", summary.peakBytes}};
  return writeJson(path, json);
}

llvm::Expected<EmulationSummary> readEmulationSummary(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kEmulationFormat));
  auto parse = [&](const Json &j) -> llvm::Expected<EmulationSummary> {
    EmulationSummary summary;
    summary.engine = textAt(j, "engine");
    summary.encoding = textAt(j, "encoding");
    summary.steps = unsignedAt<uint32_t>(j, "steps");
    summary.samples = unsignedAt<uint64_t>(j, "samples");
    summary.correctByStep = unsignedListAt<uint64_t>(j, "correct_by_step");
    summary.confusion = confusionFromJson(listAt(j, "confusion"));
    SPINDLE_ASSIGN(summary.populations, populationsFromJson(path, listAt(j, "populations")));
    summary.spikes = unsignedListAt<uint64_t>(j, "spikes");
    summary.synapses = unsignedAt<uint64_t>(j, "synapses");
    summary.synapticEvents = unsignedAt<uint64_t>(j, "synaptic_events");
    const Json &timing = memberAt(j, "timing");
    summary.seconds = numberAt(timing, "seconds");
    summary.threads = unsignedAt<uint32_t>(timing, "threads");
    if (timing.contains("peak_memory_bytes"))
      summary.peakBytes = unsignedAt<uint64_t>(timing, "peak_memory_bytes");
    if (std::string problem = problemOf(summary); !problem.empty())
      return inputError(path, problem);
    return summary;
  };
  return parseJson<EmulationSummary>(path, json, parse);
}

} // namespace spindle
