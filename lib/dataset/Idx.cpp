// Images and labels of the IDX format: all at once, or in passing.
#include "lib/dataset/Formats.h"
#include "lib/dataset/IdxFile.h"
#include "lib/dataset/Transforms.h"

#include "fmt/format.h"

#include <algorithm>
#include <mutex>

namespace spindle {

namespace {

struct IdxPair {
  IdxFile images;
  std::vector<uint32_t> labels; // of the first ones that the source wants
};

std::vector<int64_t> shapeOf(const IdxFile &images) {
  return {1, images.shape()[1], images.shape()[2]};
}

struct IdxFiles {
  IdxFile images, labels;
};

/// Both files, their headers compared.
llvm::Expected<IdxFiles> openFiles(const SampleSource &source, const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string imagesFile, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::string labelsFile, paths.find(source.labels, source.place));
  SPINDLE_ASSIGN(IdxFile images, IdxFile::open(imagesFile, IdxFile::kImages));
  SPINDLE_ASSIGN(IdxFile labels, IdxFile::open(labelsFile, IdxFile::kLabels));
  if (images.items() == 0)
    return inputError(imagesFile, "holds no images");
  if (images.items() != labels.items())
    return inputError(labelsFile, fmt::format("holds {} labels for the {} images of {}",
                                              labels.items(), images.items(), imagesFile));
  return IdxFiles{std::move(images), std::move(labels)};
}

llvm::Expected<IdxPair> openPair(const SampleSource &source, const PathResolver &paths) {
  SPINDLE_ASSIGN(IdxFiles files, openFiles(source, paths));
  SPINDLE_RETURN_IF_ERROR(files.images.checkAll());
  SPINDLE_RETURN_IF_ERROR(files.labels.checkAll());
  std::vector<uint8_t> classes(wanted(source, files.images.items()));
  SPINDLE_RETURN_IF_ERROR(files.labels.read(classes.size(), classes.data()));
  return IdxPair{std::move(files.images), {classes.begin(), classes.end()}};
}

/// Prepares images when they are asked for. Threads take them nearly in order: the last images
/// read are kept for those that come a little late.
class IdxReader : public SampleReader {
public:
  IdxReader(IdxPair pair, const DatasetOptions &given, std::string where, size_t firstImage)
      : images(std::move(pair.images)), shape(shapeOf(images)), options(given),
        place(std::move(where)), skip(firstImage),
        kept(std::clamp<size_t>(kKeptBytes / images.itemSize(), 1, 1024)),
        ring(kept * images.itemSize()) {}

  /// A few samples as the network sees them, numbered from the first that is not left out.
  llvm::Expected<Samples> prepared(size_t first, size_t count) {
    Samples samples{shape, {}, std::vector<uint32_t>(count)};
    samples.values.reserve(count * samples.size());
    SPINDLE_RETURN_IF_ERROR(appendPixels(skip + first, count, samples.values));
    SPINDLE_RETURN_IF_ERROR(prepare(options, samples));
    SPINDLE_RETURN_IF_ERROR(checkFinite(place, samples, first));
    return samples;
  }

  llvm::Error read(size_t first, size_t count, float *values) override {
    SPINDLE_ASSIGN(Samples samples, prepared(first, count));
    std::copy(samples.values.begin(), samples.values.end(), values);
    return llvm::Error::success();
  }

private:
  llvm::Error appendPixels(size_t first, size_t count, std::vector<float> &values) {
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t image = first; image < first + count; ++image) {
      if (image < oldest || image > next + kept) {
        SPINDLE_RETURN_IF_ERROR(images.seek(image));
        oldest = next = image;
      }
      for (; next <= image; ++next)
        SPINDLE_RETURN_IF_ERROR(images.read(1, slot(next)));
      oldest = std::max(oldest, next > kept ? next - kept : 0);
      values.insert(values.end(), slot(image), slot(image) + images.itemSize());
    }
    return llvm::Error::success();
  }

  uint8_t *slot(size_t image) { return ring.data() + image % kept * images.itemSize(); }

  IdxFile images;
  const std::vector<int64_t> shape; // as stored
  const DatasetOptions options;
  const std::string place;
  const size_t skip;
  std::mutex mutex; // of the members below, and of `images`
  static constexpr size_t kKeptBytes = 8 << 20;
  const size_t kept;
  size_t oldest = 0, next = 0; // images [oldest, next) are in the ring
  std::vector<uint8_t> ring;
};

} // namespace

llvm::Expected<Inspected> inspectIdx(const DatasetOptions &, const SampleSource &source,
                                     const PathResolver &paths) {
  SPINDLE_ASSIGN(IdxFiles files, openFiles(source, paths));
  return Inspected{{files.images.fileName(), files.labels.fileName()},
                   files.images.items(),
                   shapeOf(files.images)};
}

llvm::Expected<Samples> readIdx(const DatasetOptions &, const SampleSource &source,
                                const PathResolver &paths) {
  SPINDLE_ASSIGN(IdxPair pair, openPair(source, paths));
  Samples samples{shapeOf(pair.images), {}, std::move(pair.labels)};
  std::vector<uint8_t> pixels(samples.count() * samples.size());
  SPINDLE_RETURN_IF_ERROR(pair.images.read(samples.count(), pixels.data()));
  samples.values.assign(pixels.begin(), pixels.end());
  return samples;
}

llvm::Expected<Samples> openIdx(const DatasetOptions &options, const SampleSource &source,
                                const PathResolver &paths) {
  SPINDLE_ASSIGN(IdxPair pair, openPair(withSkipped(source), paths));
  SPINDLE_RETURN_IF_ERROR(checkSkip(source, pair.labels.size()));
  auto skip = static_cast<size_t>(source.skip);
  std::vector<uint32_t> labels(pair.labels.begin() + source.skip, pair.labels.end());
  auto reader = std::make_shared<IdxReader>(std::move(pair), options, source.place, skip);
  SPINDLE_ASSIGN(Samples first, reader->prepared(0, 1));
  Samples samples{std::move(first.shape), {}, std::move(labels)};
  samples.reader = std::move(reader);
  samples.place = source.place;
  return samples;
}

} // namespace spindle
