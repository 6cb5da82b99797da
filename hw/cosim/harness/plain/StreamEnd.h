// The other end of a stream of a kernel: tokens come and go, with stalls.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/Pins.h"

#include <optional>

namespace spindle::hls {

/// One argument. In a stalled cycle no token is offered, or none is taken; a token that is offered
/// stays until it is taken.
class StreamEnd {
public:
  explicit StreamEnd(const TokenPins &streamPins) : pins(streamPins) {}

  /// The tokens of a run; of streams that the kernel writes there are none.
  void load(const Words &tokens);
  /// Before a cycle: puts on the pins what the kernel is to see.
  void drive(bool stalls);
  /// The edge at its end, in cycle `now`. Returns what is wrong: a token that changes before it is
  /// taken.
  std::optional<std::string> sample(uint64_t now);

  /// Whether the kernel offers a token.
  bool isOffered() const { return !pins.isInput && pins.valid.get(); }
  /// Tokens that the kernel took are no longer left, those that it gave are moved.
  size_t left() const { return tokens.size() - next; }
  size_t moved() const { return pins.isInput ? next : tokens.size(); }
  const Words &received() const { return tokens; }
  /// The cycle in which each of them moved.
  const Words &moments() const { return cycles; }

private:
  const TokenPins &pins;
  Words tokens, cycles;
  size_t next = 0;
  bool isShown = false;            // a token that the kernel has not taken
  std::optional<uint64_t> pending; // of the kernel, not taken in the cycle before
};

} // namespace spindle::hls
