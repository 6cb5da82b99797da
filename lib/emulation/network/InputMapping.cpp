#include "lib/emulation/network/InputMapping.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace spindle {

static std::vector<int64_t> withoutOnes(std::vector<int64_t> shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
  return shape;
}

/// Events and encoders of events belong together.
static llvm::Error checkEvents(const Network &network, const Samples &samples) {
  for (mlir::Operation *user : network.input.getUsers()) {
    if (ignoresSource(user))
      continue;
    auto encode = mlir::dyn_cast<snn::EncodeOp>(user);
    bool readsEvents = encode && encode.getEncoding() == snn::Encoding::Events;
    if (readsEvents && !samples.events)
      return inputError(samples.place, fmt::format("samples are values, {} of the network expects "
                                                   "recorded events: format events of the dataset, "
                                                   "or model.input: current of a NIR model",
                                                   nameOf(user)));
    if (!readsEvents && samples.events)
      return inputError(samples.place, fmt::format("samples are recorded events, {} of the network "
                                                   "expects values; encode events first",
                                                   nameOf(user)));
  }
  return llvm::Error::success();
}

llvm::Expected<InputMapping> InputMapping::match(const Network &network, const Samples &samples) {
  std::vector<int64_t> wanted = network.inputShape();
  const std::vector<int64_t> &found = samples.shape;
  if (samples.count() == 0)
    return inputError(samples.place, "no samples, expected at least one");
  SPINDLE_RETURN_IF_ERROR(checkEvents(network, samples));
  if (!samples.events && !samples.reader &&
      samples.values.size() != samples.count() * samples.size())
    return checkError(samples.place,
                      fmt::format("{} values for {} samples of {}", samples.values.size(),
                                  samples.count(), samples.size()));
  InputMapping mapping;
  mapping.pixels = network.inputs();
  // Extents of one may be missing, but not elsewhere: one row of 28 columns is no column of 28
  // rows.
  if (found == wanted ||
      (found.size() != wanted.size() && withoutOnes(found) == withoutOnes(wanted)) ||
      (wanted.size() == 1 && samples.size() == network.inputs()))
    return mapping;
  if (found.size() == 3 && wanted == std::vector{found[1], found[2], found[0]}) {
    mapping.channels = static_cast<size_t>(found[0]);
    mapping.pixels /= mapping.channels;
    return mapping;
  }
  bool hasChannelsLast =
      found.size() == 3 && wanted == std::vector{found[2], found[0], found[1]} && !samples.events;
  const char *remedy = hasChannelsLast ? "the channels come last: set layout of the dataset to nhwc"
                       : samples.events ? "set shape of the dataset accordingly"
                                        : "set resize or pad of the dataset, or "
                                          "model.input_layout, accordingly";
  return inputError(samples.place,
                    fmt::format("samples have the shape {}, the network expects {}; {}",
                                fmt::join(found, "x"), fmt::join(wanted, "x"), remedy));
}

void InputMapping::copy(const float *sample, float *values) const {
  for (size_t channel = 0; channel < channels; ++channel)
    for (size_t pixel = 0; pixel < pixels; ++pixel)
      values[pixel * channels + channel] = sample[channel * pixels + pixel];
}

std::vector<InputEvent> InputMapping::events(const Samples &samples, size_t index) const {
  std::vector<InputEvent> result;
  if (!samples.events)
    return result;
  for (const InputEvent &event : samples.events->sample(index)) {
    size_t channel = event.element / pixels, pixel = event.element % pixels;
    result.push_back({event.step, static_cast<uint32_t>(pixel * channels + channel)});
  }
  return result;
}

llvm::Error checkLabels(const Network &network, const Samples &samples) {
  for (size_t index = 0; index < samples.count(); ++index)
    if (samples.labels[index] >= network.outputs())
      return inputError(samples.place,
                        fmt::format("sample {} has the label {}, the network has {} "
                                    "outputs",
                                    index, samples.labels[index], network.outputs()));
  return llvm::Error::success();
}

} // namespace spindle
