#include "lib/dataset/EventRecords.h"

#include <algorithm>
#include <cmath>

namespace spindle {

void appendBinned(const DatasetOptions &options, llvm::ArrayRef<RecordedEvent> recorded,
                  EventSamples &samples) {
  auto &events = samples.events;
  auto first = static_cast<ptrdiff_t>(events.size());
  double binUs = options.binMs * 1000;
  auto last = static_cast<double>(options.steps - 1);
  for (const RecordedEvent &event : recorded) {
    double step = std::floor(static_cast<double>(event.timeUs) / binUs);
    if (step > last && options.lateEvents == LateEvents::Drop)
      continue;
    events.push_back({static_cast<uint32_t>(std::min(step, last)), event.element});
  }
  std::sort(events.begin() + first, events.end());
  if (options.binary)
    events.erase(std::unique(events.begin() + first, events.end()), events.end());
  samples.offsets.push_back(events.size());
}

} // namespace spindle
