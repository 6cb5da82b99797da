// Round-robin choice between requests.
#pragma once

#include <bit>
#include <cstdint>

namespace spindle {

/// Serves up to 64 places in turn: who was served has the lowest priority next time, so nobody
/// starves.
class Arbiter {
public:
  /// The place whose turn it is among those set in `requests`, which is not empty.
  uint32_t choose(uint64_t requests) const {
    uint64_t fromNext = requests >> next;
    return static_cast<uint32_t>(fromNext != 0 ? next + std::countr_zero(fromNext)
                                               : std::countr_zero(requests));
  }
  /// `place` of `places` was served.
  void served(uint32_t place, uint32_t places) {
    next = static_cast<uint8_t>(place + 1 == places ? 0 : place + 1);
  }
  uint32_t pick(uint64_t requests, uint32_t places) {
    uint32_t winner = choose(requests);
    served(winner, places);
    return winner;
  }

private:
  uint8_t next = 0;
};

} // namespace spindle
