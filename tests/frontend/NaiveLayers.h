// Layers straight from their definitions, as oracles. Images are channel, row, column; outside is
// zero.
#pragma once

#include "tests/frontend/Imported.h"

#include <cstdint>
#include <vector>

namespace spindle {

struct NaiveImage {
  int64_t channels, rows, columns;
  std::vector<double> values;

  double at(int64_t k, int64_t r, int64_t c) const {
    bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
    return inside ? values[(k * rows + r) * columns + c] : 0;
  }
};

inline NaiveImage image(int64_t channels, int64_t rows, int64_t columns, uint64_t seed) {
  return {channels, rows, columns, randomDoubles(size_t(channels * rows * columns), seed)};
}

struct NaiveWindow {
  int64_t rows, columns; // of the kernel
  int64_t strideRows = 1, strideColumns = 1;
  int64_t top = 0, left = 0, bottom = 0, right = 0;
  int64_t dilation = 1;
};

/// `weight` filter, channel of the group, row, column.
inline NaiveImage naiveConv(const NaiveImage &x, const std::vector<float> &weight, int64_t filters,
                            int64_t groups, const NaiveWindow &w) {
  int64_t perGroup = x.channels / groups;
  NaiveImage y{filters, 0, 0, {}};
  y.rows = (x.rows + w.top + w.bottom - w.dilation * (w.rows - 1) - 1) / w.strideRows + 1;
  y.columns =
      (x.columns + w.left + w.right - w.dilation * (w.columns - 1) - 1) / w.strideColumns + 1;
  for (int64_t f = 0; f < filters; ++f)
    for (int64_t r = 0; r < y.rows; ++r)
      for (int64_t c = 0; c < y.columns; ++c) {
        double sum = 0;
        for (int64_t k = 0; k < perGroup; ++k)
          for (int64_t i = 0; i < w.rows; ++i)
            for (int64_t j = 0; j < w.columns; ++j)
              sum += weight[((f * perGroup + k) * w.rows + i) * w.columns + j] *
                     x.at(f * groups / filters * perGroup + k,
                          r * w.strideRows + i * w.dilation - w.top,
                          c * w.strideColumns + j * w.dilation - w.left);
        y.values.push_back(sum);
      }
  return y;
}

inline NaiveImage naiveAverage(const NaiveImage &x, const NaiveWindow &w, bool countPadding) {
  NaiveImage y{x.channels,
               (x.rows + w.top + w.bottom - w.rows) / w.strideRows + 1,
               (x.columns + w.left + w.right - w.columns) / w.strideColumns + 1,
               {}};
  for (int64_t k = 0; k < x.channels; ++k)
    for (int64_t r = 0; r < y.rows; ++r)
      for (int64_t c = 0; c < y.columns; ++c) {
        double sum = 0, inside = 0;
        for (int64_t i = 0; i < w.rows; ++i)
          for (int64_t j = 0; j < w.columns; ++j) {
            int64_t row = r * w.strideRows + i - w.top, column = c * w.strideColumns + j - w.left;
            sum += x.at(k, row, column);
            inside += row >= 0 && row < x.rows && column >= 0 && column < x.columns;
          }
        y.values.push_back(sum / (countPadding ? double(w.rows * w.columns) : inside));
      }
  return y;
}

} // namespace spindle
