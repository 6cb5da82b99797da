#include "hw/hls/UnitLimits.h"

#include "hw/hls/UnitVariants.h"

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
    std::vector<std::string> kinds = kindsNamed(name, target);
    if (kinds.empty())
      return inputError(place, fmt::format("target '{}' has no unit '{}'", target.name, name));
    for (const std::string &kind : kinds)
      limits[kind] = count;
  }
  return limits;
}

} // namespace spindle::hls
