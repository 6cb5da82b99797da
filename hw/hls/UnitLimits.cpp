#include "hw/hls/UnitLimits.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"

namespace spindle::hls {

std::optional<std::pair<std::string, unsigned>> parseUnitLimit(llvm::StringRef text) {
  auto [name, number] = text.split('=');
  unsigned count = 0;
  if (name.empty() || number.getAsInteger(10, count) || count == 0)
    return std::nullopt;
  return std::pair(name.str(), count);
}

llvm::Expected<UnitLimits> parseUnitLimits(llvm::StringRef text, const Target &target,
                                           const std::string &place) {
  static const std::map<std::string, std::string> shorts = {
      {"fadd", "addf"}, {"fmul", "mulf"}, {"fdiv", "divf"}, {"fsqrt", "sqrt"},
      {"fcmp", "cmpf"}, {"mul", "muli"},  {"div", "divsi"}};
  UnitLimits limits;
  llvm::SmallVector<llvm::StringRef> entries;
  text.split(entries, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef entry : entries) {
    auto limit = parseUnitLimit(entry);
    if (!limit)
      return inputError(place,
                        fmt::format("'{}', expected a unit and a number of at least 1, e.g. fmul=2",
                                    entry.str()));
    const auto &[name, count] = *limit;
    auto known = shorts.find(name);
    std::string kind = (known == shorts.end() ? name : known->second) + "_";
    bool isFound = false;
    for (const FunctionalUnit &unit : target.units) {
      bool fits = unit.name == name || llvm::StringRef(unit.name).starts_with(kind);
      if (fits)
        limits[unit.name] = count;
      isFound |= fits;
    }
    if (!isFound)
      return inputError(place, fmt::format("target '{}' has no unit '{}'", target.name, name));
  }
  return limits;
}

} // namespace spindle::hls
