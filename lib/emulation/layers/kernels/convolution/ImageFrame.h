// An image with room around it, so that windows may reach outside.
#pragma once

#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

struct ImageFrame {
  int64_t channels, rows, columns;
  int64_t top, left, bottom, right; // padding

  int64_t height() const { return top + rows + bottom; }
  int64_t line() const { return left + columns + right; }
  int64_t plane() const { return height() * line(); }
  bool isNeeded() const { return plane() != rows * columns; }
  /// A copy for the thread; nobody writes the room around the image. Nearly nothing where there is
  /// no padding.
  size_t add(PlanBuilder &b) const;
  /// What windows read of an image: itself, or a copy with room around it, which is written here.
  Array around(StageKernel &k, Array image, Array frame) const;
};

} // namespace spindle::layers
