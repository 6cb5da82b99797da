// The memory at the other end of a channel: words of 64 bits, so many cycles away.
#pragma once

#include "hw/cosim/harness/axi/BusPins.h"
#include "hw/cosim/harness/axi/Region.h"

#include <deque>

namespace spindle::hls {

/// One channel. A burst's first word comes `latency` cycles after its address was taken, one word
/// per cycle from then on where no burst before it is in the way; an answer to a burst that is
/// written so many cycles after its last word.
class ChannelModel {
public:
  /// `reads` and `writes` are what may be moved through it.
  ChannelModel(const ChannelPins &pins, std::vector<Region *> reads, std::vector<Region *> writes,
               uint64_t latency, Chance &chance);

  void reset();
  void drive(uint64_t now);
  void see(uint64_t now, const Complain &complain);
  /// After the run: no burst may be under way.
  void finish(const Complain &complain) const;

private:
  struct Burst {
    Region *region = nullptr;
    uint64_t address = 0, beats = 0, due = 0;
  };
  struct Beat {
    uint64_t data = 0, strobes = 0;
    bool isLast = false;
    uint64_t cycle = 0;
  };
  Region *regionOf(const std::vector<Region *> &regions, uint64_t address) const;
  bool check(Burst &burst, uint64_t size, uint64_t kind, const std::vector<Region *> &regions,
             const char *channel, const Complain &complain) const;
  uint64_t dataAt(const Burst &burst);
  uint64_t lanesOf(const Burst &burst) const;
  static void mark(const Burst &burst, uint64_t lanes, Words &cycles, uint64_t now);
  void seeReads(uint64_t now, const Complain &complain);
  void seeWrites(uint64_t now, const Complain &complain);
  void store(const Complain &complain);

  const ChannelPins &pins;
  std::vector<Region *> readable, writable;
  uint64_t latency;
  Chance &chance;
  Held ar, aw, w;
  std::deque<Burst> reads, writes;
  std::deque<Beat> beats;
  std::deque<uint64_t> answers; // when they are due
  bool isReadValid = false, isAnswerValid = false;
  uint64_t offered = 0;
};

} // namespace spindle::hls
