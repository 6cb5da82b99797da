#include "lib/emulation/runtime/StepProgress.h"

#include <algorithm>

namespace spindle {

StepProgress::StepProgress(uint64_t sampleCount, uint64_t stepCount, const Progress &callback)
    : progress(callback), samples(sampleCount), steps(stepCount), all(sampleCount * stepCount) {
  next = progress ? std::max<uint64_t>(all / 1024, 1) : UINT64_MAX;
}

void StepProgress::begin() const {
  if (progress)
    report(0);
}

void StepProgress::report(uint64_t done) const {
  if (samples == 1)
    progress(done, steps);
  else
    progress(done / steps, samples);
}

void StepProgress::add(uint64_t sampleSteps) {
  if (sum.fetch_add(sampleSteps) + sampleSteps < next)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t done = sum; // other threads may have added to it
  if (done < next)
    return;
  next = done == all ? UINT64_MAX : std::min(all, done + std::max<uint64_t>(all / 1024, 1));
  report(done);
}

} // namespace spindle
