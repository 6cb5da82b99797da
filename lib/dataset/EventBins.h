// From recorded times to steps. Private to this folder.
#pragma once

#include "core/network/Samples.h"
#include "lib/dataset/DatasetOptions.h"
#include "lib/dataset/EventRecords.h"

namespace spindle {

/// Appends one sample: an event at t falls into step floor(t / bin); what comes after the last step
/// is dropped or put into it; `binary` keeps one event per element and step. Sorted.
void appendBinned(const DatasetOptions &options, llvm::ArrayRef<RecordedEvent> recorded,
                  EventSamples &samples);

} // namespace spindle
