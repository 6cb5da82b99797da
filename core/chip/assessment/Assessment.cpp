#include "core/chip/assessment/Assessment.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

static constexpr FileFormat kAssessmentFormat = {"spindle-assessment", 1};

double lossPoints(const Assessment &assessment, uint64_t correct) {
  return assessment.samples == 0 ? 0
                                 : 100 * (double(assessment.idealCorrect) - double(correct)) /
                                       double(assessment.samples);
}

std::optional<size_t> kneeOf(const Assessment &assessment) {
  std::optional<size_t> knee;
  for (size_t p = assessment.delivered.size(); p-- > 0; knee = p)
    if (lossPoints(assessment, assessment.delivered[p].correct) > kKneePoints)
      break;
  return knee;
}

AccuracySpread spreadOf(const Assessment &assessment, const DevicePoint &point) {
  AccuracySpread spread;
  auto percent = [&](uint64_t correct) {
    return 100 * double(correct) / double(std::max<uint64_t>(1, assessment.samples));
  };
  auto seeds = double(point.correct.size());
  for (uint64_t correct : point.correct)
    spread.mean += percent(correct) / seeds;
  for (uint64_t correct : point.correct)
    spread.deviation += std::pow(percent(correct) - spread.mean, 2);
  spread.deviation = seeds > 1 ? std::sqrt(spread.deviation / (seeds - 1)) : 0;
  return spread;
}

double sameShare(const Assessment &assessment, const DevicePoint &point) {
  uint64_t same = 0;
  for (uint64_t samples : point.sameSpikes)
    same += samples;
  uint64_t all = assessment.samples * point.sameSpikes.size();
  return all == 0 ? 0 : double(same) / double(all);
}

static std::string faultOf(const DeliveryCounts &count, const std::string &population) {
  bool isFine = count.lostSpikes <= count.lateSpikes && count.lateSpikes <= count.spikes &&
                count.lostSums <= count.lateSums && count.lateSums <= count.sums;
  return isFine ? ""
                : fmt::format("{} has more lost spikes than late ones, or more late ones than "
                              "spikes",
                              population);
}

static std::string faultOf(const DevicePoint &point, uint64_t samples) {
  if (!(point.variation >= 0) || !std::isfinite(point.variation))
    return fmt::format("a variation of {}, expected at least 0", point.variation);
  if (point.correct.empty() || point.sameSpikes.size() != point.correct.size())
    return fmt::format("a device with {} seeds and spikes of {}, expected as many, at least one",
                       point.correct.size(), point.sameSpikes.size());
  for (uint64_t same : point.sameSpikes)
    if (same > samples)
      return fmt::format("{} of {} samples spike as they do ideally", same, samples);
  for (uint64_t correct : point.correct)
    if (correct > samples)
      return fmt::format("{} right answers to {} samples", correct, samples);
  return "";
}

static std::string faultOf(const Assessment &assessment) {
  if (assessment.idealCorrect > assessment.samples)
    return fmt::format("{} right answers to {} samples", assessment.idealCorrect,
                       assessment.samples);
  double before = 0;
  for (const DeliveredPoint &point : assessment.delivered) {
    if (!(point.stepUs > before) || !std::isfinite(point.stepUs))
      return fmt::format("a step of {} µs after one of {} µs, expected longer ones", point.stepUs,
                         before);
    before = point.stepUs;
    if (point.correct > assessment.samples)
      return fmt::format("{} right answers to {} samples", point.correct, assessment.samples);
    if (point.populations.size() != assessment.populations.size())
      return fmt::format("counts of {} populations, expected {}", point.populations.size(),
                         assessment.populations.size());
    for (size_t p = 0; p < point.populations.size(); ++p)
      if (std::string fault = faultOf(point.populations[p], assessment.populations[p]);
          !fault.empty())
        return fault;
  }
  for (const DevicePoint &point : assessment.devices)
    if (std::string fault = faultOf(point, assessment.samples); !fault.empty())
      return fault;
  return "";
}

llvm::Error verify(const Assessment &assessment) {
  std::string fault = faultOf(assessment);
  return fault.empty() ? llvm::Error::success() : checkError("assessment", fault);
}

static void describe(auto &file, MaybeConst<DeliveryCounts> auto &count) {
  file.entries(count.spikes, count.lateSpikes, count.lostSpikes, count.sums, count.lateSums,
               count.lostSums);
}

static void describe(auto &file, MaybeConst<Assessment> auto &assessment) {
  file.field("chip", assessment.chip);
  file.field("steps", assessment.steps);
  file.field("samples", assessment.samples);
  file.field("ideal_correct", assessment.idealCorrect);
  file.field("late", wordOf(assessment.late, kLateSpikesNames, "next or drop"));
  file.field("populations", assessment.populations);
  file.list("delivered", assessment.delivered, [&](auto &entry, auto &point) {
    entry.field("step_us", point.stepUs);
    entry.field("correct", point.correct);
    entry.derived("loss_points", [&] { return lossPoints(assessment, point.correct); });
    entry.list("counts", point.populations, [](auto &each, auto &count) { describe(each, count); });
  });
  file.list("devices", assessment.devices, [&](auto &entry, auto &point) {
    entry.field("variation", point.variation);
    entry.field("adc_bits", point.adcBits);
    entry.field("correct", point.correct);
    entry.field("same_spikes", point.sameSpikes);
    entry.derived("mean_accuracy", [&] { return spreadOf(assessment, point).mean / 100; });
    entry.derived("deviation_points", [&] { return spreadOf(assessment, point).deviation; });
  });
}

llvm::Error writeAssessment(const std::string &path, const Assessment &assessment) {
  SPINDLE_RETURN_IF_ERROR(verify(assessment));
  return writeDescribed(path, kAssessmentFormat, assessment);
}

llvm::Expected<Assessment> readAssessment(const std::string &path) {
  SPINDLE_ASSIGN(Assessment assessment, readDescribed<Assessment>(path, kAssessmentFormat));
  if (std::string fault = faultOf(assessment); !fault.empty())
    return inputError(path, fault);
  return assessment;
}

} // namespace spindle
