#include "core/network/Evaluation.h"

#include "core/network/HeldOutFile.h"
#include "core/network/PopulationFile.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

namespace spindle {

static constexpr FileFormat kAnnFormat = {"spindle-ann", 1};
static constexpr FileFormat kConversionFormat = {"spindle-snn", 1};
static constexpr FileFormat kEmulationFormat = {"spindle-emulation", 1};

/// What is wrong with a confusion table, empty when nothing.
static std::string confusionFault(const ConfusionTable &table, uint64_t samples, uint64_t correct) {
  if (table.empty())
    return correct <= samples ? ""
                              : fmt::format("{} right answers to {} samples", correct, samples);
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

static std::string faultOf(const AnnEvaluation &evaluation) {
  return confusionFault(evaluation.confusion, evaluation.samples, evaluation.correct);
}

static std::string faultOf(const EmulationSummary &summary) {
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
  if (std::string fault = populationFault(summary.populations); !fault.empty())
    return fault;
  if (!labelled)
    return "";
  return confusionFault(summary.confusion, summary.samples,
                        summary.steps == 0 ? 0 : summary.correctByStep.back());
}

static llvm::Error toCheckError(const std::string &noun, const std::string &fault) {
  return fault.empty() ? llvm::Error::success() : checkError(noun, fault);
}

llvm::Error verify(const AnnEvaluation &evaluation) {
  return toCheckError("evaluation of the ANN", faultOf(evaluation));
}

llvm::Error verify(const EmulationSummary &summary) {
  return toCheckError("summary of the emulation", faultOf(summary));
}

static void describe(auto &file, MaybeConst<AnnEvaluation> auto &evaluation) {
  file.field("model", evaluation.model);
  file.field("source", evaluation.source);
  file.field("layers", evaluation.layers);
  file.field("parameters", evaluation.parameters);
  file.field("samples", evaluation.samples);
  file.field("correct", evaluation.correct);
  file.field("confusion", evaluation.confusion);
}

static void describe(auto &file, MaybeConst<ConversionSummary::Layer> auto &layer) {
  file.field("name", layer.name);
  file.field("neuron", layer.neuron);
  file.field("scale", layer.scale);
}

static void describe(auto &file, MaybeConst<ConversionSummary::Kernel> auto &kernel) {
  file.field("name", kernel.name);
  file.field("lanes", kernel.lanes);
  file.require("lanes", kernel.lanes >= 1, "at least 1");
  file.field("inputs", kernel.inputs);
  file.require("inputs", kernel.inputs >= 1, "at least 1");
}

static void describe(auto &file, MaybeConst<ConversionSummary> auto &summary) {
  file.field("method", summary.method);
  file.field("percentile", summary.percentile);
  file.field("steps", summary.steps);
  file.field("calibration_samples", summary.calibrationSamples);
  file.optional("held_out", summary.heldOut);
  file.fieldUnless("kernels", summary.kernels, {});
  file.field("layers", summary.layers);
}

static void describe(auto &file, MaybeConst<EmulationSummary> auto &summary) {
  file.field("engine", summary.engine);
  file.field("encoding", summary.encoding);
  file.field("steps", summary.steps);
  file.field("samples", summary.samples);
  file.field("correct_by_step", summary.correctByStep);
  file.field("confusion", summary.confusion);
  file.field("populations", summary.populations);
  file.field("spikes", summary.spikes);
  file.field("synapses", summary.synapses);
  file.field("synaptic_events", summary.synapticEvents);
  file.group("timing", [&](auto &timing) {
    timing.field("seconds", summary.seconds);
    timing.field("threads", summary.threads);
    timing.fieldOr("peak_memory_bytes", summary.peakBytes, 0);
  });
}

llvm::Error writeAnnEvaluation(const std::string &path, const AnnEvaluation &evaluation) {
  SPINDLE_RETURN_IF_ERROR(verify(evaluation));
  return writeDescribed(path, kAnnFormat, evaluation);
}

llvm::Expected<AnnEvaluation> readAnnEvaluation(const std::string &path) {
  SPINDLE_ASSIGN(AnnEvaluation evaluation, readDescribed<AnnEvaluation>(path, kAnnFormat));
  if (std::string fault = faultOf(evaluation); !fault.empty())
    return inputError(path, fault);
  return evaluation;
}

llvm::Error writeConversionSummary(const std::string &path, const ConversionSummary &summary) {
  return writeDescribed(path, kConversionFormat, summary);
}

llvm::Expected<ConversionSummary> readConversionSummary(const std::string &path) {
  return readDescribed<ConversionSummary>(path, kConversionFormat);
}

llvm::Error writeEmulationSummary(const std::string &path, const EmulationSummary &summary) {
  SPINDLE_RETURN_IF_ERROR(verify(summary));
  return writeDescribed(path, kEmulationFormat, summary);
}

llvm::Expected<EmulationSummary> readEmulationSummary(const std::string &path) {
  SPINDLE_ASSIGN(EmulationSummary summary, readDescribed<EmulationSummary>(path, kEmulationFormat));
  SPINDLE_RETURN_IF_ERROR(numberPopulations(path, summary.populations));
  if (std::string fault = faultOf(summary); !fault.empty())
    return inputError(path, fault);
  return summary;
}

} // namespace spindle
