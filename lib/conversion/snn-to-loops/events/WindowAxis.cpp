#include "lib/conversion/snn-to-loops/events/WindowAxis.h"

#include <algorithm>
#include <set>

namespace spindle::snn_to_loops {

namespace {

int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

/// A window that an element lies in, beyond the image, too.
struct Place {
  int64_t window, at;
};

std::vector<Place> placesOf(int64_t element, int64_t kernel, int64_t stride, int64_t dilation,
                            int64_t padding) {
  std::vector<Place> places;
  for (int64_t at = 0; at < kernel; ++at)
    if (int64_t start = element + padding - at * dilation; modulo(start, stride) == 0)
      places.push_back({(start - modulo(start, stride)) / stride, at});
  return places;
}

} // namespace

WindowAxis WindowAxis::of(int64_t extent, int64_t windows, int64_t kernel, int64_t stride,
                          int64_t dilation, int64_t padding) {
  std::vector<std::vector<Place>> all;
  for (int64_t element = 0; element < extent; ++element)
    all.push_back(placesOf(element, kernel, stride, dilation, padding));
  WindowAxis axis;
  auto areApart = [&](const std::vector<Place> &places) {
    std::set<int64_t> taken;
    return std::all_of(places.begin(), places.end(), [&](const Place &place) {
      return taken.insert(modulo(place.window, axis.banks)).second;
    });
  };
  while (!std::all_of(all.begin(), all.end(), areApart))
    ++axis.banks;
  axis.perBank = (windows + axis.banks - 1) / axis.banks;
  for (const std::vector<Place> &places : all) {
    std::vector<int64_t> way(size_t(axis.banks), -1);
    Element element{0, way};
    for (const Place &place : places) {
      auto bank = size_t(modulo(place.window, axis.banks));
      way[bank] = place.at;
      if (place.window >= 0 && place.window < windows)
        element.numbers[bank] = place.window / axis.banks;
    }
    auto known = std::find(axis.ways.begin(), axis.ways.end(), way);
    element.way = known - axis.ways.begin();
    if (known == axis.ways.end())
      axis.ways.push_back(way);
    axis.elements.push_back(std::move(element));
  }
  return axis;
}

} // namespace spindle::snn_to_loops
