// Labelled inputs of a network, ready to be fed: resized, scaled, normalised, padded; or recorded
// events, sorted into steps.
#pragma once

#include "core/support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace spindle {

/// How samples become a signal in time, as `snn.encode` says it.
enum class InputEncoding { Direct, Poisson, Regular, Latency, Events };
inline constexpr std::array kInputEncodingNames = {"direct", "poisson", "regular", "latency",
                                                   "events"};

/// One input spike. An element that is listed n times in a step stands for the value n.
struct InputEvent {
  uint32_t step;
  uint32_t element; // row-major within the shape of one step

  auto operator<=>(const InputEvent &) const = default;
};

/// What samples hold per step. Steps that nothing is listed for are silent.
struct EventSamples {
  int64_t steps = 0;              // every event lies in [0, steps)
  std::vector<uint64_t> offsets;  // sample i owns events [offsets[i], offsets[i + 1])
  std::vector<InputEvent> events; // per sample ascending by step, then element

  std::span<const InputEvent> sample(size_t index) const {
    return {events.data() + offsets[index], events.data() + offsets[index + 1]};
  }

  bool operator==(const EventSamples &) const = default;
};

/// Samples that are not all in memory, but read when they are asked for, alike each time.
class SampleReader {
public:
  virtual ~SampleReader() = default;

  /// Writes the values of `count` samples from `first` on. Any thread may call it; samples had best
  /// be read in order.
  virtual llvm::Error read(size_t first, size_t count, float *values) = 0;
};

/// Images are channel, row, column; vectors have one dimension.
struct Samples {
  std::vector<int64_t> shape;             // of one sample; with events: of one step
  std::vector<float> values;              // count() × size(), sample-major; empty with events
  std::vector<uint32_t> labels;           // one class index per sample
  std::optional<EventSamples> events{};   // instead of values: for `snn.encode events`
  bool labelled = true;                   // else the labels are zeros and nothing is right or wrong
  std::shared_ptr<SampleReader> reader{}; // instead of values
  std::string place = "data set";         // where the flow names them, for errors

  size_t count() const { return labels.size(); }
  size_t size() const {
    size_t product = 1;
    for (int64_t extent : shape)
      product *= static_cast<size_t>(extent);
    return product;
  }
  /// Of samples in memory.
  const float *sample(size_t index) const { return values.data() + index * size(); }

  /// The values of `count` samples from `first` on, however they are held; in `room` where they
  /// have to be read.
  llvm::Expected<const float *> block(size_t first, size_t count, std::vector<float> &room) const {
    if (!reader)
      return sample(first);
    room.resize(count * size());
    SPINDLE_RETURN_IF_ERROR(reader->read(first, count, room.data()));
    return room.data();
  }

  bool operator==(const Samples &) const = default;
};

} // namespace spindle
