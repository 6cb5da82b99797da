#include "core/chip/Prediction.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

namespace spindle {

namespace {
constexpr FileFormat kPredictionFormat = {"spindle-prediction", 1};
}

static void describe(auto &file, MaybeConst<Prediction> auto &prediction) {
  file.field("chip", prediction.chip);
  file.field("cycles_per_sample", prediction.cycles);
  file.field("least_cycles_per_sample", prediction.leastCycles);
  file.field("steps", prediction.steps);
  file.field("steps_in_detail", prediction.worked);
  file.list("waits", prediction.waits, [](auto &entry, auto &wait) {
    entry.field("part", wait.part);
    entry.field("slots", wait.slots);
  });
}

llvm::Error writePrediction(const std::string &path, const Prediction &prediction) {
  return writeDescribed(path, kPredictionFormat, prediction);
}

llvm::Expected<Prediction> readPrediction(const std::string &path) {
  SPINDLE_ASSIGN(Prediction prediction, readDescribed<Prediction>(path, kPredictionFormat));
  if (prediction.worked == 0 || prediction.worked > prediction.steps)
    return inputError(path,
                      fmt::format("not a valid prediction: made from {} of {} steps, expected "
                                  "at least one and no more than there are",
                                  prediction.worked, prediction.steps));
  if (!(prediction.cycles >= 0) || !(prediction.leastCycles >= 0))
    return inputError(path, fmt::format("not a valid prediction: {} cycles per sample and at least "
                                        "{}, expected neither below zero",
                                        prediction.cycles, prediction.leastCycles));
  return prediction;
}

} // namespace spindle
