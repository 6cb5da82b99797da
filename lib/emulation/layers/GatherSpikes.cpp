// The exchange of a block's spikes with other ranks. Each rank puts in, gather by gather and row by
// row, the number of its spikes, the numbers of their neurons, and how often they spiked where that
// is not once.
#include "lib/emulation/layers/LayersNetwork.h"

#include <bit>

namespace spindle::layers {

void Block::writeSpikes(const Gather &gather, size_t slots) {
  const EventList &list = gather.part;
  for (size_t row = 0; row < slots * stepsNow; ++row) {
    size_t slot = row / stepsNow, step = row % stepsNow;
    auto spikes = *reinterpret_cast<const int64_t *>(address(list.ends, slot, step));
    sent.push_back(static_cast<uint32_t>(spikes));
    auto write = [&](const auto *entries) {
      for (int64_t k = 0; k < spikes; ++k)
        sent.push_back(gather.first + entries[k]);
    };
    const char *entries = address(list.entries, slot, step);
    if (list.narrow)
      write(reinterpret_cast<const uint16_t *>(entries));
    else
      write(reinterpret_cast<const uint32_t *>(entries));
    const float *values = list.values ? floats(*list.values, slot, step) : nullptr;
    for (int64_t k = 0; values && k < spikes; ++k)
      sent.push_back(std::bit_cast<uint32_t>(values[k]));
  }
}

/// Ranks hold ascending ranges of neurons, so lists are ascending when put one after the other.
void Block::readSpikes(const Gather &gather, size_t slots) {
  const EventList &list = gather.all;
  for (size_t row = 0; row < slots * stepsNow; ++row) {
    size_t slot = row / stepsNow, step = row % stepsNow;
    char *entries = address(list.entries, slot, step);
    float *values = list.values ? floats(*list.values, slot, step) : nullptr;
    size_t end = 0;
    for (size_t &place : places) {
      size_t spikes = received[place++];
      for (size_t k = 0; k < spikes; ++k)
        if (list.narrow)
          reinterpret_cast<uint16_t *>(entries)[end + k] = static_cast<uint16_t>(received[place++]);
        else
          reinterpret_cast<uint32_t *>(entries)[end + k] = received[place++];
      for (size_t k = 0; values && k < spikes; ++k)
        values[end + k] = std::bit_cast<float>(received[place++]);
      end += spikes;
    }
    *reinterpret_cast<int64_t *>(address(list.ends, slot, step)) = static_cast<int64_t>(end);
  }
}

void Block::gatherSpikes(const std::vector<Gather> &gathers, size_t slots) {
  sent.clear();
  for (const Gather &gather : gathers)
    writeSpikes(gather, slots);
  ranks->exchange(sent, received, places);
  places.insert(places.begin(), 0); // ends are starts of the next
  places.pop_back();
  for (const Gather &gather : gathers)
    readSpikes(gather, slots);
}

} // namespace spindle::layers
