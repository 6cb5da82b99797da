#include "lib/emulation/neuron-level/Conversions.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::neuron_level {

static llvm::Error badTime(float time) {
  return dataError(
      fmt::format("spike time {}, expected a number of ms that is not negative, or inf", time));
}

static llvm::Expected<Train> readTrain(const float *first, const float *last) {
  Train train(first, std::find(first, last, kNever));
  for (size_t n = 0; n < train.size(); ++n) {
    if (!(train[n] >= 0))
      return badTime(train[n]);
    if (n > 0 && train[n] < train[n - 1])
      return dataError(
          fmt::format("spike time {} after {}, expected ascending times", train[n], train[n - 1]));
  }
  for (const float *padding = first + train.size(); padding != last; ++padding)
    if (*padding != kNever)
      return dataError(
          fmt::format("spike time {} after inf, expected inf only at the end of a list", *padding));
  return train;
}

/// `train` and its padding, appended to `values`.
static llvm::Error writeTrain(std::vector<float> &values, const Train &train, size_t length) {
  if (train.size() > length)
    return dataError(
        fmt::format("a train of {} spikes, expected at most {}", train.size(), length));
  values.insert(values.end(), train.begin(), train.end());
  values.insert(values.end(), length - train.size(), kNever);
  return llvm::Error::success();
}

llvm::Expected<Train> tensorToSpikeTrain(const Floats &times) {
  return readTrain(times.values.data(), times.values.data() + times.values.size());
}

llvm::Expected<Floats> spikeTrainToTensor(const Train &train, int64_t length) {
  Floats times;
  size_t extent = length < 0 ? train.size() : static_cast<size_t>(length);
  times.shape = {static_cast<int64_t>(extent)};
  SPINDLE_RETURN_IF_ERROR(writeTrain(times.values, train, extent));
  return times;
}

llvm::Expected<Bundle> tensorToSpikeTrainBundle(const Floats &times, size_t rank) {
  Bundle bundle;
  bundle.shape.assign(times.shape.begin(), times.shape.begin() + static_cast<ptrdiff_t>(rank));
  size_t length = times.shape.size() == rank ? 1 : static_cast<size_t>(times.shape.back());
  for (size_t n = 0; n < sizeOf(bundle.shape); ++n) {
    const float *first = times.values.data() + n * length;
    SPINDLE_ASSIGN(bundle.trains.emplace_back(), readTrain(first, first + length));
  }
  return bundle;
}

llvm::Expected<Floats> spikeBundleToTensor(const Bundle &bundle, size_t rank, int64_t length) {
  Floats times{bundle.shape, {}};
  size_t extent = 1;
  if (rank > bundle.shape.size()) {
    size_t longest = 0;
    for (const Train &train : bundle.trains)
      longest = std::max(longest, train.size());
    extent = length < 0 ? longest : static_cast<size_t>(length);
    times.shape.push_back(static_cast<int64_t>(extent));
  }
  for (const Train &train : bundle.trains)
    SPINDLE_RETURN_IF_ERROR(writeTrain(times.values, train, extent));
  return times;
}

} // namespace spindle::neuron_level
