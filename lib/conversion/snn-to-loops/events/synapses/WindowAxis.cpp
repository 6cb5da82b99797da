#include "lib/conversion/snn-to-loops/events/synapses/WindowAxis.h"

#include <algorithm>
#include <set>

namespace spindle::snn_to_loops {

namespace {

int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

/// A window that an element lies in, beyond the image, too.
struct Place {
  int64_t window, at;
};

std::vector<Place> placesOf(int64_t element, const WindowsAlong &axis) {
  std::vector<Place> places;
  for (int64_t at = 0; at < axis.kernel; ++at)
    if (int64_t start = element + axis.padding - at * axis.dilation;
        modulo(start, axis.stride) == 0)
      places.push_back({(start - modulo(start, axis.stride)) / axis.stride, at});
  return places;
}

bool areApart(const std::vector<Place> &places, int64_t banks) {
  std::set<int64_t> taken;
  return std::all_of(places.begin(), places.end(), [&](const Place &place) {
    return taken.insert(modulo(place.window, banks)).second;
  });
}

} // namespace

int64_t WindowAxis::banksFor(const std::vector<WindowsAlong> &axes) {
  std::vector<std::vector<Place>> all;
  for (const WindowsAlong &axis : axes)
    for (int64_t element = 0; element < axis.extent; ++element)
      all.push_back(placesOf(element, axis));
  int64_t banks = 1;
  while (!std::all_of(all.begin(), all.end(),
                      [&](const std::vector<Place> &places) { return areApart(places, banks); }))
    ++banks;
  return banks;
}

WindowAxis WindowAxis::of(const WindowsAlong &along, int64_t banks) {
  WindowAxis axis;
  axis.banks = banks;
  axis.perBank = (along.windows + axis.banks - 1) / axis.banks;
  for (int64_t at = 0; at < along.extent; ++at) {
    std::vector<Place> places = placesOf(at, along);
    std::vector<int64_t> way(size_t(axis.banks), -1);
    Element element{0, way};
    for (const Place &place : places) {
      auto bank = size_t(modulo(place.window, axis.banks));
      way[bank] = place.at;
      if (place.window >= 0 && place.window < along.windows)
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
