// The other end of a kernel's AXI4-Stream: packets in and out, with stalls.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/axi/BusPins.h"
#include "hw/cosim/harness/axi/TokenModel.h"

namespace spindle::hls {

/// One argument. A beat that is offered stays until it is taken; what carries nothing is garbage:
/// data without valid, bytes that TKEEP leaves out.
class BeatEnd : public TokenModel {
public:
  BeatEnd(const BeatPins &beatPins, Chance &common);

  void load(const Words &tokens) override;
  void reset() override;
  void drive() override;
  void see(uint64_t now, const Complain &complain) override;
  void finish(const Complain &complain) const override;

  Words moved() const override { return tokens; }
  uint64_t left() const override { return pins.isInput ? tokens.size() - cycles.size() : 0; }
  Words moments() const override { return cycles; }
  std::string progress() const override;

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
