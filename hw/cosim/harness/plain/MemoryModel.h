// The memories around a kernel: block RAM that watches how it is used.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/Pins.h"

#include <optional>

namespace spindle::hls {

/// One argument, all its banks. What is read is there `readLatency` cycles later for one cycle;
/// before and after there is garbage, so that a kernel that looks too early or too late is found.
class MemoryModel {
public:
  MemoryModel(const MemoryPins &memoryPins, uint64_t seed);

  /// New contents; forgets when words were written, and reads under way.
  void load(const Words &contents);
  /// The edge of the clock in cycle `cycle`, before it: takes the accesses at the ports. Returns
  /// what is wrong with them. `mayWrite` is false while no run is under way.
  std::optional<std::string> sample(uint64_t cycle, bool mayWrite);
  /// After the edge: puts the data that is due on the ports.
  void drive();

  const Words &contents() const { return words; }
  const Words &lastWrites() const { return written; }
  uint64_t reads() const { return readCount; }
  uint64_t writes() const { return writeCount; }
  /// The last access, for people; empty before the first.
  std::string lastAccess(uint64_t now) const;

private:
  struct Access {
    bool isWrite;
    uint64_t address, data;
  };
  /// Where and when.
  struct Last {
    size_t bank, port;
    Access access;
    uint64_t cycle;
  };
  std::optional<Access> accessAt(const PortPins &port) const;
  std::optional<std::string> faultOf(size_t bank, size_t port, bool mayWrite) const;
  std::optional<std::string> sampleBank(size_t bank, uint64_t cycle, bool mayWrite);
  void perform(size_t bank, size_t port, const Access &access, uint64_t cycle);
  std::string wordName(size_t bank, size_t port, const Access &access) const;
  uint64_t garbage();

  const MemoryPins &pins;
  Words words, written;
  std::vector<size_t> firstPorts;              // of each bank among all
  std::vector<std::optional<Access>> accesses; // of one bank in one cycle
  /// Per stage of the read latency, per port of every bank: the data on its way.
  std::vector<std::vector<std::optional<uint64_t>>> stages;
  uint64_t state; // of the garbage
  uint64_t readCount = 0, writeCount = 0;
  std::optional<Last> last;
};

} // namespace spindle::hls
