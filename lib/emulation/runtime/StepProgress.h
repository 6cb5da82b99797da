// How far an emulation is, counted by the steps of its samples.
#pragma once

#include "lib/emulation/runtime/Batches.h"

#include <atomic>
#include <mutex>

namespace spindle {

/// Reports the samples that the steps done so far are worth, or the steps themselves where there is
/// only one sample: none in the beginning, then about a thousand times, at last all.
class StepProgress {
public:
  StepProgress(uint64_t samples, uint64_t steps, const Progress &callback);

  void begin() const;

  /// Any thread may call it after any number of steps of any samples together.
  void add(uint64_t sampleSteps);

private:
  void report(uint64_t done) const;

  const Progress &progress;
  uint64_t samples, steps, all;
  std::atomic<uint64_t> sum = 0, next = 0; // done, and to be done before the next report
  std::mutex mutex;
};

} // namespace spindle
