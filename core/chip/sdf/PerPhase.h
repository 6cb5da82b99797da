// Numbers that take turns from firing to firing: rates and times of a cyclo-static graph.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace spindle {

/// One number for each phase of an actor, from the first one again after the last; a single one
/// holds for every firing.
template <typename T> class PerPhase {
public:
  PerPhase(T everyFiring = 0) : single(everyFiring) {}
  /// At least one number.
  PerPhase(std::vector<T> ofPhases) {
    assert(!ofPhases.empty());
    single = ofPhases.front();
    if (ofPhases.size() == 1)
      return;
    Turn turn{std::move(ofPhases), {}};
    uint64_t sum = 0;
    for (T number : turn.numbers) {
      if (__builtin_add_overflow(sum, number, &sum))
        sum = UINT64_MAX;
      turn.sums.push_back(sum);
    }
    turns = std::make_shared<const Turn>(std::move(turn));
  }

  size_t phases() const { return turns ? turns->numbers.size() : 1; }
  std::vector<T> list() const { return turns ? turns->numbers : std::vector<T>{single}; }
  T operator[](uint64_t firing) const {
    return turns ? turns->numbers[firing % turns->numbers.size()] : single;
  }
  /// Of one turn; 2^64 - 1 stands for that and more.
  uint64_t total() const { return turns ? turns->sums.back() : uint64_t(single); }
  /// Of the first `firings`, where that fits.
  uint64_t sum(uint64_t firings) const {
    if (!turns)
      return firings * uint64_t(single);
    uint64_t rest = firings % phases();
    return firings / phases() * total() + (rest == 0 ? 0 : turns->sums[rest - 1]);
  }
  /// The first firing of a turn up to which, itself included, more than `amount` is summed up;
  /// amount < total(). O(log phases).
  size_t firingPast(uint64_t amount) const {
    if (!turns)
      return 0;
    return static_cast<size_t>(std::upper_bound(turns->sums.begin(), turns->sums.end(), amount) -
                               turns->sums.begin());
  }
  T largest() const { return turns ? *std::ranges::max_element(turns->numbers) : single; }

  bool operator==(const PerPhase &other) const { return list() == other.list(); }

private:
  struct Turn {
    std::vector<T> numbers;
    std::vector<uint64_t> sums; // of the numbers up to each, itself included
  };

  T single; // the first number, the only one of most graphs
  std::shared_ptr<const Turn> turns;
};

} // namespace spindle
