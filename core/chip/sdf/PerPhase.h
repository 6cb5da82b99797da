// Numbers that take turns from firing to firing: rates and times of a cyclo-static graph.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace spindle {

/// One number for each phase of an actor, from the first one again after the last; a single one
/// holds for every firing.
template <typename T> class PerPhase {
public:
  PerPhase(T everyFiring = 0) : PerPhase(std::vector<T>{everyFiring}) {}
  /// At least one number.
  PerPhase(std::vector<T> ofPhases) : numbers(std::move(ofPhases)) {
    assert(!numbers.empty());
    uint64_t sum = 0;
    for (T number : numbers) {
      if (__builtin_add_overflow(sum, number, &sum))
        sum = UINT64_MAX;
      sums.push_back(sum);
    }
  }

  size_t phases() const { return numbers.size(); }
  const std::vector<T> &list() const { return numbers; }
  T operator[](uint64_t firing) const { return numbers[firing % numbers.size()]; }
  /// Of one turn; 2^64 - 1 stands for that and more.
  uint64_t total() const { return sums.back(); }
  /// Of the first `firings`, where that fits.
  uint64_t sum(uint64_t firings) const {
    uint64_t rest = firings % numbers.size();
    return firings / numbers.size() * total() + (rest == 0 ? 0 : sums[rest - 1]);
  }
  /// The first firing of a turn up to which, itself included, more than `amount` is summed up;
  /// amount < total(). O(log phases).
  size_t firingPast(uint64_t amount) const {
    return static_cast<size_t>(std::upper_bound(sums.begin(), sums.end(), amount) - sums.begin());
  }
  T largest() const { return *std::max_element(numbers.begin(), numbers.end()); }

  bool operator==(const PerPhase &other) const { return numbers == other.numbers; }

private:
  std::vector<T> numbers;
  std::vector<uint64_t> sums; // of the numbers up to each, itself included
};

} // namespace spindle
