#include "lib/emulation/InputLayout.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace spindle {

static std::vector<int64_t> withoutOnes(std::vector<int64_t> shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
  return shape;
}

llvm::Expected<InputLayout> InputLayout::match(const Network &network, const Samples &samples) {
  std::vector<int64_t> wanted = network.inputShape();
  const std::vector<int64_t> &found = samples.shape;
  if (samples.count() == 0)
    return inputError("data set", "no samples, expected at least one");
  if (samples.values.size() != samples.count() * samples.size())
    return checkError("data set",
                      fmt::format("{} values for {} samples of {}", samples.values.size(),
                                  samples.count(), samples.size()));
  InputLayout layout;
  layout.pixels = network.inputs();
  if (withoutOnes(found) == withoutOnes(wanted) ||
      (wanted.size() == 1 && samples.size() == network.inputs()))
    return layout;
  if (found.size() == 3 && wanted == std::vector{found[1], found[2], found[0]}) {
    layout.channels = static_cast<size_t>(found[0]);
    layout.pixels /= layout.channels;
    return layout;
  }
  return inputError("data set", fmt::format("samples have the shape {}, the network expects {}; "
                                            "set resize or pad of the dataset accordingly",
                                            fmt::join(found, "x"), fmt::join(wanted, "x")));
}

void InputLayout::copy(const float *sample, float *values) const {
  for (size_t channel = 0; channel < channels; ++channel)
    for (size_t pixel = 0; pixel < pixels; ++pixel)
      values[pixel * channels + channel] = sample[channel * pixels + pixel];
}

llvm::Error checkLabels(const Network &network, const Samples &samples) {
  for (size_t index = 0; index < samples.count(); ++index)
    if (samples.labels[index] >= network.outputs())
      return inputError("data set", fmt::format("sample {} has the label {}, the network has {} "
                                                "outputs",
                                                index, samples.labels[index], network.outputs()));
  return llvm::Error::success();
}

} // namespace spindle
