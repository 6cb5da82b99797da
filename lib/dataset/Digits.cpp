#include "lib/dataset/Digits.h"

#include "core/support/CounterRandom.h"
#include "lib/dataset/DigitShapes.h"
#include "lib/dataset/Formats.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

// Chosen by eye on contact sheets, then so that a 784-128-10 perceptron errs on one to two digits
// in a hundred: neither trivial nor hopeless. Lengths in units of the digit's height unless in
// pixels.
constexpr double heightPx = 19;   // MNIST's digits fill a box of 20 pixels
constexpr double jitter = 0.035;  // standard deviation of a control point
constexpr double rotation = 0.14; // standard deviations, radians
constexpr double shear = 0.18;
constexpr double stretch = 0.10; // of width and height, relative
constexpr double shiftPx = 1.1;
constexpr double radiusPx = 1.25, radiusSpreadPx = 0.28, leastRadiusPx = 0.75;
constexpr double pressure = 0.18; // change of the radius along a stroke, relative
constexpr double softPx = 0.7;    // half the width of the soft edge
constexpr double noise = 6;       // standard deviation of the ink's grey value
constexpr int spanSegments = 6;   // straight pieces between two control points

/// The random numbers of one digit.
class Hand {
public:
  Hand(uint64_t seed, uint32_t index) : random(seed, index) {}
  /// Standard normal but for the tails: the sum of four uniforms, which no hand exceeds.
  double normal() {
    double sum = -2;
    for (int i = 0; i < 4; ++i)
      sum += random.uniform();
    return sum * std::sqrt(3.0);
  }
  uint32_t below(uint32_t bound) { return random.below(bound); }

private:
  CounterRandom random;
};

struct Vertex {
  double x, y, radius; // pixels
};

/// From the digit's unit box to pixels: stretch, slant, rotate about the centre, shift.
struct Placement {
  double xx, xy, yx, yy, dx, dy;
  Placement(Hand &hand, double width) {
    double height = heightPx * (1 + stretch * hand.normal());
    double breadth = heightPx * width * (1 + 1.5 * stretch * hand.normal());
    double angle = rotation * hand.normal(), slant = shear * hand.normal();
    double c = std::cos(angle), s = std::sin(angle);
    xx = c * breadth;
    xy = -(c * slant + s) * height;
    yx = s * breadth;
    yy = (c - s * slant) * height;
    dx = digitSide / 2.0 + shiftPx * hand.normal();
    dy = digitSide / 2.0 + shiftPx * hand.normal();
  }
  Vertex operator()(double x, double y) const {
    return {xx * (x - 0.5) + xy * (y - 0.5) + dx, yx * (x - 0.5) + yy * (y - 0.5) + dy, 0};
  }
};

/// Catmull-Rom interpolation between b and c.
double spline(double a, double b, double c, double d, double t) {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/// The stroke as a chain of straight pieces; the pen presses harder at one end.
std::vector<Vertex> trace(const Stroke &stroke, const Placement &place, Hand &hand, double radius) {
  std::vector<Vertex> knots;
  for (const Point &point : stroke) {
    double x = point.x + jitter * hand.normal(); // one draw per statement: compilers differ in the
    double y = point.y + jitter * hand.normal(); // order in which they evaluate arguments
    knots.push_back(place(x, y));
  }
  for (size_t i = 1; i < stroke.size(); ++i) // corners stay corners
    if (stroke[i].x == stroke[i - 1].x && stroke[i].y == stroke[i - 1].y)
      knots[i] = knots[i - 1];
  double lean = pressure * hand.normal();
  std::vector<Vertex> chain;
  for (size_t i = 0; i + 1 < knots.size(); ++i)
    for (int step = 0; step <= spanSegments; ++step) {
      if (step == 0 && i > 0)
        continue;
      const Vertex &a = knots[i == 0 ? 0 : i - 1], &b = knots[i], &c = knots[i + 1];
      const Vertex &d = knots[std::min(i + 2, knots.size() - 1)];
      double t = double(step) / spanSegments;
      double along = (double(i) + t) / double(knots.size() - 1) - 0.5;
      chain.push_back({spline(a.x, b.x, c.x, d.x, t), spline(a.y, b.y, c.y, d.y, t),
                       radius * (1 + 2 * lean * along)});
    }
  return chain;
}

/// Raises every pixel near the piece a–b to the ink that its distance leaves there.
void ink(const Vertex &a, const Vertex &b, double soft, float *pixels) {
  double reach = std::max(a.radius, b.radius) + soft;
  auto first = [&](double p, double q) {
    return std::max(0, int(std::floor(std::min(p, q) - reach)));
  };
  auto last = [&](double p, double q) {
    return std::min(digitSide - 1, int(std::floor(std::max(p, q) + reach)));
  };
  double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  for (int row = first(a.y, b.y); row <= last(a.y, b.y); ++row)
    for (int column = first(a.x, b.x); column <= last(a.x, b.x); ++column) {
      double px = column + 0.5 - a.x, py = row + 0.5 - a.y;
      double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
      double ex = px - t * dx, ey = py - t * dy;
      double distance = std::sqrt(ex * ex + ey * ey);
      double radius = a.radius + t * (b.radius - a.radius);
      double cover = std::clamp(0.5 + (radius - distance) / (2 * soft), 0.0, 1.0);
      float &pixel = pixels[row * digitSide + column];
      pixel = std::max(pixel, float(cover));
    }
}

} // namespace

void drawDigit(uint64_t seed, uint32_t index, float *pixels) {
  std::fill_n(pixels, digitSide * digitSide, 0.0f);
  Hand hand(seed, index);
  const std::vector<DigitShape> &ways = digitShapes()[index % 10];
  const DigitShape &shape = ways[hand.below(static_cast<uint32_t>(ways.size()))];
  Placement place(hand, shape.width);
  double radius = std::max(leastRadiusPx, radiusPx + radiusSpreadPx * hand.normal());
  double soft = softPx * (1 + 0.3 * hand.normal());
  for (const Stroke &stroke : shape.strokes) {
    std::vector<Vertex> chain = trace(stroke, place, hand, radius);
    for (size_t i = 0; i + 1 < chain.size(); ++i)
      ink(chain[i], chain[i + 1], soft, pixels);
  }
  for (int i = 0; i < digitSide * digitSide; ++i)
    if (pixels[i] > 0) // scanners leave the paper clean
      pixels[i] =
          float(std::clamp(std::round(255 * pixels[i] + noise * hand.normal()), 0.0, 255.0));
}

Samples drawDigits(uint64_t seed, size_t count) {
  Samples samples;
  samples.shape = {1, digitSide, digitSide};
  samples.values.resize(count * samples.size());
  for (size_t i = 0; i < count; ++i) {
    drawDigit(seed, static_cast<uint32_t>(i), samples.values.data() + i * samples.size());
    samples.labels.push_back(static_cast<uint32_t>(i % 10));
  }
  return samples;
}

/// Without a limit; the set has no end of its own.
static constexpr int64_t defaultDigits = 1000;

llvm::Expected<Inspected> inspectDigits(const DatasetOptions &, const SampleSource &source,
                                        const PathResolver &) {
  auto count = static_cast<size_t>(source.limit.value_or(defaultDigits));
  return Inspected{{}, count, {1, digitSide, digitSide}};
}

llvm::Expected<Samples> readDigits(const DatasetOptions &, const SampleSource &source,
                                   const PathResolver &) {
  return drawDigits(static_cast<uint64_t>(source.seed),
                    static_cast<size_t>(source.limit.value_or(defaultDigits)));
}

} // namespace spindle
