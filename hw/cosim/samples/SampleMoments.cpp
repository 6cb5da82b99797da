#include "hw/cosim/samples/SampleMoments.h"

#include <algorithm>

namespace spindle::hls {

std::vector<SampleMoments> momentsOf(const std::vector<HardwareArray> &arrays,
                                     const std::vector<std::vector<uint64_t>> &streamCycles,
                                     size_t samples) {
  std::vector<SampleMoments> moments(samples, {UINT64_MAX, 0});
  bool hasInput = false, hasAnswer = false;
  for (size_t index = 0; index < arrays.size(); ++index) {
    const HardwareArray &array = arrays[index];
    bool goesIn = array.role == ArrayRole::Input || isGiven(array.role);
    bool answers = array.role == ArrayRole::Answer || array.role == ArrayRole::Class;
    if (!array.isStream || (!goesIn && !answers))
      continue;
    auto words = size_t(array.shape[0] * array.shape[1]);
    if (index >= streamCycles.size() || streamCycles[index].size() < samples * words)
      return {};
    (goesIn ? hasInput : hasAnswer) = true;
    for (size_t sample = 0; sample < samples; ++sample) {
      const uint64_t *cycles = streamCycles[index].data() + sample * words;
      SampleMoments &one = moments[sample];
      if (goesIn)
        one.firstWord = std::min(one.firstWord, cycles[0]);
      else
        one.answer = std::max(one.answer, cycles[words - 1]);
    }
  }
  return hasInput && hasAnswer ? moments : std::vector<SampleMoments>();
}

} // namespace spindle::hls
