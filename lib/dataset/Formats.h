// The readers behind loadDataset, one file each. Private to this folder.
#pragma once

#include "core/network/Samples.h"
#include "core/support/files/DataPath.h"
#include "lib/dataset/DatasetOptions.h"

#include <algorithm>

namespace spindle {

/// Samples as they are stored (bytes as 0..255), the first `source.limit` of them.
using FormatReader = llvm::Expected<Samples>(const DatasetOptions &options,
                                             const SampleSource &source, const PathResolver &paths);

FormatReader readIdx, readNpzImages, readImageFolder, readDigits, readCsv, readCifar, readEvents;

/// What is known of a source before its samples are read.
struct Inspected {
  std::vector<std::string> files;  // that are read
  std::optional<size_t> available; // samples, before limit and skip; none where only reading tells
  std::vector<int64_t> shape{};    // of a sample as stored; empty where only reading tells
};

/// Finds the files of a source and compares what their headers say: an error is that of reading.
using FormatInspector = llvm::Expected<Inspected>(const DatasetOptions &options,
                                                  const SampleSource &source,
                                                  const PathResolver &paths);

FormatInspector inspectIdx, inspectNpzImages, inspectImageFolder, inspectDigits, inspectCsv,
    inspectCifar, inspectEvents;

/// Samples of the IDX format with a reader that prepares them when they are asked for.
llvm::Expected<Samples> openIdx(const DatasetOptions &options, const SampleSource &source,
                                const PathResolver &paths);

/// The error of a source that leaves all of its `available` samples out.
llvm::Error checkSkip(const SampleSource &source, size_t available);

/// The source with a limit that counts the samples left out, too, as readers do.
inline SampleSource withSkipped(SampleSource source) {
  if (source.limit)
    source.limit = source.skip + std::min(*source.limit, INT64_MAX - source.skip);
  return source;
}

/// How many of `available` samples a source wants.
inline size_t wanted(const SampleSource &source, size_t available) {
  size_t limit = static_cast<size_t>(source.limit.value_or(INT64_MAX));
  return limit < available ? limit : available;
}

} // namespace spindle
