// The other end of a kernel's AXI4-Stream: packets in and out, with stalls.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/axi/BusPins.h"
#include "hw/cosim/harness/axi/Channel.h"

namespace spindle::hls {

/// One argument. A beat that is offered stays until it is taken; what carries nothing is garbage:
/// data without valid, bytes that TKEEP leaves out.
class BeatEnd {
public:
  BeatEnd(const BeatPins &beatPins, Chance &common);

  /// The tokens of a run; of streams that the kernel writes there are none.
  void load(const Words &tokens);
  void reset();
  /// Before the edge: what the kernel shall see.
  void drive();
  /// At the edge in cycle `now`: what it has answered.
  void see(uint64_t now, const Complain &complain);
  /// After the run: nothing may be on its way.
  void finish(const Complain &complain) const;

  /// Tokens that the kernel gave; of what it took, those of the run.
  const Words &moved() const { return tokens; }
  uint64_t left() const { return pins.isInput ? tokens.size() - cycles.size() : 0; }
  /// The cycle in which each of them moved.
  const Words &moments() const { return cycles; }
  /// How far it is, for people.
  std::string progress() const;

private:
  bool isLast(uint64_t beat) const { return pins.packet > 0 && (beat + 1) % pins.packet == 0; }
  /// TKEEP of that beat.
  uint64_t bytesOf(uint64_t beat) const {
    return (uint64_t(1) << (isLast(beat) ? pins.lastBytes : pins.bytes)) - 1;
  }
  uint64_t beatMask() const {
    return pins.bytes == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * pins.bytes) - 1;
  }

  const BeatPins &pins;
  Chance &chance;
  Held held;
  Words tokens, cycles;
  bool isValid = false; // a token that the kernel has not taken
  uint64_t shown = 0;   // its beat
};

} // namespace spindle::hls
