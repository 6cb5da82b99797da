// Round-robin choice between the ports of a router.
#pragma once

#include <bit>
#include <cstdint>

namespace spindle {

/// Serves requests in turn: the winner has the lowest priority next time, so no port starves.
class Arbiter {
public:
  /// One of the `ports` set in `requests`, which is not empty.
  uint32_t pick(uint32_t requests, uint32_t ports) {
    uint32_t fromNext = requests >> next;
    uint32_t winner = static_cast<uint32_t>(fromNext != 0 ? next + std::countr_zero(fromNext)
                                                          : std::countr_zero(requests));
    next = static_cast<uint8_t>(winner + 1 == ports ? 0 : winner + 1);
    return winner;
  }

private:
  uint8_t next = 0;
};

} // namespace spindle
