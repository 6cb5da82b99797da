// A schedule in the making: operations are placed and removed one by one.
#pragma once

#include "hw/hls/schedule/bounds/Precedences.h"
#include "hw/hls/schedule/problem/ReservationTable.h"
#include "hw/hls/schedule/problem/Schedule.h"

namespace spindle::hls {

class Placement {
public:
  Placement(const Problem &problem, const Precedences &precedences, unsigned interval);
  /// Takes up a complete, valid schedule.
  Placement(const Problem &problem, const Precedences &precedences, const Schedule &schedule);

  bool isPlaced(unsigned operation) const { return starts[operation] != unplaced; }
  int64_t start(unsigned operation) const { return starts[operation]; }
  unsigned interval() const { return initiationInterval; }

  /// Of those placed, see Schedule::depth.
  int64_t depth() const;

  /// The bounds that the placed operations leave: not before the first, not after the second.
  int64_t earliest(unsigned operation) const;
  int64_t latest(unsigned operation) const;
  static constexpr int64_t unlimited = INT64_MAX / 4;

  void place(unsigned operation, int64_t cycle, std::vector<unsigned> chosen);
  /// Places it if instances are free in that cycle.
  bool tryPlace(unsigned operation, int64_t cycle);
  /// Places it in the first cycle of [cycle, end) in which instances are free; false if there is
  /// none.
  bool tryPlaceFrom(unsigned operation, int64_t cycle, int64_t end);
  /// Places it and returns those that had to go for its instances, the least important first
  /// chosen.
  std::vector<unsigned> force(unsigned operation, int64_t cycle,
                              const std::vector<int64_t> &importance);
  void remove(unsigned operation);

  const ReservationTable &reservations() const { return table; }

  /// All are placed: offsets are added, and the result is verified.
  llvm::Expected<Schedule> finish() const;

private:
  static constexpr int64_t unplaced = -1;

  const Problem *problem;
  const Precedences *precedences;
  unsigned initiationInterval;
  std::vector<int64_t> starts;
  std::vector<std::vector<unsigned>> instances;
  ReservationTable table;
};

} // namespace spindle::hls
