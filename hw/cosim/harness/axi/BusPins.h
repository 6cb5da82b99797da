// The ports of a simulated kernel behind AXI.
#pragma once

#include "hw/cosim/harness/Pins.h"

namespace spindle::hls {

/// The kernel answers, on AXI4-Lite of 32 bits.
struct LitePins {
  Pin awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
  Pin arvalid, arready, araddr, rvalid, rready, rdata, rresp;
};

struct StreamPins {
  Pin valid, ready, data;
  Pin last; // only where the kernel sends
};

/// The kernel asks, on AXI4.
struct ReadPins {
  Pin arvalid, arready, araddr, arlen, arsize, arburst, rvalid, rready, rdata, rresp, rlast;
};
struct WritePins {
  Pin awvalid, awready, awaddr, awlen, awsize, awburst, wvalid, wready, wdata, wstrb, wlast;
  Pin bvalid, bready, bresp;
};

/// One array: streams, or a master and the register that holds its address.
struct ArrayPins {
  std::string name; // arg<i>
  uint64_t elements = 0;
  unsigned bytes = 1; // of an element
  uint64_t mask = ~uint64_t(0);
  bool isWritten = true; // by the kernel
  uint64_t addressRegister = 0;
  StreamPins in, out;
  ReadPins read;
  WritePins write;
  bool isShared = false; // it lies behind channels: none of these pins is there
};

/// An argument that is a stream.
struct BeatPins {
  std::string name;             // arg<i>
  bool isInput = false;         // of the kernel
  uint64_t mask = ~uint64_t(0); // bits of a token
  unsigned bytes = 1;           // of a beat
  uint64_t packet = 0;          // beats; 0: there are no packets
  unsigned lastBytes = 1;       // of a packet's last beat
  Pin valid, ready, data;
  Pin keep, last;        // where packets have them
  bool isShared = false; // it lies behind channels: none of these pins is there
};

/// A master that arguments share.
struct ChannelPins {
  std::string name;                       // mem<k>
  std::vector<std::string> reads, writes; // arg<i>
  ReadPins read;                          // where there are reads
  WritePins write;                        // where there are writes
};

struct RegisterPlace {
  uint64_t offset = 0; // in bytes, 64 bits
  uint64_t mask = ~uint64_t(0);
};

/// The registers, a write or a read that takes as long as it takes.
struct RegisterBus {
  std::function<void(uint32_t, uint32_t)> writeRegister;
  std::function<uint32_t(uint32_t)> readRegister;
  void write(uint32_t offset, uint32_t value) { writeRegister(offset, value); }
  uint32_t read(uint32_t offset) { return readRegister(offset); }
};

/// The driver that was written for hosts, with words for its arguments and results; none where
/// there is none.
struct HostDriver {
  /// `addresses`: of arrays, then of streams behind channels.
  std::function<void(RegisterBus &, const std::vector<uint64_t> &scalars,
                     const std::vector<uint64_t> &addresses, bool hasInterrupt, bool keeps)>
      start;
  std::function<std::vector<uint64_t>(RegisterBus &)> results;
};

struct BusPins {
  Pin clock, reset, interrupt;
  LitePins lite;
  bool hasStreams = true; // for arrays; else masters
  std::vector<RegisterPlace> scalars, results;
  std::vector<ArrayPins> arrays;
  std::vector<BeatPins> streams;
  std::vector<ChannelPins> channels;
  HostDriver driver;
  std::function<void()> evaluate;
  std::function<void(uint64_t)> trace; // writes the moment to the waveform; none without one
};

} // namespace spindle::hls
