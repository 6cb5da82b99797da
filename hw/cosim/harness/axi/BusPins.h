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
};

struct RegisterPlace {
  uint64_t offset = 0; // in bytes, 64 bits
  uint64_t mask = ~uint64_t(0);
};

struct BusPins {
  Pin clock, reset, interrupt;
  LitePins lite;
  bool hasStreams = true; // else masters
  std::vector<RegisterPlace> scalars, results;
  std::vector<ArrayPins> arrays;
  std::function<void()> evaluate;
  std::function<void(uint64_t)> trace; // writes the moment to the waveform; none without one
};

} // namespace spindle::hls
