// The section `dataset` of a flow: which labelled inputs, and how they are prepared.
#pragma once

#include "core/support/formats/Yaml.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

enum class DatasetFormat {
  Idx,    // the MNIST format, gzipped or not
  Npz,    // two arrays of a NumPy archive
  Images, // a folder of PNG files per class
  Digits, // drawn by ourselves, from a seed
  Csv,    // a line of numbers per sample, the class index among them
  Cifar,  // the binary layout of CIFAR-10, gzipped, in an archive, or plain
  Events, // recordings of events, sorted into steps
};

enum class LabelColumn { Last, First };

/// Where files hold the channels of an image: first, as networks here take them, or last.
enum class SampleLayout { Nchw, Nhwc };

/// What becomes of events after the last step.
enum class LateEvents { Drop, LastStep };

/// One set of samples: the test set or the calibration set.
struct SampleSource {
  std::optional<DatasetFormat> format; // only of a calibration set that is not as the test set
  std::string images;                  // file; for `images` a folder; not for `digits` and `events`
  std::string labels;                  // file, only for `idx`
  std::string archive;          // tar or zip that holds `images` or `list`; empty: plain files
  std::string list;             // of recordings and their classes, only for `events`
  std::optional<int64_t> limit; // take the first samples only
  int64_t seed = 2;             // only for `digits`
  int64_t skip = 0;             // leave out so many samples first; `limit` counts those after them
  std::string place;            // file:line:column of `images` or `list`, for errors

  bool operator==(const SampleSource &) const = default;
};

/// Samples are read, then resized, scaled, normalised and padded, in this order.
struct DatasetOptions {
  DatasetFormat format = DatasetFormat::Idx;
  SampleSource test;
  std::optional<SampleSource> calibration;
  std::string imagesArray = "x", labelsArray = "y"; // only for `npz`
  std::vector<int64_t> shape;                       // only for `csv` and `events`; empty: a vector
  LabelColumn labelColumn = LabelColumn::Last;      // only for `csv`
  SampleLayout layout = SampleLayout::Nchw;         // only for `npz`
  double binMs = 1;                                 // only for `events`, as the three that follow
  int64_t steps = 0;
  LateEvents lateEvents = LateEvents::Drop;
  bool binary = false;         // several events in one step count as one
  std::vector<int64_t> resize; // rows, columns; empty: as they are
  double scale = 1;
  std::vector<double> mean{0}, std{1}; // one for all channels, or one per channel
  int64_t pad = 0;                     // zeros on each of the four sides
  std::string place;                   // of the section, for errors

  bool operator==(const DatasetOptions &) const = default;
};

/// Reads the section; errors are kept in the reader. Keys of other formats count as unknown.
void readDatasetOptions(YamlReader &dataset, DatasetOptions &options);

} // namespace spindle
