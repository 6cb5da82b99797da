// How the spikes of a step travel: as words of bits, then as the numbers of those that are set.
#pragma once

#include "core/network/HardwareNetwork.h"

#include "mlir/IR/BuiltinTypes.h"

namespace spindle::snn_to_loops {

inline int64_t roundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Words of bits, group after group; those of a group come at the same time, one on each of
/// `streams`. Bit b of word w is element first[w] + b · stride. In the last word there is room for
/// one bit more, the mark: it stands for the end of a step.
struct SpikeWords {
  int64_t elements = 0, groups = 1, streams = 1;
  int64_t perWord = 1, stride = 1;
  std::vector<int64_t> first; // groups × streams; `elements` where a word has none
  unsigned bits = 1;          // of a word, with room for the mark

  /// Words of at most 64 bits.
  static SpikeWords ofInputs(int64_t elements);
  /// Of an image, place after place: channels side by side, `perWord` of them in a word.
  static SpikeWords ofPlaces(int64_t channels, int64_t places, int64_t perWord);
  /// So many neighbours in a word, fewer in the last one.
  static SpikeWords ofVector(int64_t elements, int64_t perWord);
  /// Neighbours in groups of so many lanes, the last of which may have fewer.
  static SpikeWords ofNeurons(int64_t neurons, int64_t lanes);

  int64_t words() const { return groups * streams; }
  /// Elements in the word; bits after them are zero.
  int64_t inWord(int64_t word) const;
  /// The bit that ends a step, in the last word.
  int64_t markAt() const { return inWord(words() - 1); }
  int64_t mark() const { return int64_t(uint64_t(1) << markAt()); }

  /// The port of the words of all steps; of one of several streams.
  HardwareArray port(const std::string &name, ArrayRole role, const std::string &layer,
                     int64_t steps) const;
  HardwareArray port(const std::string &name, ArrayRole role, const std::string &layer,
                     int64_t steps, int64_t stream) const;
};

/// Values of the elements of words, once per sample: words of at most 64 bits on as many ports as
/// that takes, of which each has some neighbours among the lanes.
struct ValueWords {
  struct Part {
    HardwareArray port;
    int64_t firstLane = 0; // as many as the port has values in a word
  };
  std::vector<Part> parts;

  /// `lanes` of a group of `words`. Ports are named `name`, or `name`0, `name`1, ….
  static ValueWords of(const SpikeWords &words, int64_t lanes, unsigned valueBits,
                       const std::string &name, ArrayRole role, const std::string &layer);
};

/// Numbers for the spikes of words: bit b of word w is base[w] + b; `end` is the mark, and no spike
/// has its number.
struct EventNumbers {
  std::vector<int64_t> base;
  int64_t end = 0;

  /// The elements themselves, which are neighbours in the words, and behind them the end.
  static EventNumbers ofElements(const SpikeWords &words);
  unsigned bits() const;
};

} // namespace spindle::snn_to_loops
