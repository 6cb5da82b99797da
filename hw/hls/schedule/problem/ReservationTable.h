// Which operation takes which instance when.
#pragma once

#include "hw/hls/schedule/problem/Problem.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace spindle::hls {

/// Rows are cycles modulo the interval (cycles may be negative, where only rows count), columns the
/// instances of the resources. Without pipelining (interval 0) the rows are the cycles themselves.
/// There are as many rows as were taken so far, those after them are free.
class ReservationTable {
public:
  ReservationTable(const Problem &problem, unsigned interval);

  static constexpr int free = -1;

  /// Instances that can matter: of a resource with more of them than uses, as many as uses.
  unsigned instancesOf(unsigned resource) const { return resources[resource].count; }

  size_t rowOf(int64_t cycle) const;

  /// The operation that takes an instance in a cycle, or `free`.
  int occupant(unsigned resource, unsigned instance, int64_t cycle) const;

  /// Instances, one per use, that are free for `operation` if it starts in `cycle`; nothing if one
  /// is lacking.
  std::optional<std::vector<unsigned>> find(unsigned operation, int64_t cycle) const;
  /// Whether there are some.
  bool fits(unsigned operation, int64_t cycle) const;

  struct Start {
    int64_t cycle;
    std::vector<unsigned> instances;
    bool operator==(const Start &) const = default;
  };
  /// The first cycle of [cycle, end) in which instances are free for `operation`, as find gives
  /// them. Rows in which a resource is taken up are passed over, 64 at a time.
  std::optional<Start> findFrom(unsigned operation, int64_t cycle, int64_t end) const;

  /// All choices of instances for it that differ for operations placed later: of instances that are
  /// taken in the same rows, only the first. For operations with few uses.
  std::vector<std::vector<unsigned>> findAll(unsigned operation, int64_t cycle) const;

  void place(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances);
  void remove(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances);

private:
  struct Instances {
    unsigned count = 0;
    std::vector<int> taken;          // rows × count
    std::vector<unsigned> firstFree; // by row; `count` where all are taken
    llvm::BitVector full;            // by row: all are taken

    void mark(size_t row, unsigned instance, int occupant);
  };

  bool find(unsigned operation, int64_t cycle, llvm::SmallVectorImpl<unsigned> &instances) const;
  int64_t nextCycle(const llvm::BitVector &full, bool isFull, int64_t cycle, int64_t end) const;
  int64_t besideFull(const llvm::BitVector &full, unsigned busy, int64_t cycle, int64_t end) const;
  unsigned leastFree(unsigned resource, int64_t cycle, unsigned busy) const;
  bool isFree(unsigned resource, unsigned instance, int64_t cycle, unsigned busy) const;
  bool isLike(unsigned resource, unsigned instance, unsigned other) const;
  void choose(unsigned operation, int64_t cycle, std::vector<unsigned> &chosen,
              std::vector<std::vector<unsigned>> &choices) const;
  void mark(unsigned operation, int64_t cycle, const std::vector<unsigned> &instances,
            int occupant);

  const Problem *problem;
  unsigned interval;
  std::vector<Instances> resources;
};

} // namespace spindle::hls
