// In which cycles a kernel reads and writes the arrays outside of it.
#pragma once

#include "dialects/hls/Hls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace spindle::hls {

/// Accesses of one word, in cycles from the edge that sees the kernel's start; where there are
/// none, the first is after the last.
struct WordTimes {
  int64_t firstRead = INT64_MAX, lastRead = -1, firstWrite = INT64_MAX, lastWrite = -1;

  void add(int64_t cycle, bool isWrite) {
    int64_t &first = isWrite ? firstWrite : firstRead, &last = isWrite ? lastWrite : lastRead;
    first = std::min(first, cycle);
    last = std::max(last, cycle);
  }
  bool operator==(const WordTimes &) const = default;
};

struct AccessTimes {
  /// By argument: its words, bank after bank.
  std::map<uint32_t, std::vector<WordTimes>> words;
  uint64_t cycles = 0; // from start to done
};

/// What may happen to each word, whatever the data are: an access whose condition is data counts as
/// one, an access whose address is data as one of every word. `scalars` are values of arguments, by
/// index; the others are data. Takes time in proportion to the iterations, and to the operations of
/// each that lead to addresses and conditions: nothing where that is more than `mostSteps`, nor
/// where the cycles depend on data.
std::optional<AccessTimes> accessTimes(KernelOp kernel, const std::map<uint32_t, int64_t> &scalars,
                                       uint64_t mostSteps);

} // namespace spindle::hls
