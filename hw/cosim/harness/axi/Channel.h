// What all channels of AXI have: stalls, and rules of valid and ready.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace spindle::hls {

/// Chance of a whole bench: xorshift64.
struct Chance {
  uint64_t state = 1;
  uint64_t stallPercent = 0; // of the cycles in which a channel could go on

  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  bool goes() { return (next() >> 11) % 100 >= stallPercent; }
};

/// Takes what is wrong with the kernel.
using Complain = std::function<void(const std::string &)>;

/// Once valid, a channel that the kernel drives keeps valid and payload until it is ready.
class Held {
public:
  explicit Held(std::string channelName) : name(std::move(channelName)) {}

  void see(bool valid, bool ready, std::vector<uint64_t> payload, const Complain &complain) {
    if (waits && !valid)
      complain(name + " takes back valid before it was ready");
    else if (waits && payload != last)
      complain(name + " changes its payload before it was ready");
    waits = valid && !ready;
    last = std::move(payload);
  }
  void reset() { waits = false; }

private:
  std::string name;
  bool waits = false;
  std::vector<uint64_t> last;
};

} // namespace spindle::hls
