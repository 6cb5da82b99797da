// What stands at the other end of an array's bus.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/axi/BusPins.h"
#include "hw/cosim/harness/axi/Channel.h"

#include <memory>

namespace spindle::hls {

class ArrayModel {
public:
  virtual ~ArrayModel() = default;

  /// The elements of a run in row-major order; what is left of the run before is forgotten.
  virtual void load(const Words &elements) = 0;
  /// The same elements as in the run before, which the kernel has kept: it asks for none.
  virtual void keep() = 0;
  virtual void reset() = 0;
  /// Before the edge: what the kernel shall see.
  virtual void drive() = 0;
  /// At the edge in cycle `now`: what it has answered.
  virtual void see(uint64_t now, const Complain &complain) = 0;
  /// After the run: nothing may be missing.
  virtual void finish(const Complain &complain) = 0;

  virtual Words contents() const = 0;
  virtual const Words &lastWrites() const = 0;
  /// The address that the kernel is told; streams have none.
  virtual uint64_t address() const { return 0; }
  /// How far it is, for people.
  virtual std::string progress() const = 0;
};

std::unique_ptr<ArrayModel> makeStreams(const ArrayPins &pins, Chance &chance);
/// `region` tells the addresses of arrays apart.
std::unique_ptr<ArrayModel> makeMemory(const ArrayPins &pins, uint64_t region, Chance &chance);

} // namespace spindle::hls
