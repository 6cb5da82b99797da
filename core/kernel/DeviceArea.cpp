#include "core/kernel/DeviceArea.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <limits>

namespace spindle::hls {

namespace {

struct Resource {
  const char *name, *key;
  double DeviceArea::*amount;
};
constexpr Resource kResources[] = {{"LUT", "lut", &DeviceArea::lut},
                                   {"FF", "ff", &DeviceArea::ff},
                                   {"DSP", "dsp", &DeviceArea::dsp},
                                   {"BRAM", "bram", &DeviceArea::bram}};

/// Three digits are what an estimate is worth; halves of a block stay.
std::string roundedText(double value) {
  if (value < 1000)
    return fmt::format("{}", std::ceil(value * 2) / 2);
  double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return fmt::format("{:.0f}", std::ceil(value / unit) * unit);
}

} // namespace

DeviceArea &DeviceArea::operator+=(const DeviceArea &other) {
  for (const Resource &resource : kResources)
    this->*resource.amount += other.*resource.amount;
  return *this;
}

std::string areaText(const DeviceArea &area) {
  std::vector<std::string> parts;
  for (const Resource &resource : kResources)
    parts.push_back(roundedText(area.*resource.amount) + " " + resource.name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string excessText(const DeviceArea &area, const DeviceArea &limit) {
  std::vector<std::string> parts;
  for (const Resource &resource : kResources)
    if (area.*resource.amount > limit.*resource.amount)
      parts.push_back(fmt::format("{} {} of {}", roundedText(area.*resource.amount), resource.name,
                                  limit.*resource.amount));
  return fmt::format("{}", fmt::join(parts, ", "));
}

llvm::Error checkBudget(const DeviceArea &estimate, const DeviceArea &budget,
                        const std::string &place) {
  std::string excess = excessText(estimate, budget);
  if (excess.empty())
    return llvm::Error::success();
  return inputError(place, fmt::format("the circuit takes about {} in the budget; fewer iterations "
                                       "side by side (--unroll) or fewer units (--resources) make "
                                       "it smaller",
                                       excess));
}

llvm::Expected<DeviceArea> parseBudget(const std::string &text, const std::string &place) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  DeviceArea budget{unlimited, unlimited, unlimited, unlimited};
  for (llvm::StringRef entry : llvm::split(llvm::StringRef(text), ',')) {
    auto [key, number] = entry.split('=');
    const Resource *resource = llvm::find_if(
        kResources, [&, name = key](const Resource &each) { return name == each.key; });
    double value = -1;
    if (resource == std::end(kResources) || number.getAsDouble(value) || !(value >= 0))
      return inputError(place, fmt::format("'{}', expected numbers from 0 such as "
                                           "lut=20000,ff=40000,dsp=100,bram=50",
                                           entry.str()));
    budget.*resource->amount = value;
  }
  return budget;
}

} // namespace spindle::hls
