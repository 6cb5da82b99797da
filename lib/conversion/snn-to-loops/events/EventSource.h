// What the numbers of a layer's events stand for.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/conversion/snn-to-loops/events/SpikeWords.h"

#include <functional>
#include <optional>

namespace spindle::snn_to_loops {

/// The spikes of words as numbered events, and which input of a layer each number is. Words whose
/// spikes are the same inputs share their numbers: those of a window that is summed up.
struct EventSource {
  EventNumbers numbers;
  std::vector<int64_t> inputs; // of each number; −1 where a spike is none
  /// Numbers are a place, and in so many lowest bits the place of the element in its word.
  unsigned laneBits = 0;

  /// `inputOf` says what a spike of an element is to the layer.
  static EventSource of(const SpikeWords &words, const std::function<int64_t(int64_t)> &inputOf);
  /// Of an image with so many channels of so many places, by places; none where a word has spikes
  /// of several. `laneBits` are enough for the channels.
  static std::optional<EventSource> ofImage(const SpikeWords &words,
                                            const std::function<int64_t(int64_t)> &inputOf,
                                            int64_t channels, int64_t places, unsigned laneBits);
};

/// How many bits the numbers of so many channels take.
unsigned laneBitsFor(int64_t channels);

/// The numbers of several sources, those of each one behind those of the sources before; all have
/// the same end.
std::vector<EventNumbers> oneAfterTheOther(llvm::ArrayRef<EventSource> sources);

/// What a spike counts for behind sums of windows that share no element: its window, or −1.
int64_t windowOf(snn::SumPool2dOp pool, int64_t element);
/// Whether no element is in two windows.
bool sharesNothing(snn::SumPool2dOp pool);

} // namespace spindle::snn_to_loops
