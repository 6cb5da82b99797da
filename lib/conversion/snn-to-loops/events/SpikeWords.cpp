#include "lib/conversion/snn-to-loops/events/SpikeWords.h"

#include <algorithm>
#include <bit>

namespace spindle::snn_to_loops {

static constexpr int64_t kMostBits = 64;

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

SpikeWords SpikeWords::ofPlaces(int64_t channels, int64_t places, int64_t perWord) {
  SpikeWords words;
  words.elements = channels * places;
  words.groups = words.elements / perWord;
  words.perWord = perWord;
  words.stride = places;
  words.bits = unsigned(perWord) + 1;
  for (int64_t place = 0; place < places; ++place)
    for (int64_t channel = 0; channel < channels; channel += perWord)
      words.first.push_back(channel * places + place);
  return words;
}

SpikeWords SpikeWords::ofVector(int64_t elements, int64_t perWord) {
  SpikeWords words;
  words.elements = elements;
  words.groups = roundedUp(elements, perWord);
  words.perWord = perWord;
  words.bits = unsigned(perWord) + 1;
  for (int64_t word = 0; word < words.groups; ++word)
    words.first.push_back(word * perWord);
  return words;
}

SpikeWords SpikeWords::ofNeurons(int64_t neurons, int64_t lanes) {
  SpikeWords words;
  words.elements = neurons;
  words.groups = roundedUp(neurons, lanes);
  words.streams = roundedUp(lanes + 1, kMostBits);
  words.perWord = roundedUp(lanes + 1, words.streams);
  words.bits = unsigned(words.perWord);
  for (int64_t group = 0; group < words.groups; ++group)
    for (int64_t stream = 0; stream < words.streams; ++stream)
      words.first.push_back(std::min(group * lanes + stream * words.perWord, neurons));
  words.perWord = std::min(words.perWord, lanes);
  return words;
}

HardwareArray SpikeWords::port(const std::string &name, ArrayRole role, const std::string &layer,
                               int64_t steps) const {
  return {name, role, layer, {steps, words()}, bits, elements, perWord, first, stride};
}

HardwareArray SpikeWords::port(const std::string &name, ArrayRole role, const std::string &layer,
                               int64_t steps, int64_t stream) const {
  if (streams == 1)
    return port(name, role, layer, steps);
  HardwareArray one = port(name + std::to_string(stream), role, layer, steps);
  one.shape = {steps, groups};
  one.first.clear();
  for (int64_t group = 0; group < groups; ++group)
    one.first.push_back(first[size_t(group * streams + stream)]);
  return one;
}

ValueWords ValueWords::of(const SpikeWords &words, int64_t lanes, unsigned valueBits,
                          const std::string &name, ArrayRole role, const std::string &layer) {
  ValueWords made;
  int64_t most = kMostBits / valueBits;
  for (int64_t stream = 0; stream < words.streams; ++stream) {
    int64_t end = std::min(lanes, (stream + 1) * words.perWord);
    for (int64_t lane = stream * words.perWord; lane < end; lane += most) {
      int64_t count = std::min(most, end - lane);
      HardwareArray port{name, role, layer, {1, words.groups}, unsigned(count) * valueBits};
      port.elements = words.elements;
      port.perWord = count;
      port.stride = words.stride;
      port.valueBits = valueBits;
      for (int64_t group = 0; group < words.groups; ++group) {
        int64_t first = words.first[size_t(group * words.streams + stream)];
        int64_t offset = (lane - stream * words.perWord) * words.stride;
        port.first.push_back(std::min(first + offset, words.elements));
      }
      made.parts.push_back({std::move(port), lane});
    }
  }
  for (size_t number = 0; made.parts.size() > 1 && number < made.parts.size(); ++number)
    made.parts[number].port.name += std::to_string(number);
  return made;
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
