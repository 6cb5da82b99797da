// Two arrays of a NumPy archive: samples × shape, and one class index per sample.
#include "core/support/formats/Npz.h"
#include "lib/dataset/Formats.h"
#include "lib/dataset/Transforms.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

namespace {

/// Where the samples are, and what the headers say of them.
struct NpzPair {
  std::string file;
  std::vector<int64_t> shape; // of one sample
  size_t samples;
  bool channelsLast = false;

  /// The shape that the samples have after reading.
  std::vector<int64_t> readShape() const {
    return channelsLast ? std::vector{shape[2], shape[0], shape[1]} : shape;
  }
};

/// Arrays beside the two may be of any shape, since they are not read.
llvm::Expected<NpyHeader> headerOf(const std::string &file, const std::string &name,
                                   const char *key, const std::vector<NpzEntry> &entries) {
  std::vector<std::string> names;
  for (const NpzEntry &entry : entries) {
    if (entry.name == name)
      return entry.header;
    names.push_back(entry.name);
  }
  return inputError(file, fmt::format("array '{}' is absent, there are: {}; name it by {}", name,
                                      fmt::join(names, ", "), key));
}

llvm::Expected<NpzPair> openArrays(const DatasetOptions &options, const SampleSource &source,
                                   const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string file, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::vector<NpzEntry> entries, readNpzHeaders(file));
  SPINDLE_ASSIGN(NpyHeader images, headerOf(file, options.imagesArray, "images_array", entries));
  SPINDLE_ASSIGN(NpyHeader labels, headerOf(file, options.labelsArray, "labels_array", entries));
  if (images.shape.size() < 2 || *images.count() == 0)
    return inputError(file, fmt::format("array '{}' has the shape ({}), expected samples and their "
                                        "extents",
                                        options.imagesArray, fmt::join(images.shape, ", ")));
  if (!isInteger(labels.type) || labels.shape != std::vector<int64_t>{images.shape[0]})
    return inputError(file, fmt::format("array '{}' is not one class index for each of the {} "
                                        "samples",
                                        options.labelsArray, images.shape[0]));
  NpzPair pair{
      file, {images.shape.begin() + 1, images.shape.end()}, static_cast<size_t>(images.shape[0])};
  if (options.layout == SampleLayout::Nhwc && pair.shape.size() != 2 && pair.shape.size() != 3)
    return inputError(file,
                      fmt::format("layout is nhwc, but array '{}' has the shape ({}), expected "
                                  "samples, rows, columns and channels",
                                  options.imagesArray, fmt::join(images.shape, ", ")));
  pair.channelsLast = options.layout == SampleLayout::Nhwc && pair.shape.size() == 3;
  if (pair.shape.size() == 2) // grey images without a channel
    pair.shape.insert(pair.shape.begin(), 1);
  return pair;
}

} // namespace

llvm::Expected<Inspected> inspectNpzImages(const DatasetOptions &options,
                                           const SampleSource &source, const PathResolver &paths) {
  SPINDLE_ASSIGN(NpzPair pair, openArrays(options, source, paths));
  return Inspected{{pair.file}, pair.samples, pair.readShape()};
}

llvm::Expected<Samples> readNpzImages(const DatasetOptions &options, const SampleSource &source,
                                      const PathResolver &paths) {
  SPINDLE_ASSIGN(NpzPair pair, openArrays(options, source, paths));
  size_t count = wanted(source, pair.samples);
  SPINDLE_ASSIGN(NpyArray images, readNpzRows(pair.file, options.imagesArray, count));
  SPINDLE_ASSIGN(NpyArray labels, readNpzRows(pair.file, options.labelsArray, count));
  Samples samples{pair.shape, images.floats(), {}};
  samples.values.resize(count * samples.size()); // column-major arrays are read whole
  if (pair.channelsLast)
    putChannelsFirst(samples);
  std::vector<int64_t> classes = labels.integers();
  for (size_t i = 0; i < count; ++i) {
    if (classes[i] < 0 || classes[i] > UINT32_MAX)
      return inputError(pair.file, fmt::format("array '{}' holds {}, expected class indices from 0",
                                               options.labelsArray, classes[i]));
    samples.labels.push_back(static_cast<uint32_t>(classes[i]));
  }
  return samples;
}

} // namespace spindle
