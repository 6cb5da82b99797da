#include "lib/dataset/DatasetOptions.h"

#include "fmt/format.h"

namespace spindle {

namespace {

/// Digits of the calibration set must not be those of the test set.
constexpr int64_t calibrationSeed = 3;
constexpr int64_t calibrationDigits = 1000;

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
  if (int64_t limit = 0; reader.has("limit")) {
    reader.read("limit", limit, 1);
    source.limit = limit;
  }
  reader.read("skip", source.skip, 0);
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

} // namespace

void readDatasetOptions(YamlReader &dataset, DatasetOptions &options) {
  options.place = dataset.place("");
  dataset.require("format");
  dataset.readEnum("format", options.format,
                   {"idx", "npz", "images", "digits", "csv", "cifar", "events"});
  readSource(dataset, options.format, options.test);
  if (options.format == DatasetFormat::Npz) {
    dataset.read("images_array", options.imagesArray);
    dataset.read("labels_array", options.labelsArray);
  }
  if (options.format == DatasetFormat::Csv) {
    readShape(dataset, options.shape);
    dataset.readEnum("label_column", options.labelColumn, {"last", "first"});
  }

  bool isDrawn = options.format == DatasetFormat::Digits;
  if (dataset.has("calibration") || isDrawn) {
    SampleSource calibration;
    calibration.seed = calibrationSeed;
    if (isDrawn)
      calibration.limit = calibrationDigits;
    YamlReader section = dataset.section("calibration");
    readSource(section, options.format, calibration);
    options.calibration = calibration;
  }

  if (options.format == DatasetFormat::Events) // nothing to resize or to scale
    return readEventOptions(dataset, options);
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
    if (!(deviation > 0))
      dataset.fail("std", fmt::format("std is {}, expected more than 0", deviation));
  dataset.read("pad", options.pad, 0, 4096);
}

} // namespace spindle
