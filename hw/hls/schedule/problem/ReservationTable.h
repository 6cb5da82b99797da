// Which operation takes which instance when.
#pragma once

#include "hw/hls/schedule/problem/Problem.h"

#include <cstdint>

namespace spindle::hls {

/// Rows are cycles modulo the interval (cycles may be negative, where only rows count), columns the
/// instances of the resources. Without pipelining (interval 0) the rows are the cycles themselves
/// and grow as needed.
class ReservationTable {
public:
  ReservationTable(const Problem &problem, unsigned interval);

  static constexpr int free = -1;

  /// Instances that can matter: of a resource with more of them than uses, as many as uses.
  unsigned instancesOf(unsigned resource) const {
    return firstColumn[resource + 1] - firstColumn[resource];
  }

  size_t rowOf(int64_t cycle) const;

  /// The operation that takes an instance in a cycle, or `free`.
  int occupant(unsigned resource, unsigned instance, int64_t cycle) const;

  /// Instances, one per use, that are free for `operation` if it starts in `cycle`; nothing if one
  /// is lacking.
  std::optional<std::vector<unsigned>> find(unsigned operation, int64_t cycle) const;
  /// All choices of instances for it that differ for operations placed later: of instances that are
  /// taken in the same rows, only the first. For operations with few uses.
  std::vector<std::vector<unsigned>> findAll(unsigned operation, int64_t cycle) const;

  void place(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances);
  void remove(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances);

private:
  bool isFree(unsigned resource, unsigned instance, int64_t cycle, unsigned busy) const;
  bool isLike(unsigned resource, unsigned instance, unsigned other) const;
  void choose(unsigned operation, int64_t cycle, std::vector<unsigned> &chosen,
              std::vector<std::vector<unsigned>> &choices) const;
  void mark(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances,
            int occupant);

  const Problem *problem;
  unsigned interval, columns = 0;
  std::vector<unsigned> firstColumn; // by resource
  std::vector<int> taken;            // rows × columns
};

} // namespace spindle::hls
