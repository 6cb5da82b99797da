// What a module says of the way between populations: delays, and currents without spikes. Private
// to this folder.
#pragma once

#include "core/support/Error.h"
#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace spindle::sanafe {

/// A population and what it is driven by, in the order of their numbers.
struct TimedPopulation {
  mlir::Operation *op = nullptr;
  std::string name;
  /// What its current is without spikes: empty is zero.
  std::vector<float> current;
  /// Whether the host computes its current from the sample.
  bool isDriven = false;
  /// In how many steps less it would spike here than where each spike takes a step (of the module).
  uint32_t shift = 0;
};

/// The populations of `@main` with their shifts. Where spikes move membranes after D steps, the
/// shift of a target is that of its source plus 1 - D. Errors name the operation: ways of different
/// delays, delays that differ between neurons or synapses, maxima of spikes.
llvm::Expected<std::vector<TimedPopulation>> timedPopulations(mlir::ModuleOp module);

} // namespace spindle::sanafe
