#include "lib/dataset/Transforms.h"

#include "core/support/CounterRandom.h"
#include "gmock/gmock.h"

#include <algorithm>
#include <cmath>

using namespace spindle;
using testing::ElementsAre;
using testing::FloatEq;
using testing::Pointwise;

namespace {

Samples randomSamples(std::vector<int64_t> shape, size_t count) {
  Samples samples;
  samples.shape = shape;
  CounterRandom random(7);
  for (size_t i = 0; i < count * samples.size(); ++i)
    samples.values.push_back(static_cast<float>(random.below(256)));
  samples.labels.assign(count, 0);
  return samples;
}

/// Weight of source pixel `i` for a destination pixel: the tent function about the mapped centre.
double tent(int64_t destination, int64_t source, int64_t in, int64_t out) {
  double center = std::clamp((destination + 0.5) * in / out - 0.5, 0.0, in - 1.0);
  return std::max(0.0, 1 - std::abs(center - source));
}

} // namespace

// The example in the documentation of torch.nn.Upsample, align_corners=False.
TEST(Transforms, ResizesAsTheDocumentedExample) {
  Samples samples{{1, 2, 2}, {1, 2, 3, 4}, {0}};
  resizeBilinear(samples, 4, 4);
  EXPECT_THAT(samples.shape, ElementsAre(1, 4, 4));
  EXPECT_THAT(samples.values, ElementsAre(1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25,
                                          3.5, 3, 3.25, 3.75, 4));
}

TEST(Transforms, ResizesAsTheTentFunction) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{32, 32}, {5, 9}, {1, 1}, {7, 28}}) {
    Samples samples = randomSamples({2, 7, 28}, 3);
    Samples before = samples;
    resizeBilinear(samples, rows, columns);
    ASSERT_EQ(samples.values.size(), size_t(3 * 2 * rows * columns));
    for (int64_t i = 0; i < static_cast<int64_t>(samples.values.size()); ++i) {
      int64_t column = i % columns, row = i / columns % rows, plane = i / (columns * rows);
      double expected = 0;
      for (int64_t y = 0; y < 7; ++y)
        for (int64_t x = 0; x < 28; ++x)
          expected += tent(row, y, 7, rows) * tent(column, x, 28, columns) *
                      before.values[static_cast<size_t>((plane * 7 + y) * 28 + x)];
      ASSERT_NEAR(samples.values[static_cast<size_t>(i)], expected, 1e-3) << i;
    }
    if (rows == 7 && columns == 28) { // nothing to do
      EXPECT_EQ(samples, before);
    }
  }
}

TEST(Transforms, NormalisesInFloatPerChannel) {
  Samples samples{{2, 1, 2}, {255, 0, 100, 50, 1, 2, 3, 4}, {0, 1}};
  normalize(samples, 0.1f, {1, 2}, {3, 4});
  std::vector<float> expected = {(25.5f - 1) / 3, -1 / 3.f,      (10.f - 2) / 4, (5.f - 2) / 4,
                                 (.1f - 1) / 3,   (.2f - 1) / 3, (.3f - 2) / 4,  (.4f - 2) / 4};
  EXPECT_THAT(samples.values, Pointwise(FloatEq(), expected));
  Samples untouched{{2}, {0.1f, 3e30f}, {0}};
  normalize(untouched, 1, {0}, {1});
  EXPECT_THAT(untouched.values, ElementsAre(0.1f, 3e30f));
}

TEST(Transforms, PadsWithZerosAfterNormalising) {
  DatasetOptions options;
  options.pad = 1;
  options.mean = {5};
  Samples samples{{1, 1, 2}, {8, 9, 6, 7}, {0, 1}};
  ASSERT_FALSE(static_cast<bool>(prepare(options, samples)));
  EXPECT_THAT(samples.shape, ElementsAre(1, 3, 4));
  EXPECT_THAT(samples.values,
              ElementsAre(0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0));
}

TEST(Transforms, WrongShapesAreRefused) {
  DatasetOptions options;
  options.place = "f.yaml:3:1";
  options.pad = 1;
  Samples vectors{{4}, {1, 2, 3, 4}, {0}};
  EXPECT_EQ(
      toText(prepare(options, vectors)),
      "f.yaml:3:1: error: resize and pad need images (channel, row, column), the samples have "
      "the shape (4)");
  options.pad = 0;
  options.std = {1, 1, 1};
  Samples grey{{1, 1, 2}, {1, 2}, {0}};
  EXPECT_EQ(
      toText(prepare(options, grey)),
      "f.yaml:3:1: error: std has 3 values, expected one, or one per channel of the shape (1, "
      "1, 2)");
}
