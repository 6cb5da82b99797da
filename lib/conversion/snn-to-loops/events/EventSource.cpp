#include "lib/conversion/snn-to-loops/events/EventSource.h"

#include <bit>
#include <map>

namespace spindle::snn_to_loops {

EventSource EventSource::of(const SpikeWords &words,
                            const std::function<int64_t(int64_t)> &inputOf) {
  EventSource source;
  std::map<std::vector<int64_t>, int64_t> known;
  for (int64_t word = 0; word < words.words(); ++word) {
    std::vector<int64_t> inputs;
    for (int64_t bit = 0; bit < words.inWord(word); ++bit)
      inputs.push_back(inputOf(words.first[size_t(word)] + bit * words.stride));
    auto [place, isNew] = known.try_emplace(inputs, int64_t(source.inputs.size()));
    source.numbers.base.push_back(place->second);
    if (isNew)
      source.inputs.insert(source.inputs.end(), inputs.begin(), inputs.end());
  }
  source.numbers.end = int64_t(source.inputs.size());
  return source;
}

std::optional<EventSource> EventSource::ofImage(const SpikeWords &words,
                                                const std::function<int64_t(int64_t)> &inputOf,
                                                int64_t channels, int64_t places,
                                                unsigned laneBits) {
  EventSource source;
  source.laneBits = laneBits;
  std::map<int64_t, int64_t> known; // place, or −1: none
  for (int64_t word = 0; word < words.words(); ++word) {
    int64_t count = words.inWord(word);
    int64_t first = count > 0 ? inputOf(words.first[size_t(word)]) : -1;
    if (words.stride == 1 && count > 1)
      return std::nullopt;
    for (int64_t bit = 1; bit < count; ++bit)
      if (int64_t here = inputOf(words.first[size_t(word)] + bit * words.stride);
          here != (first < 0 ? first : first + bit * places))
        return std::nullopt;
    int64_t place = first < 0 ? first : first % places;
    auto [number, isNew] = known.try_emplace(place, int64_t(known.size()));
    source.numbers.base.push_back((number->second << laneBits) + (first < 0 ? 0 : first / places));
    for (int64_t lane = 0; isNew && lane < int64_t(1) << laneBits; ++lane)
      source.inputs.push_back(place < 0 || lane >= channels ? -1 : lane * places + place);
  }
  source.numbers.end = int64_t(source.inputs.size());
  return source;
}

unsigned laneBitsFor(int64_t channels) { return unsigned(std::bit_width(uint64_t(channels - 1))); }

std::vector<EventNumbers> oneAfterTheOther(llvm::ArrayRef<EventSource> sources) {
  std::vector<EventNumbers> all;
  int64_t end = 0;
  for (const EventSource &source : sources) {
    all.push_back(source.numbers);
    for (int64_t &base : all.back().base)
      base += end;
    end += source.numbers.end;
  }
  for (EventNumbers &numbers : all)
    numbers.end = end;
  return all;
}

bool sharesNothing(snn::SumPool2dOp pool) {
  return pool.getKernel()[0] <= pool.getStrides()[0] && pool.getKernel()[1] <= pool.getStrides()[1];
}

int64_t windowOf(snn::SumPool2dOp pool, int64_t element) {
  llvm::ArrayRef<int64_t> from = snn::shapeOf(pool.getInput()), to = snn::shapeOf(pool.getOutput());
  int64_t at[] = {element / from[2] % from[1], element % from[2]}, window[2];
  for (size_t axis = 0; axis < 2; ++axis) {
    int64_t padded = at[axis] + pool.getPadding()[axis], stride = pool.getStrides()[axis];
    window[axis] = padded / stride;
    if (window[axis] >= to[axis + 1] || padded % stride >= pool.getKernel()[axis])
      return -1;
  }
  return (element / (from[1] * from[2]) * to[1] + window[0]) * to[2] + window[1];
}

} // namespace spindle::snn_to_loops
