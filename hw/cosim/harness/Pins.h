// The ports of a simulated kernel, whatever class Verilator has made of it.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace spindle::hls {

/// A port of up to 64 bits, kept by Verilator in 1, 2, 4 or 8 bytes.
struct Pin {
  void *data = nullptr; // none where the kernel has no such port
  unsigned bytes = 0;

  uint64_t get() const {
    uint64_t value = 0;
    std::memcpy(&value, data, bytes);
    return value;
  }
  void set(uint64_t value) const { std::memcpy(data, &value, bytes); }
};

template <typename Port> Pin pinOf(Port &port) { return {&port, sizeof(Port)}; }

struct ScalarPins {
  Pin value;
  uint64_t mask = ~uint64_t(0); // bits of the port
};

struct PortPins {
  Pin enable, write, address, writeData, readData;
};

struct MemoryPins {
  std::string name;   // arg<i>
  uint64_t words = 0; // of one bank
  uint64_t mask = ~uint64_t(0);
  uint32_t readLatency = 1;
  bool isWritten = true; // by the kernel
  std::vector<std::vector<PortPins>> banks;
};

struct TokenPins {
  std::string name;     // arg<i>
  bool isInput = false; // of the kernel
  uint64_t mask = ~uint64_t(0);
  Pin data, valid, ready;
};

/// All ports of bank 0, of bank 1, ….
inline std::vector<std::vector<PortPins>> inBanks(const PortPins *ports, size_t banks,
                                                  size_t portsPerBank) {
  std::vector<std::vector<PortPins>> result;
  for (size_t bank = 0; bank < banks; ++bank, ports += portsPerBank)
    result.emplace_back(ports, ports + portsPerBank);
  return result;
}

struct KernelPins {
  Pin clock, reset, clockEnable, start, idle, done;
  std::vector<ScalarPins> scalars;
  std::vector<MemoryPins> memories;
  std::vector<TokenPins> streams;
  std::vector<Pin> results;
  std::vector<Pin> watched; // inside of it: each high while something is at work
  std::vector<Pin> fifos;   // likewise: how many tokens each holds
  std::function<void()> evaluate;
  std::function<void(uint64_t)> trace; // writes the moment to the waveform; none without one
};

} // namespace spindle::hls
