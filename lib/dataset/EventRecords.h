// The files of event recordings, one sample each, and their times in steps. Private to this folder.
#pragma once

#include "core/network/Samples.h"
#include "lib/dataset/DatasetOptions.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

/// One event of a sensor: when, and which element of the shape.
struct RecordedEvent {
  uint64_t timeUs;
  uint32_t element;

  bool operator==(const RecordedEvent &) const = default;
};

/// Five bytes per event, as N-MNIST stores them (Orchard et al. 2015): x, y, then 24 bits, of which
/// the first is the polarity (1: brighter) and the others are the time in microseconds.
llvm::Expected<std::vector<RecordedEvent>> parseFiveByteEvents(const std::string &place,
                                                               const std::string &bytes,
                                                               llvm::ArrayRef<int64_t> shape);

/// A line per event, `t_us,x,y,polarity` or `t_us,address`; `#` begins a comment, a first line of
/// words names the columns.
llvm::Expected<std::vector<RecordedEvent>>
parseEventList(const std::string &place, const std::string &text, llvm::ArrayRef<int64_t> shape);

/// Appends one sample: an event at t falls into step floor(t / bin); what comes after the last step
/// is dropped or put into it; `binary` keeps one event per element and step. Sorted.
void appendBinned(const DatasetOptions &options, llvm::ArrayRef<RecordedEvent> recorded,
                  EventSamples &samples);

} // namespace spindle
