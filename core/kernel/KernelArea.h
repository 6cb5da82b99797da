// What a synthesised kernel takes of a device: area.json (docs/formats/kernel-area.md).
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// The slowest path between registers or ports, wires not counted.
struct LibraryTiming {
  std::string tool;        // name and version
  double periodNs = 10;    // of the clock that was asked for
  double worstSlackNs = 0; // below 0: the clock is too fast
  std::string from, to;    // registers by the nets they drive, or ports
  bool operator==(const LibraryTiming &) const = default;

  /// Every path takes one cycle.
  double leastPeriodNs() const { return periodNs - worstSlackNs; }
};

/// What a circuit takes in the cells of a library while it computes, memories not counted. Energies
/// are of one sample.
struct LibraryPower {
  struct Part {
    std::string name; // of a task; empty: what is beside them
    uint64_t cells = 0;
    double leakagePj = 0, clockPj = 0, dataPj = 0;
    double totalPj() const { return leakagePj + clockPj + dataPj; }
    bool operator==(const Part &) const = default;
  };
  std::string tool;       // name and version
  uint64_t samples = 0;   // simulated, one after the other in a stream
  uint64_t cycles = 0;    // that they took together
  uint64_t nets = 0;      // that cells drive
  uint64_t annotated = 0; // of these, with an activity from the simulation
  std::vector<Part> parts;
  bool operator==(const LibraryPower &) const = default;
};

/// Cells of a library, in place of a device.
struct LibraryArea {
  std::string library; // file
  double squareMicrometres = 0;
  uint64_t cells = 0;
  std::optional<LibraryTiming> timing = std::nullopt;
  std::optional<LibraryPower> power = std::nullopt; // then the cells are those beside memories
  bool operator==(const LibraryArea &) const = default;
};

/// Placed and routed on a small device with open tools.
struct RoutedArea {
  std::string tool;        // name and version
  std::string device;      // part and package
  uint64_t logicCells = 0; // a LUT of four inputs, a carry and a flip-flop each
  uint64_t memories = 0;   // blocks of 4 Kb
  uint64_t pins = 0;       // bits of the circuit's ports
  /// The package has fewer pins: ports are joined to shift registers, whose cells are counted.
  bool hasShiftRegisters = false;
  double megahertz = 0;       // the fastest clock after routing
  double targetMegahertz = 0; // of the kernel's target
  bool operator==(const RoutedArea &) const = default;
};

/// Cells of a part of the circuit that was mapped by itself: a task, all streams (`streams`), or
/// what is beside them (`memories and control`).
struct AreaPart {
  std::string name;
  uint64_t lut = 0, ff = 0, dsp = 0;
  double bram = 0;
  uint64_t lutRam = 0; // as of the whole
  bool operator==(const AreaPart &) const = default;
};

struct KernelArea {
  std::string kernel;
  std::string tool; // name and version
  uint64_t lut = 0, ff = 0, dsp = 0;
  double bram = 0;                       // block memories of 36 Kb; one of 18 Kb is a half
  std::map<std::string, uint32_t> units; // instances in the netlist, by kind
  std::optional<LibraryArea> library;
  std::optional<RoutedArea> routed = std::nullopt;
  /// LUTs that cells of LUT RAM take beyond the one that each is counted as in `lut`.
  uint64_t lutRam = 0;
  std::vector<AreaPart> parts = {};           // where they were asked for
  std::optional<AreaPart> bus = std::nullopt; // what puts it behind a bus, by itself
  bool operator==(const KernelArea &) const = default;
};

llvm::Error writeKernelArea(const std::string &path, const KernelArea &area);
llvm::Expected<KernelArea> readKernelArea(const std::string &path);

} // namespace spindle::hls
