// What stands at the other end of a kernel's stream.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/axi/Channel.h"

namespace spindle::hls {

class TokenModel {
public:
  virtual ~TokenModel() = default;

  /// The tokens of a run; of a stream that the kernel writes, as many as a memory has room for.
  virtual void load(const Words &tokens) = 0;
  virtual void reset() = 0;
  /// Before the edge: what the kernel shall see.
  virtual void drive() = 0;
  /// At the edge in cycle `now`: what it has answered.
  virtual void see(uint64_t now, const Complain &complain) = 0;
  /// After the run: nothing may be on its way.
  virtual void finish(const Complain &complain) const = 0;

  /// Tokens that the kernel gave; of what it took, those of the run.
  virtual Words moved() const = 0;
  /// Of those that it takes, the ones that it has not taken.
  virtual uint64_t left() const = 0;
  /// The cycle in which each of them moved.
  virtual Words moments() const = 0;
  /// The address that the kernel is told; where there is none, 0.
  virtual uint64_t address() const { return 0; }
  /// How far it is, for people.
  virtual std::string progress() const = 0;
};

} // namespace spindle::hls
