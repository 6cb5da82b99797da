// Which windows an element lies in, against a search of all windows.
#include "lib/conversion/snn-to-loops/events/synapses/WindowAxis.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <set>

using namespace spindle;
using snn_to_loops::WindowAxis;

namespace {

TEST(WindowAxis, FindsTheWindowsOfEveryElement) {
  CounterRandom random(5);
  auto below = [&](uint32_t bound) { return int64_t(random.below(bound)); };
  for (int run = 0; run < 300; ++run) {
    int64_t kernel = 1 + below(5), stride = 1 + below(3), dilation = 1 + below(3),
            before = below(3), behind = below(3), reach = (kernel - 1) * dilation + 1,
            extent = reach + below(12), windows = (extent + before + behind - reach) / stride + 1;
    std::string what = fmt::format("extent {} kernel {} stride {} dilation {} before {} windows {}",
                                   extent, kernel, stride, dilation, before, windows);
    WindowAxis axis = WindowAxis::of({extent, windows, kernel, stride, dilation, before});
    ASSERT_EQ(int64_t(axis.elements.size()), extent) << what;
    EXPECT_GE(axis.banks * axis.perBank, windows) << what;
    std::set<int64_t> used;
    for (int64_t element = 0; element < extent; ++element) {
      const WindowAxis::Element &found = axis.elements[size_t(element)];
      used.insert(found.way);
      std::vector<int64_t> numbers(size_t(axis.banks), -1), places(size_t(axis.banks), -1);
      for (int64_t window = 0; window < windows; ++window)
        for (int64_t place = 0; place < kernel; ++place)
          if (window * stride + place * dilation - before == element) {
            ASSERT_EQ(numbers[size_t(window % axis.banks)], -1) << what; // one for each bank
            numbers[size_t(window % axis.banks)] = window / axis.banks;
            places[size_t(window % axis.banks)] = place;
          }
      EXPECT_EQ(found.numbers, numbers) << what << " element " << element;
      for (size_t bank = 0; bank < places.size(); ++bank) {
        if (places[bank] >= 0) {
          EXPECT_EQ(axis.ways[size_t(found.way)][bank], places[bank]) << what;
        }
      }
    }
    EXPECT_EQ(used.size(), axis.ways.size()) << what;
  }
}

/// Five by five windows of stride one: five banks, and five ways to lie in them.
TEST(WindowAxis, HasAsManyBanksAsWindowsReachAnElement) {
  WindowAxis axis = WindowAxis::of({12, 8, 5, 1, 1, 0});
  EXPECT_EQ(axis.banks, 5);
  EXPECT_EQ(axis.perBank, 2);
  EXPECT_EQ(axis.ways.size(), 5u);
  EXPECT_EQ(WindowAxis::of({12, 6, 2, 2, 1, 0}).banks, 1);
}

} // namespace
