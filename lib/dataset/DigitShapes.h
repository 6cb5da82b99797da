// How the ten digits are written: strokes through control points, several ways each.
#pragma once

#include <vector>

namespace spindle {

struct Point {
  double x, y; // the digit's box is the unit square, y growing down
};

/// A smooth curve through its points; a repeated point makes a corner.
using Stroke = std::vector<Point>;

struct DigitShape {
  double width; // of the box, its height being one
  std::vector<Stroke> strokes;
};

/// The ways of writing each of the ten digits.
const std::vector<std::vector<DigitShape>> &digitShapes();

} // namespace spindle
