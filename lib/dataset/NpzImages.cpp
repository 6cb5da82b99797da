// Two arrays of a NumPy archive: samples × shape, and one class index per sample.
#include "lib/dataset/Formats.h"
#include "lib/support/Npz.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

static llvm::Error absent(const std::string &file, const std::string &name, const char *key,
                          const std::vector<NpzMember> &members) {
  std::vector<std::string> names;
  for (const NpzMember &member : members)
    names.push_back(member.name);
  return inputError(file, fmt::format("array '{}' is absent, there are: {}; name it by {}", name,
                                      fmt::join(names, ", "), key));
}

llvm::Expected<Samples> readNpzImages(const DatasetOptions &options, const SampleSource &source,
                                      const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string file, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(file));
  const NpyArray *images = findMember(members, options.imagesArray);
  const NpyArray *labels = findMember(members, options.labelsArray);
  if (!images)
    return absent(file, options.imagesArray, "images_array", members);
  if (!labels)
    return absent(file, options.labelsArray, "labels_array", members);
  if (images->shape.size() < 2 || images->count() == 0)
    return inputError(file, fmt::format("array '{}' has the shape ({}), expected samples and their "
                                        "extents",
                                        options.imagesArray, fmt::join(images->shape, ", ")));
  if (!labels->isInteger() || labels->shape != std::vector<int64_t>{images->shape[0]})
    return inputError(file, fmt::format("array '{}' is not one class index for each of the {} "
                                        "samples",
                                        options.labelsArray, images->shape[0]));

  Samples samples;
  samples.shape.assign(images->shape.begin() + 1, images->shape.end());
  if (samples.shape.size() == 2) // grey images without a channel
    samples.shape.insert(samples.shape.begin(), 1);
  size_t count = wanted(source, static_cast<size_t>(images->shape[0]));
  samples.values = images->floats();
  samples.values.resize(count * samples.size());
  std::vector<int64_t> classes = labels->integers();
  for (size_t i = 0; i < count; ++i) {
    if (classes[i] < 0 || classes[i] > UINT32_MAX)
      return inputError(file, fmt::format("array '{}' holds {}, expected class indices from 0",
                                          options.labelsArray, classes[i]));
    samples.labels.push_back(static_cast<uint32_t>(classes[i]));
  }
  return samples;
}

} // namespace spindle
