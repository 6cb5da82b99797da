// How the spikes of a step travel: as words of bits, then as the numbers of those that are set.
#pragma once

#include "core/network/HardwareNetwork.h"

#include "mlir/IR/BuiltinTypes.h"

namespace spindle::snn_to_loops {

/// Elements in groups of neighbours, lane by lane; the bits of a group are divided among `streams`
/// words of `bits`, which come at the same time, group after group. In the last word there is room
/// for one bit more: it stands for the end of a step.
struct SpikeWords {
  int64_t elements = 0, groups = 1, lanes = 1, streams = 1;
  unsigned bits = 1;

  /// Words of at most 64 bits.
  static SpikeWords ofInputs(int64_t elements);
  static SpikeWords ofNeurons(int64_t neurons, int64_t lanes);

  int64_t words() const { return groups * streams; }
  /// The first element of a word.
  int64_t first(int64_t group, int64_t stream) const { return group * lanes + stream * bits; }
  int64_t lastFirst() const { return first(groups - 1, streams - 1); }
  /// Elements in a word of a stream; bits after them are zero.
  int64_t inWord(int64_t stream) const {
    return std::min<int64_t>(bits, lanes - stream * int64_t(bits));
  }
  /// The number that ends a step, and the bits of all numbers.
  int64_t end() const { return elements; }
  unsigned eventBits() const;
  /// The bit for that number, in the last word of a step.
  int64_t mark() const { return int64_t(uint64_t(1) << (end() - lastFirst())); }

  /// The port of the words of one stream in all steps.
  HardwareArray port(const std::string &name, ArrayRole role, const std::string &layer,
                     int64_t steps, int64_t stream) const;
};

} // namespace spindle::snn_to_loops
