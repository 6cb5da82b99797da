#include "lib/conversion/snn-to-loops/events/SpikeWords.h"

#include <bit>

namespace spindle::snn_to_loops {

static constexpr int64_t kMostBits = 64;

static int64_t roundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

SpikeWords SpikeWords::ofInputs(int64_t elements) {
  SpikeWords words;
  words.elements = elements;
  words.groups = roundedUp(elements + 1, kMostBits);
  words.lanes = roundedUp(elements + 1, words.groups);
  words.bits = unsigned(words.lanes);
  return words;
}

SpikeWords SpikeWords::ofNeurons(int64_t neurons, int64_t lanes) {
  SpikeWords words;
  words.elements = neurons;
  words.groups = neurons / lanes;
  words.lanes = lanes;
  words.streams = roundedUp(lanes + 1, kMostBits);
  words.bits = unsigned(roundedUp(lanes + 1, words.streams));
  return words;
}

unsigned SpikeWords::eventBits() const { return std::bit_width(uint64_t(end())); }

HardwareArray SpikeWords::port(const std::string &name, ArrayRole role, const std::string &layer,
                               int64_t steps, int64_t stream) const {
  HardwareArray array{name, role, layer, {steps, groups}, bits, elements, inWord(stream), {}};
  for (int64_t group = 0; group < groups; ++group)
    array.first.push_back(first(group, stream));
  return array;
}

} // namespace spindle::snn_to_loops
