// What a placed network is predicted to take on its chip.
#pragma once

#include "core/chip/ChipStats.h"
#include "core/support/Error.h"

namespace spindle {

struct Prediction {
  std::string chip;
  double cycles = 0;              // per sample, in the mean, barriers included
  double leastCycles = 0;         // likewise, wherever clusters are placed
  uint64_t steps = 0, worked = 0; // recorded; of them, those that were worked in detail
  std::vector<WaitCount> waits;   // of those
  bool operator==(const Prediction &) const = default;
};

/// JSON: `70-prediction.json`. Refuses a prediction of nothing.
llvm::Error writePrediction(const std::string &path, const Prediction &prediction);
llvm::Expected<Prediction> readPrediction(const std::string &path);

} // namespace spindle
