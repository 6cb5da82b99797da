// A kernel behind AXI as `synth --bus` writes it: axi.json (docs/formats/axi.md).
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// How arrays come to the kernel and leave it.
enum class AxiData {
  Stream, // AXI4-Stream, one element per beat, row-major
  Memory  // AXI4: the kernel's own masters read and write arrays at addresses that the host gives
};

/// A register of the AXI4-Lite bus, 64 bits.
struct AxiRegister {
  std::string name; // arg<i>: a scalar, or the address of an array; result<k>
  uint64_t offset;  // in bytes
  bool operator==(const AxiRegister &) const = default;
};

/// An argument that is a stream of tokens: an AXI4-Stream `arg<i>_in` or `arg<i>_out` with a token
/// in each beat, the lowest bits first.
struct AxiStream {
  std::string name;       // arg<i>
  uint32_t bytes = 1;     // of a beat
  uint64_t beats = 0;     // of a packet, whose last one has TLAST; 0: there are no packets
  uint32_t lastBytes = 1; // that hold anything in the last beat; where fewer, there is TKEEP
  bool hasPackets() const { return beats > 0; }
  bool isPartial() const { return hasPackets() && lastBytes < bytes; }
  bool operator==(const AxiStream &) const = default;
};

inline constexpr unsigned kMostMemoryChannels = 16;

/// An AXI4 master that arguments share, `mem0_…`: each array or stream is in one of them.
struct AxiChannel {
  std::string name;                // mem<k>
  uint32_t bits = 64;              // of a word
  std::vector<std::string> reads;  // arg<i>: what the circuit reads through it
  std::vector<std::string> writes; // arg<i>: what it writes
  bool operator==(const AxiChannel &) const = default;
};

struct BusInterface {
  std::string top; // SystemVerilog module
  AxiData data = AxiData::Stream;
  std::vector<std::string> sources; // SystemVerilog files, beside axi.json
  std::vector<AxiRegister> registers;
  std::vector<AxiStream> streams = {};   // in the order of the arguments
  std::vector<AxiChannel> channels = {}; // with AxiData::Memory; none: each array has its master

  /// The offset of a register, or nothing.
  std::optional<uint64_t> offsetOf(const std::string &name) const;
  /// The stream of an argument, or null.
  const AxiStream *streamOf(const std::string &name) const;
  /// Whether a channel moves the argument, to the circuit or from it.
  bool isInChannel(const std::string &name) const;
  bool operator==(const BusInterface &) const = default;
};

llvm::Error writeBusInterface(const std::string &path, const BusInterface &bus);
llvm::Expected<BusInterface> readBusInterface(const std::string &path);

} // namespace spindle::hls
