#include "lib/conversion/snn-to-loops/events/EventSource.h"

#include <bit>
#include <map>

namespace spindle::snn_to_loops {

EventSource EventSource::of(const SpikeWords &words, const std::function<int64_t(int64_t)> &inputOf,
                            bool isAligned) {
  EventSource source;
  if (isAligned)
    source.laneBits = unsigned(std::bit_width(uint64_t(words.perWord - 1)));
  std::map<std::vector<int64_t>, int64_t> known;
  for (int64_t word = 0; word < words.words(); ++word) {
    std::vector<int64_t> inputs;
    for (int64_t bit = 0; bit < words.inWord(word); ++bit)
      inputs.push_back(inputOf(words.first[size_t(word)] + bit * words.stride));
    if (isAligned)
      inputs.resize(size_t(1) << source.laneBits, -1);
    auto [place, isNew] = known.try_emplace(inputs, int64_t(source.inputs.size()));
    source.numbers.base.push_back(place->second);
    if (isNew)
      source.inputs.insert(source.inputs.end(), inputs.begin(), inputs.end());
  }
  source.numbers.end = int64_t(source.inputs.size());
  return source;
}

EventSource EventSource::ofImage(const SpikeWords &words,
                                 const std::function<int64_t(int64_t)> &inputOf, int64_t channels,
                                 int64_t places) {
  bool isAligned = words.stride > 1 && channels == words.perWord;
  for (int64_t word = 0; isAligned && word < words.words(); ++word)
    for (int64_t bit = 0; bit < words.inWord(word); ++bit) {
      int64_t first = inputOf(words.first[size_t(word)]);
      int64_t here = inputOf(words.first[size_t(word)] + bit * words.stride);
      isAligned &= first < 0 ? here < 0 : here == first + bit * places && here / places == bit;
    }
  return of(words, inputOf, isAligned);
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
