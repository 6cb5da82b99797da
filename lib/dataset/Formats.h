// The readers behind loadDataset, one file each. Private to this folder.
#pragma once

#include "lib/core/Samples.h"
#include "lib/dataset/DatasetOptions.h"
#include "lib/support/DataPath.h"

namespace spindle {

/// Samples as they are stored (bytes as 0..255), the first `source.limit` of them.
using FormatReader = llvm::Expected<Samples>(const DatasetOptions &options,
                                             const SampleSource &source, const PathResolver &paths);

FormatReader readIdx, readNpzImages, readImageFolder, readDigits, readCsv, readCifar, readEvents;

/// Samples of the IDX format with a reader that prepares them when they are asked for.
llvm::Expected<Samples> openIdx(const DatasetOptions &options, const SampleSource &source,
                                const PathResolver &paths);

/// The error of a source that leaves all of its `available` samples out.
llvm::Error checkSkip(const SampleSource &source, size_t available);

/// How many of `available` samples a source wants.
inline size_t wanted(const SampleSource &source, size_t available) {
  size_t limit = static_cast<size_t>(source.limit.value_or(INT64_MAX));
  return limit < available ? limit : available;
}

} // namespace spindle
