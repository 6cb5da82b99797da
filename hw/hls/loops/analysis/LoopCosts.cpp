#include "hw/hls/loops/analysis/LoopCosts.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

namespace spindle::hls {

LoopCosts defaultCosts() {
  LoopCosts costs;
  costs.target.name = "default";
  for (const char *type : {"f32", "f64"})
    for (auto [operations, latency] : {std::pair(std::vector<std::string>{"addf", "subf"}, 6u),
                                       {std::vector<std::string>{"mulf"}, 6u},
                                       {std::vector<std::string>{"divf", "sqrt"}, 30u}}) {
      FunctionalUnit unit;
      unit.name = operations.front() + "_" + type;
      unit.operations = operations;
      unit.type = type;
      unit.latency = latency;
      costs.target.units.push_back(unit);
    }
  return costs;
}

llvm::Expected<LoopCosts> readCosts(const std::string &target,
                                    const std::vector<std::string> &limits) {
  LoopCosts costs = defaultCosts();
  if (!target.empty()) {
    SPINDLE_ASSIGN(costs.target, readTarget(target));
  }
  for (const std::string &limit : limits) {
    auto parsed = parseUnitLimit(limit);
    if (!parsed)
      return inputError("", fmt::format("found the limit '{}', expected a kind of unit and a "
                                        "positive number such as mulf_f64=2",
                                        limit));
    costs.units[parsed->first] = parsed->second;
  }
  return costs;
}

} // namespace spindle::hls
