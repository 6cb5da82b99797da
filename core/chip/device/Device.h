// The memory cells of a crossbar, their wires and converters: the section `crossbar.device`.
// Models and where they come from: docs/rationale/devices.md.
#pragma once

#include "core/support/formats/Yaml.h"

#include <cstdint>
#include <string>

namespace spindle {

/// A conductance falls as (seconds / referenceSeconds)^-exponent; each cell has its own exponent.
struct Drift {
  double exponent = 0, deviation = 0; // mean and standard deviation of the cells' exponents
  double seconds = 0;                 // since programming …
  double referenceSeconds = 1; // … and when a cell has the conductance it was programmed to
  bool operator==(const Drift &) const = default;
};

/// Resistance of the wires between cells, in rows and columns.
struct CellWires {
  double segmentOhm = 0; // from a cell to the next one
  double onOhm = 1e5;    // of a cell that is on
  bool operator==(const CellWires &) const = default;
};

/// What reads the sum of a column: signed codes around zero, evenly apart.
struct Adc {
  uint32_t bits = 0; // 0: sums are read exactly
  double range = 0;  // most that can be read, in largest weights of the crossbar
  bool operator==(const Adc &) const = default;
};

/// A weight is the difference of two cells. Absent values disturb nothing.
struct Device {
  std::string source = {};
  uint32_t levels = 0;         // conductances that a cell can be programmed to; 0: any
  double offConductance = 0;   // in conductances of a cell that is on; on_off_ratio is its inverse
  double programmingNoise = 0; // standard deviation, in shares of the conductance
  double readNoise = 0;        // … at each reading
  double stuckOn = 0, stuckOff = 0; // shares of the cells
  Drift drift = {};
  CellWires wires = {};
  Adc converter = {};
  uint64_t seed = 1;

  /// Whether another seed may give other cells or readings.
  bool isRandom() const {
    return programmingNoise > 0 || readNoise > 0 || stuckOn > 0 || stuckOff > 0 ||
           drift.deviation > 0;
  }
  bool operator==(const Device &) const = default;
};

inline constexpr double kMostVariation = 2;
inline constexpr uint32_t kMostConverterBits = 40;

/// Reads the section (docs/formats/chip.md).
void readDevice(YamlReader reader, Device &device);

} // namespace spindle
