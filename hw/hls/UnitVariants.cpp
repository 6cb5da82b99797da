#include "hw/hls/UnitVariants.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace spindle::hls {

std::vector<std::string> kindsNamed(llvm::StringRef name, const Target &target) {
  static const std::map<std::string, std::string, std::less<>> shorts = {
      {"fadd", "addf"}, {"fmul", "mulf"}, {"fdiv", "divf"}, {"fsqrt", "sqrt"},
      {"fcmp", "cmpf"}, {"mul", "muli"},  {"div", "divsi"}};
  auto known = shorts.find(name.str());
  std::string kind = (known == shorts.end() ? name.str() : known->second) + "_";
  std::vector<std::string> kinds;
  for (const FunctionalUnit &unit : target.units)
    if ((unit.name == name || llvm::StringRef(unit.name).starts_with(kind)) &&
        !llvm::is_contained(kinds, unit.name))
      kinds.push_back(unit.name);
  return kinds;
}

std::vector<const FunctionalUnit *> variantsOf(const std::string &kind, const Target &target) {
  std::vector<const FunctionalUnit *> variants;
  for (const FunctionalUnit &unit : target.units)
    if (unit.name == kind)
      variants.push_back(&unit);
  return variants;
}

/// The entry `name=variant` for each kind of that name which has such a variant.
static llvm::Error readEntry(llvm::StringRef entry, const Target &target, const std::string &place,
                             UnitVariants &variants) {
  auto [name, wanted] = entry.split('=');
  if (name.empty() || wanted.empty())
    return inputError(place, fmt::format("'{}', expected a unit and a variant, e.g. fdiv=pipelined",
                                         entry.str()));
  std::vector<std::string> kinds = kindsNamed(name, target), known;
  if (kinds.empty())
    return inputError(place, fmt::format("target '{}' has no unit '{}'", target.name, name.str()));
  bool isFound = false;
  for (const std::string &kind : kinds)
    for (const FunctionalUnit *unit : variantsOf(kind, target)) {
      if (unit->variant == wanted) {
        variants[kind] = unit->variant;
        isFound = true;
      }
      if (!unit->variant.empty() && !llvm::is_contained(known, unit->variant))
        known.push_back(unit->variant);
    }
  if (isFound)
    return llvm::Error::success();
  return inputError(
      place,
      known.empty()
          ? fmt::format("target '{}' has one '{}' only, no variants", target.name, name.str())
          : fmt::format("target '{}' has no variant '{}' of '{}', expected {}", target.name,
                        wanted.str(), name.str(), fmt::join(known, " or ")));
}

llvm::Expected<UnitVariants> parseUnitVariants(llvm::StringRef text, const Target &target,
                                               const std::string &place) {
  UnitVariants variants;
  llvm::SmallVector<llvm::StringRef> entries;
  text.split(entries, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef entry : entries)
    SPINDLE_RETURN_IF_ERROR(readEntry(entry, target, place, variants));
  return variants;
}

Target withVariants(Target target, const UnitVariants &variants) {
  for (const auto &[kind, variant] : variants) {
    auto isKind = [&](const FunctionalUnit &unit) { return unit.name == kind; };
    auto first = std::find_if(target.units.begin(), target.units.end(), isKind);
    auto chosen = std::find_if(first, target.units.end(), [&](const FunctionalUnit &unit) {
      return isKind(unit) && unit.variant == variant;
    });
    if (chosen != target.units.end()) // units for fewer bits stay before those for more
      std::rotate(first, chosen, chosen + 1);
  }
  return target;
}

} // namespace spindle::hls
