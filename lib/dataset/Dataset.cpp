#include "lib/dataset/Dataset.h"

#include "core/support/formats/Npz.h"
#include "lib/dataset/Formats.h"
#include "lib/dataset/Transforms.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

struct Format {
  FormatReader *read;
  FormatInspector *inspect;
};

/// In the order of DatasetFormat.
static constexpr Format formats[] = {
    {readIdx, inspectIdx},
    {readNpzImages, inspectNpzImages},
    {readImageFolder, inspectImageFolder},
    {readDigits, inspectDigits},
    {readCsv, inspectCsv},
    {readCifar, inspectCifar},
    {readEvents, inspectEvents},
};

static const Format &formatOf(const DatasetOptions &options, const SampleSource &source) {
  return formats[static_cast<size_t>(source.format.value_or(options.format))];
}

/// Takes the first `count` samples away.
static void dropFirst(Samples &samples, size_t count) {
  auto drop = static_cast<ptrdiff_t>(count);
  if (samples.events) {
    std::vector<uint64_t> &offsets = samples.events->offsets;
    uint64_t first = offsets[count];
    samples.events->events.erase(samples.events->events.begin(),
                                 samples.events->events.begin() + static_cast<ptrdiff_t>(first));
    offsets.erase(offsets.begin(), offsets.begin() + drop);
    for (uint64_t &offset : offsets)
      offset -= first;
  } else {
    auto values = static_cast<ptrdiff_t>(count * samples.size());
    samples.values.erase(samples.values.begin(), samples.values.begin() + values);
  }
  samples.labels.erase(samples.labels.begin(), samples.labels.begin() + drop);
}

llvm::Error checkSkip(const SampleSource &source, size_t available) {
  auto skip = static_cast<size_t>(source.skip);
  if (skip < available || skip == 0)
    return llvm::Error::success();
  return inputError(source.place,
                    fmt::format("skip is {}, the data set has only {} samples", skip, available));
}

static llvm::Expected<Samples> load(const DatasetOptions &options, const SampleSource &part,
                                    const PathResolver &paths) {
  SampleSource source = withSkipped(part);
  SPINDLE_ASSIGN(Samples samples, formatOf(options, source).read(options, source, paths));
  SPINDLE_RETURN_IF_ERROR(checkSkip(source, samples.count()));
  dropFirst(samples, static_cast<size_t>(source.skip));
  samples.place = source.place;
  if (samples.events)
    return samples;
  SPINDLE_RETURN_IF_ERROR(prepare(options, samples));
  if (samples.count() == 0 || samples.values.size() != samples.count() * samples.size())
    return checkError(source.place, "the samples read do not have the size of their shape");
  SPINDLE_RETURN_IF_ERROR(checkFinite(source.place, samples));
  return samples;
}

llvm::Expected<Samples> loadDataset(const DatasetOptions &options, const PathResolver &paths) {
  return load(options, options.test, paths);
}

llvm::Expected<Samples> openDataset(const DatasetOptions &options, const PathResolver &paths) {
  if (options.format != DatasetFormat::Idx)
    return loadDataset(options, paths);
  return openIdx(options, options.test, paths);
}

llvm::Error checkCalibration(const DatasetOptions &options) {
  if (options.calibration)
    return llvm::Error::success();
  return inputError(options.place, "key 'calibration' is missing in dataset: name images that "
                                   "are not the test images");
}

llvm::Expected<Samples> loadCalibration(const DatasetOptions &options, const PathResolver &paths) {
  SPINDLE_RETURN_IF_ERROR(checkCalibration(options));
  return load(options, *options.calibration, paths);
}

/// Whether two names, as the sections give them, are one file. An archive holds many.
static bool nameOneFile(const SampleSource &a, const SampleSource &b, const PathResolver &paths) {
  auto fileOf = [&](const SampleSource &source) {
    return paths.find(!source.archive.empty() ? source.archive
                      : !source.list.empty()  ? source.list
                                              : source.images,
                      source.place);
  };
  if (a.archive.empty() != b.archive.empty())
    return false;
  if (!a.archive.empty() && (a.images != b.images || a.list != b.list))
    return false;
  llvm::Expected<std::string> first = fileOf(a), second = fileOf(b);
  std::error_code status;
  bool isOne = first && second && std::filesystem::equivalent(*first, *second, status);
  for (llvm::Expected<std::string> *file : {&first, &second}) // not found: loading says so
    llvm::consumeError(file->takeError());
  return isOne;
}

