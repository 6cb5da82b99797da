// A spiking network with some of its populations made exact: analog instead of spiking.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace spindle {

/// Why a population has no analog twin, empty where it has one: integrate-and-fire neurons, leaky
/// or not, whose spikes do not come back.
std::string twinObstacle(mlir::Operation *population);

struct AnalogTwin {
  std::string layer;
  std::vector<float> maximum{}; // most spikes per step, one or one per channel; empty: no limit
};

/// A copy of `snn` in which the populations with these `layer` names are `snn.rectifier`s of r ·
/// rate / threshold: they output spikes as real numbers, so that the signals after them become
/// currents. A counting decoder of such spikes becomes an integrator. Errors: a name that no
/// population has, a population without a twin.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> withAnalogTwins(mlir::ModuleOp snn,
                                                                  llvm::ArrayRef<AnalogTwin> twins);

} // namespace spindle
