#include "lib/dataset/Transforms.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

bool isImage(const std::vector<int64_t> &shape) { return shape.size() == 3; }

/// Samples × channels: what resizing and padding work on one by one.
size_t planes(const Samples &samples) {
  return samples.count() * static_cast<size_t>(samples.shape[0]);
}

/// The two source pixels of a destination pixel along one axis and the weight of the second.
struct Tap {
  size_t low, high;
  float weight;
};

std::vector<Tap> taps(int64_t in, int64_t out) {
  std::vector<Tap> result;
  float ratio = static_cast<float>(in) / static_cast<float>(out);
  for (int64_t d = 0; d < out; ++d) {
    float at = std::max(0.0f, ratio * (static_cast<float>(d) + 0.5f) - 0.5f);
    int64_t low = std::min(static_cast<int64_t>(at), in - 1);
    result.push_back({static_cast<size_t>(low), static_cast<size_t>(std::min(low + 1, in - 1)),
                      at - static_cast<float>(low)});
  }
  return result;
}

bool fitsChannels(const std::vector<double> &values, const std::vector<int64_t> &shape) {
  return values.size() == 1 || (isImage(shape) && values.size() == static_cast<size_t>(shape[0]));
}

} // namespace

void resizeBilinear(Samples &samples, int64_t rows, int64_t columns) {
  auto inRows = samples.shape[1], inColumns = samples.shape[2];
  std::vector<Tap> down = taps(inRows, rows), across = taps(inColumns, columns);
  std::vector<float> resized;
  resized.reserve(planes(samples) * down.size() * across.size());
  auto width = static_cast<size_t>(inColumns), planeSize = static_cast<size_t>(inRows) * width;
  for (size_t plane = 0; plane < planes(samples); ++plane) {
    const float *in = samples.values.data() + plane * planeSize;
    for (const Tap &y : down) {
      const float *top = in + y.low * width, *bottom = in + y.high * width;
      for (const Tap &x : across) {
        float above = (1 - x.weight) * top[x.low] + x.weight * top[x.high];
        float below = (1 - x.weight) * bottom[x.low] + x.weight * bottom[x.high];
        resized.push_back((1 - y.weight) * above + y.weight * below);
      }
    }
  }
  samples.values = std::move(resized);
  samples.shape = {samples.shape[0], rows, columns};
}

void normalize(Samples &samples, float scale, const std::vector<double> &mean,
               const std::vector<double> &std) {
  size_t channels = isImage(samples.shape) ? static_cast<size_t>(samples.shape[0]) : 1;
  size_t planeSize = samples.size() / channels;
  for (size_t i = 0; i < samples.values.size(); ++i) {
    size_t channel = i / planeSize % channels;
    auto center = static_cast<float>(mean[mean.size() == 1 ? 0 : channel]);
    auto deviation = static_cast<float>(std[std.size() == 1 ? 0 : channel]);
    samples.values[i] = (samples.values[i] * scale - center) / deviation;
  }
}

void putChannelsFirst(Samples &samples) {
  int64_t channels = samples.shape[2];
  size_t pixels = static_cast<size_t>(samples.shape[0] * samples.shape[1]);
  std::vector<float> sample(samples.size());
  for (size_t first = 0; first < samples.values.size(); first += sample.size()) {
    float *values = &samples.values[first];
    std::copy_n(values, sample.size(), sample.begin());
    for (size_t channel = 0; channel < static_cast<size_t>(channels); ++channel)
      for (size_t pixel = 0; pixel < pixels; ++pixel)
        values[channel * pixels + pixel] = sample[pixel * static_cast<size_t>(channels) + channel];
  }
  samples.shape = {channels, samples.shape[0], samples.shape[1]};
}

void padZeros(Samples &samples, int64_t pad) {
  auto rows = static_cast<size_t>(samples.shape[1]),
       columns = static_cast<size_t>(samples.shape[2]);
  auto border = static_cast<size_t>(pad), width = columns + 2 * border;
  std::vector<float> padded(planes(samples) * (rows + 2 * border) * width);
  for (size_t plane = 0; plane < planes(samples); ++plane)
    for (size_t row = 0; row < rows; ++row)
      std::copy_n(
          samples.values.begin() + static_cast<ptrdiff_t>((plane * rows + row) * columns), columns,
          padded.begin() + static_cast<ptrdiff_t>(
                               (plane * (rows + 2 * border) + border + row) * width + border));
  samples.values = std::move(padded);
  samples.shape = {samples.shape[0], samples.shape[1] + 2 * pad, samples.shape[2] + 2 * pad};
}

llvm::Error checkFinite(const std::string &place, const Samples &samples, size_t first) {
  for (size_t k = 0; k < samples.values.size(); ++k)
    if (!std::isfinite(samples.values[k]))
      return inputError(place, fmt::format("sample {} has the value {} at element {}, expected "
                                           "finite numbers; mend the data or dataset.scale",
                                           first + k / samples.size(), samples.values[k],
                                           k % samples.size()));
  return llvm::Error::success();
}

llvm::Error checkPreparation(const DatasetOptions &options, const std::vector<int64_t> &shape) {
  bool changesSize = !options.resize.empty() || options.pad > 0;
  if (changesSize && !isImage(shape))
    return inputError(options.place,
                      fmt::format("resize and pad need images (channel, row, column), the samples "
                                  "have the shape ({})",
                                  fmt::join(shape, ", ")));
  for (auto [key, values] : {std::pair{"mean", &options.mean}, {"std", &options.std}})
    if (!fitsChannels(*values, shape))
      return inputError(options.place,
                        fmt::format("{} has {} values, expected one, or one per channel of the "
                                    "shape ({})",
                                    key, values->size(), fmt::join(shape, ", ")));
  return llvm::Error::success();
}

llvm::Error prepare(const DatasetOptions &options, Samples &samples) {
  SPINDLE_RETURN_IF_ERROR(checkPreparation(options, samples.shape));
  if (!options.resize.empty())
    resizeBilinear(samples, options.resize[0], options.resize[1]);
  normalize(samples, static_cast<float>(options.scale), options.mean, options.std);
  if (options.pad > 0)
    padZeros(samples, options.pad);
  return llvm::Error::success();
}

} // namespace spindle
