// What the numbers of a layer's events stand for.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/conversion/snn-to-loops/events/SpikeWords.h"

#include <functional>

namespace spindle::snn_to_loops {

/// The spikes of words as numbered events, and which input of a layer each number is. Words whose
/// spikes are the same inputs share their numbers: those of a window that is summed up.
struct EventSource {
  EventNumbers numbers;
  std::vector<int64_t> inputs; // of each number; −1 where a spike is none
  /// Numbers are a place, and in so many lowest bits the place of the element in its word.
  unsigned laneBits = 0;

  /// `inputOf` says what a spike of an element is to the layer. With `isAligned`, each word begins
  /// at a multiple of a power of two that its elements fit into.
  static EventSource of(const SpikeWords &words, const std::function<int64_t(int64_t)> &inputOf,
                        bool isAligned);
  /// Of an image with so many channels of so many places: aligned where a word is all channels of a
  /// place.
  static EventSource ofImage(const SpikeWords &words,
                             const std::function<int64_t(int64_t)> &inputOf, int64_t channels,
                             int64_t places);
};

/// What a spike counts for behind sums of windows that share no element: its window, or −1.
int64_t windowOf(snn::SumPool2dOp pool, int64_t element);
/// Whether no element is in two windows.
bool sharesNothing(snn::SumPool2dOp pool);

} // namespace spindle::snn_to_loops
