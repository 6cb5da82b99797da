// The IDX format of MNIST: a big-endian header (magic number, extents), then unsigned bytes.
#include "lib/dataset/Formats.h"
#include "lib/support/File.h"

#include "fmt/format.h"

namespace spindle {

namespace {

constexpr uint32_t imagesMagic = 0x803, labelsMagic = 0x801; // unsigned byte, rank 3 and 1
constexpr uint64_t largestExtent = 1 << 14; // keeps the product of damaged extents in 64 bits

uint32_t bigEndian(const std::string &bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

struct IdxArray {
  std::string file;
  std::string bytes;
  size_t start; // of the elements
  std::vector<uint32_t> extents;
};

llvm::Expected<IdxArray> readArray(const std::string &file, uint32_t magic) {
  SPINDLE_ASSIGN(std::string bytes, readMaybeGzip(file));
  size_t rank = magic & 0xff;
  const char *what = magic == imagesMagic ? "images" : "labels";
  if (bytes.size() < 4 + 4 * rank)
    return inputError(
        file, fmt::format("holds {} bytes, too short for an IDX file of {}", bytes.size(), what));
  if (uint32_t found = bigEndian(bytes, 0); found != magic)
    return inputError(file, fmt::format("magic number 0x{:08x}, expected 0x{:08x} ({} of unsigned "
                                        "bytes in the IDX format)",
                                        found, magic, what));
  IdxArray array{file, {}, 4 + 4 * rank, {}};
  uint64_t elements = 1;
  for (size_t d = 0; d < rank; ++d) {
    array.extents.push_back(bigEndian(bytes, 4 + 4 * d));
    if (d > 0 && (array.extents[d] == 0 || array.extents[d] > largestExtent))
      return inputError(file, fmt::format("images of {} pixels a side, expected 1 to {}",
                                          array.extents[d], largestExtent));
    elements *= array.extents[d];
  }
  if (bytes.size() - array.start != elements)
    return inputError(file,
                      fmt::format("holds {} bytes of {}, its header says {}: it is cut off or "
                                  "damaged",
                                  bytes.size() - array.start, what, elements));
  array.bytes = std::move(bytes);
  return array;
}

} // namespace

llvm::Expected<Samples> readIdx(const DatasetOptions &, const SampleSource &source,
                                const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string imagesFile, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::string labelsFile, paths.find(source.labels, source.place));
  SPINDLE_ASSIGN(IdxArray images, readArray(imagesFile, imagesMagic));
  SPINDLE_ASSIGN(IdxArray labels, readArray(labelsFile, labelsMagic));
  if (images.extents[0] == 0)
    return inputError(imagesFile, "holds no images");
  if (images.extents[0] != labels.extents[0])
    return inputError(labelsFile, fmt::format("holds {} labels for the {} images of {}",
                                              labels.extents[0], images.extents[0], imagesFile));

  Samples samples;
  samples.shape = {1, images.extents[1], images.extents[2]};
  size_t count = wanted(source, images.extents[0]);
  auto pixels = reinterpret_cast<const uint8_t *>(images.bytes.data() + images.start);
  auto classes = reinterpret_cast<const uint8_t *>(labels.bytes.data() + labels.start);
  samples.values.assign(pixels, pixels + count * samples.size());
  samples.labels.assign(classes, classes + count);
  return samples;
}

} // namespace spindle
