// Labelled samples, ready to be fed to a network.
#pragma once

#include "lib/core/Samples.h"
#include "lib/dataset/DatasetOptions.h"
#include "lib/support/DataPath.h"

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

/// Arrays `x` (samples × shape, float) and `y` (class indices), which format `npz` reads.
/// Recordings: `step`, `element` of all events, `offsets` (where samples begin), `shape` of a step.
llvm::Error writeDatasetNpz(const std::string &path, const Samples &samples);

} // namespace spindle
