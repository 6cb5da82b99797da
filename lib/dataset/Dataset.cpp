#include "lib/dataset/Dataset.h"

#include "lib/dataset/Formats.h"
#include "lib/dataset/Transforms.h"
#include "lib/support/Npz.h"

namespace spindle {

/// In the order of DatasetFormat.
static constexpr FormatReader *readers[] = {readIdx, readNpzImages, readImageFolder, readDigits};

static llvm::Expected<Samples> load(const DatasetOptions &options, const SampleSource &source,
                                    const PathResolver &paths) {
  SPINDLE_ASSIGN(Samples samples,
                 readers[static_cast<size_t>(options.format)](options, source, paths));
  SPINDLE_RETURN_IF_ERROR(prepare(options, samples));
  if (samples.count() == 0 || samples.values.size() != samples.count() * samples.size())
    return checkError(source.place, "the samples read do not have the size of their shape");
  return samples;
}

llvm::Expected<Samples> loadDataset(const DatasetOptions &options, const PathResolver &paths) {
  return load(options, options.test, paths);
}

llvm::Expected<Samples> loadCalibration(const DatasetOptions &options, const PathResolver &paths) {
  if (!options.calibration)
    return inputError(options.place, "key 'calibration' is missing in dataset: name images that "
                                     "are not the test images");
  return load(options, *options.calibration, paths);
}

llvm::Error writeDatasetNpz(const std::string &path, const Samples &samples) {
  auto count = static_cast<int64_t>(samples.count());
  std::vector<int64_t> shape{count};
  shape.insert(shape.end(), samples.shape.begin(), samples.shape.end());
  std::vector<int64_t> labels(samples.labels.begin(), samples.labels.end());
  return writeNpz(path, {{"x", makeNpy(shape, samples.values)}, {"y", makeNpy({count}, labels)}});
}

} // namespace spindle