std::optional<SharedSamples> sharedSamples(const DatasetOptions &options,
                                           const PathResolver &paths) {
  const std::optional<SampleSource> &calibration = options.calibration;
  if (!calibration || calibration->format.value_or(options.format) != options.format)
    return std::nullopt;
  bool isDrawn = options.format == DatasetFormat::Digits;
  if (isDrawn ? options.test.seed != calibration->seed
              : !nameOneFile(options.test, *calibration, paths))
    return std::nullopt;
  uint64_t first = 0, end = UINT64_MAX;
  for (const SampleSource &part : {options.test, *calibration}) {
    SampleSource source = withSkipped(part);
    llvm::Expected<Inspected> found = formatOf(options, source).inspect(options, source, paths);
    if (!found) {
      llvm::consumeError(found.takeError()); // said by loading
      return std::nullopt;
    }
    first = std::max(first, static_cast<uint64_t>(source.skip));
    if (source.limit)
      end = std::min(end, static_cast<uint64_t>(*source.limit));
    if (found->available)
      end = std::min<uint64_t>(end, *found->available);
  }
  if (first >= end)
    return std::nullopt;
  SharedSamples shared{isDrawn                                   ? "seed"
                       : options.format == DatasetFormat::Events ? "list"
                                                                 : "images",
                       first, std::nullopt};
  if (end != UINT64_MAX)
    shared.last = end - 1;
  return shared;
}

llvm::Expected<std::vector<std::string>> datasetFiles(const DatasetOptions &options,
                                                      const PathResolver &paths, DatasetPart part) {
  if (part == DatasetPart::Calibration)
    SPINDLE_RETURN_IF_ERROR(checkCalibration(options));
  SampleSource source =
      withSkipped(part == DatasetPart::Test ? options.test : *options.calibration);
  SPINDLE_ASSIGN(Inspected found, formatOf(options, source).inspect(options, source, paths));
  if (found.available)
    SPINDLE_RETURN_IF_ERROR(checkSkip(source, wanted(source, *found.available)));
  if (!found.shape.empty() && options.format != DatasetFormat::Events)
    SPINDLE_RETURN_IF_ERROR(checkPreparation(options, found.shape));
  std::sort(found.files.begin(), found.files.end());
  found.files.erase(std::unique(found.files.begin(), found.files.end()), found.files.end());
  return std::move(found.files);
}

llvm::Error checkDatasetHeaders(const DatasetOptions &options, const PathResolver &paths,
                                DatasetPart part) {
  return datasetFiles(options, paths, part).takeError();
}

/// Recordings as lists: a frame per step would be mostly zeros.
static llvm::Error writeEventsNpz(const std::string &path, const Samples &samples,
                                  const NpyArray &labels) {
  std::vector<int64_t> step, element;
  for (const InputEvent &event : samples.events->events) {
    step.push_back(event.step);
    element.push_back(event.element);
  }
  std::vector<int64_t> offsets(samples.events->offsets.begin(), samples.events->offsets.end());
  auto array = [](const std::vector<int64_t> &values) {
    return makeNpy({static_cast<int64_t>(values.size())}, values);
  };
  return writeNpz(path, {{"step", array(step)},
                         {"element", array(element)},
                         {"offsets", array(offsets)},
                         {"shape", array(samples.shape)},
                         {"y", labels}});
}

llvm::Error writeDatasetNpz(const std::string &path, const Samples &samples) {
  auto count = static_cast<int64_t>(samples.count());
  std::vector<int64_t> shape{count};
  shape.insert(shape.end(), samples.shape.begin(), samples.shape.end());
  std::vector<int64_t> labels(samples.labels.begin(), samples.labels.end());
  NpyArray classes = makeNpy({count}, labels);
  if (samples.events)
    return writeEventsNpz(path, samples, classes);
  return writeNpz(path, {{"x", makeNpy(shape, samples.values)}, {"y", classes}});
}

} // namespace spindle
