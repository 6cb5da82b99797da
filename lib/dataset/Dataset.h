// Labelled samples, ready to be fed to a network.
#pragma once

#include "core/network/Samples.h"
#include "core/support/files/DataPath.h"
#include "lib/dataset/DatasetOptions.h"

namespace spindle {

/// The test set, prepared. Files are looked for with `paths`.
llvm::Expected<Samples> loadDataset(const DatasetOptions &options, const PathResolver &paths);

/// The same samples as loadDataset, but those of format idx are read in passing when they are asked
/// for: memory does not grow with their number. Damaged files are refused here already.
llvm::Expected<Samples> openDataset(const DatasetOptions &options, const PathResolver &paths);

/// The calibration set, prepared alike; an error where the options have none.
llvm::Expected<Samples> loadCalibration(const DatasetOptions &options, const PathResolver &paths);

/// The error of `loadCalibration` where the options have no calibration set, without loading any.
llvm::Error checkCalibration(const DatasetOptions &options);

/// Samples that belong to the test set and to the calibration set.
struct SharedSamples {
  std::string key;              // of both sections, under which they name the same: `images`, …
  uint64_t first = 0;           // counted as the files hold them
  std::optional<uint64_t> last; // none where only loading tells
};

/// What both sets take from one file, or draw from one seed; nothing where a file is not found.
/// Files count as the same by name, not by content.
std::optional<SharedSamples> sharedSamples(const DatasetOptions &options,
                                           const PathResolver &paths);

/// The set that the network is tested with, or that its conversion is fitted to.
enum class DatasetPart { Test, Calibration };

/// The files that a part reads, sorted, each once: those that exist and whose headers agree with
/// each other and with the options. It costs no more than the headers; the errors are those of
/// loading. What headers do not say, such as damage further on, only loading finds.
llvm::Expected<std::vector<std::string>> datasetFiles(const DatasetOptions &options,
                                                      const PathResolver &paths, DatasetPart part);

/// The same check, without the files.
llvm::Error checkDatasetHeaders(const DatasetOptions &options, const PathResolver &paths,
                                DatasetPart part);

/// Arrays `x` (samples × shape, float) and `y` (class indices), which format `npz` reads.
/// Recordings: `step`, `element` of all events, `offsets` (where samples begin), `shape` of a step.
llvm::Error writeDatasetNpz(const std::string &path, const Samples &samples);

} // namespace spindle
