// Which windows of one axis of an image an element lies in.
#pragma once

#include <cstdint>
#include <vector>

namespace spindle::snn_to_loops {

/// The windows along an axis: `extent` elements, and where they are in a window.
struct WindowsAlong {
  int64_t extent = 1, windows = 1, kernel = 1, stride = 1, dilation = 1, padding = 0;
};

/// Windows are shared out to banks in turn, as many as have no two windows of an element: window w
/// is number w / banks of bank w % banks.
struct WindowAxis {
  int64_t banks = 1, perBank = 1;
  /// Elements lie in their windows in one of a few ways: the place in the window of each bank, −1
  /// where the bank has none for it.
  std::vector<std::vector<int64_t>> ways;
  struct Element {
    int64_t way = 0;
    std::vector<int64_t> numbers; // per bank, −1 where there is no such window
  };
  std::vector<Element> elements;

  static WindowAxis of(const WindowsAlong &axis) { return of(axis, banksFor({axis})); }
  /// With so many banks, at least as many as it needs.
  static WindowAxis of(const WindowsAlong &axis, int64_t banks);
  /// The fewest that have no two windows of an element of any of these axes.
  static int64_t banksFor(const std::vector<WindowsAlong> &axes);
};

} // namespace spindle::snn_to_loops
