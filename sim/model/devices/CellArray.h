// The cells of one crossbar, once they are programmed.
#pragma once

#include "core/chip/device/Device.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace spindle {

/// Values at rows × columns, row after row.
struct CellMatrix {
  uint32_t rows = 0, columns = 0;
  std::vector<double> values;

  CellMatrix() = default;
  CellMatrix(uint32_t rowCount, uint32_t columnCount)
      : rows(rowCount), columns(columnCount), values(size_t(rowCount) * columnCount) {}
  double &at(uint32_t row, uint32_t column) { return values[size_t(row) * columns + column]; }
  double at(uint32_t row, uint32_t column) const { return values[size_t(row) * columns + column]; }
};

/// The two arrays whose difference is a weight, in conductances of a cell that is on.
struct CellPair {
  CellMatrix positive, negative;
};

/// What the cells should be: with g the off conductance, g + (1 − g)·max(±weight, 0) / largest.
CellPair targetsOf(const CellMatrix &weights, double largest, const Device &device);

/// What they are: the nearest level, times 1 + noise (no less than zero), drifted, unless the cell
/// is stuck. A cell depends on seed, crossbar and place alone. A device that disturbs nothing
/// leaves the targets bit for bit.
CellPair programmed(const CellPair &targets, const Device &device, uint64_t seed,
                    uint32_t crossbar);

/// Two independent values of mean 0 and variance 1 from two random words (Box and Muller 1958).
std::pair<double, double> standardNormals(uint32_t first, uint32_t second);

} // namespace spindle
