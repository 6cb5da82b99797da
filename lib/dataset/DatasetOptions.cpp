#include "lib/dataset/DatasetOptions.h"

#include "fmt/format.h"

namespace spindle {

namespace {

/// Digits of the calibration set must not be those of the test set.
constexpr int64_t calibrationSeed = 3;
constexpr int64_t calibrationDigits = 1000;

constexpr int64_t mostDigits = 1 << 20; // all of them are in memory

void readFormat(YamlReader &reader, DatasetFormat &format) {
  reader.readEnum("format", format, {"idx", "npz", "images", "digits", "csv", "cifar", "events"});
}

void readSource(YamlReader &reader, DatasetFormat format, SampleSource &source) {
  const char *file = format == DatasetFormat::Events ? "list" : "images";
  if (format == DatasetFormat::Digits) {
    reader.read("seed", source.seed, 0);
  } else {
    reader.require(file);
    reader.read(file, format == DatasetFormat::Events ? source.list : source.images);
  }
  if (format == DatasetFormat::Idx) {
    reader.require("labels");
    reader.read("labels", source.labels);
  }
  if (format == DatasetFormat::Cifar || format == DatasetFormat::Events)
    reader.read("archive", source.archive);
  int64_t most = format == DatasetFormat::Digits ? mostDigits : INT64_MAX;
  if (int64_t limit = 0; reader.has("limit")) {
    reader.read("limit", limit, 1, most);
    source.limit = limit;
  }
  reader.read("skip", source.skip, 0, most);
  source.place = reader.place(source.archive.empty() ? file : "archive");
}

void readShape(YamlReader &dataset, std::vector<int64_t> &shape) {
  dataset.read("shape", shape);
  if (dataset.has("shape") && shape.empty())
    dataset.fail("shape", "shape is an empty list, expected extents");
  for (int64_t extent : shape)
    if (extent < 1 || extent > 16384)
      dataset.fail("shape", fmt::format("shape holds {}, expected 1 to 16384", extent));
}

void readEventOptions(YamlReader &dataset, DatasetOptions &options) {
  options.shape = {2, 34, 34};
  readShape(dataset, options.shape);
  if (options.shape.size() > 3)
    dataset.fail("shape", fmt::format("shape has {} extents, expected one to three: channels, "
                                      "rows, columns",
                                      options.shape.size()));
  dataset.read("bin_ms", options.binMs, 1e-3, 1e6);
  dataset.require("steps");
  dataset.read("steps", options.steps, 1, int64_t{1} << 24);
  dataset.readEnum("late_events", options.lateEvents, {"drop", "last_step"});
  dataset.read("binary", options.binary);
}

void readResize(YamlReader reader, std::vector<int64_t> &size) {
  enum class Filter { Bilinear } filter = Filter::Bilinear;
  reader.readEnum("filter", filter, {"bilinear"});
  reader.require("size");
  reader.read("size", size);
  if (reader.has("size") && size.size() != 2)
    return reader.fail("size",
                       fmt::format("size has {} numbers, expected rows and columns", size.size()));
  for (int64_t extent : size)
    if (extent < 1 || extent > 4096)
      reader.fail("size", fmt::format("size holds {}, expected 1 to 4096", extent));
}

void readFormatKeys(YamlReader &reader, DatasetFormat format, DatasetOptions &options) {
  if (format == DatasetFormat::Npz) {
    reader.read("images_array", options.imagesArray);
    reader.read("labels_array", options.labelsArray);
    reader.readEnum("layout", options.layout, {"nchw", "nhwc"});
  }
  if (format == DatasetFormat::Csv) {
    readShape(reader, options.shape);
    reader.readEnum("label_column", options.labelColumn, {"last", "first"});
  }
}

/// Another format than that of the test set brings its own keys; what is said of the same format
/// holds for both sets.
void readCalibration(YamlReader section, DatasetOptions &options) {
  SampleSource &calibration = options.calibration.emplace();
  DatasetFormat format = options.format;
  readFormat(section, format);
  bool isEvents = options.format == DatasetFormat::Events;
  if ((format == DatasetFormat::Events) != isEvents)
    section.fail("format", isEvents ? "the test set has events, expected format events here, too"
                                    : "the test set has no events, expected none here either");
  calibration.seed = calibrationSeed;
  if (format == DatasetFormat::Digits)
    calibration.limit = calibrationDigits;
  readSource(section, format, calibration);
  if (format == options.format)
    return;
  calibration.format = format;
  readFormatKeys(section, format, options);
}

/// As the 32-bit number that samples are multiplied or divided by.
void checkPositive(YamlReader &dataset, const char *key, double value) {
  if (!(static_cast<float>(value) > 0))
    dataset.fail(key, fmt::format("{} is {}, expected more than 0", key, value));
}

void readPreparation(YamlReader &dataset, DatasetOptions &options) {
  if (dataset.has("resize"))
    readResize(dataset.section("resize"), options.resize);
  dataset.read("scale", options.scale);
  dataset.read("mean", options.mean);
  dataset.read("std", options.std);
  for (auto [key, values] : {std::pair{"mean", &options.mean}, {"std", &options.std}})
    if (values->empty())
      dataset.fail(key,
                   fmt::format("{} is an empty list, expected one value, or one per channel", key));
  for (double deviation : options.std)
    checkPositive(dataset, "std", deviation);
  checkPositive(dataset, "scale", options.scale);
  dataset.read("pad", options.pad, 0, 4096);
}

} // namespace

void readDatasetOptions(YamlReader &dataset, DatasetOptions &options) {
  options.place = dataset.place("");
  dataset.require("format");
  readFormat(dataset, options.format);
  readSource(dataset, options.format, options.test);
  readFormatKeys(dataset, options.format, options);
  if (dataset.has("calibration") || options.format == DatasetFormat::Digits)
    readCalibration(dataset.section("calibration"), options);
  if (options.format == DatasetFormat::Events) // nothing to resize or to scale
    return readEventOptions(dataset, options);
  readPreparation(dataset, options);
}

} // namespace spindle
