#include "lib/conversion/snn-to-loops/events/SpikeWords.h"

#include <algorithm>
#include <bit>

namespace spindle::snn_to_loops {

static constexpr int64_t kMostBits = 64;

static int64_t roundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t SpikeWords::inWord(int64_t word) const {
  int64_t next = first[size_t(word)];
  if (next >= elements)
    return 0;
  if (stride == 1 && word + 1 < words()) // the words of a group may be uneven
    return std::min(perWord, first[size_t(word + 1)] - next);
  return std::min(perWord, roundedUp(elements - next, stride));
}

SpikeWords SpikeWords::ofInputs(int64_t elements) {
  SpikeWords words;
  words.elements = elements;
  words.groups = roundedUp(elements + 1, kMostBits);
  words.perWord = roundedUp(elements + 1, words.groups);
  words.bits = unsigned(words.perWord);
  for (int64_t group = 0; group < words.groups; ++group)
    words.first.push_back(group * words.perWord);
  return words;
}

SpikeWords SpikeWords::ofNeurons(int64_t neurons, int64_t lanes) {
  SpikeWords words;
  words.elements = neurons;
  words.groups = neurons / lanes;
  words.streams = roundedUp(lanes + 1, kMostBits);
  words.perWord = roundedUp(lanes + 1, words.streams);
  words.bits = unsigned(words.perWord);
  for (int64_t group = 0; group < words.groups; ++group)
    for (int64_t stream = 0; stream < words.streams; ++stream)
      words.first.push_back(group * lanes + stream * words.perWord);
  words.perWord = std::min(words.perWord, lanes);
  return words;
}

HardwareArray SpikeWords::port(const std::string &name, ArrayRole role, const std::string &layer,
                               int64_t steps) const {
  return {name, role, layer, {steps, words()}, bits, elements, perWord, first, stride};
}

EventNumbers EventNumbers::ofElements(const SpikeWords &words) {
  return {words.first, words.elements};
}

unsigned EventNumbers::bits() const {
  int64_t most = end;
  for (int64_t number : base)
    most = std::max(most, number);
  return unsigned(std::bit_width(uint64_t(most)));
}

} // namespace spindle::snn_to_loops
