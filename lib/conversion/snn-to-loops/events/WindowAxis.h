// Which windows of one axis of an image an element lies in.
#pragma once

#include <cstdint>
#include <vector>

namespace spindle::snn_to_loops {

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

  static WindowAxis of(int64_t extent, int64_t windows, int64_t kernel, int64_t stride,
                       int64_t dilation, int64_t padding);
};

} // namespace spindle::snn_to_loops
