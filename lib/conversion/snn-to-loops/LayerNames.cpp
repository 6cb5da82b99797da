#include "lib/conversion/snn-to-loops/LayerNames.h"

#include "dialects/snn/Names.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cassert>

using namespace mlir;

namespace spindle::snn_to_loops {

LayerNames::LayerNames(Block &network) {
  for (snn::NamedPopulation &each : snn::namedPopulations(network)) {
    all.take(each.name);
    populations[each.op] = std::move(each.name);
  }
}

const std::string &LayerNames::ofPopulation(Operation *op) const {
  auto population = populations.find(op);
  assert(population != populations.end() && "no population");
  return population->second;
}

std::string LayerNames::of(Operation *op) {
  auto population = populations.find(op);
  return population == populations.end() ? unique(snn::nameOf(op)) : population->second;
}

std::string LayerNames::unique(const std::string &name) { return all.takeFree(name); }

LayerOptions LayerNames::optionsOf(const std::string &layer, int64_t neurons,
                                   const CircuitOptions &options) {
  optional.push_back(layer);
  return options.of(layer, neurons);
}

llvm::Error LayerNames::check(const CircuitOptions &options) const {
  for (const auto &[name, own] : options.layers)
    if (std::find(optional.begin(), optional.end(), name) == optional.end())
      return inputError("", fmt::format("{}, expected one of {}",
                                        all.isTaken(name)
                                            ? fmt::format("layer '{}' takes no options", name)
                                            : fmt::format("found no layer '{}'", name),
                                        fmt::join(optional, ", ")));
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
