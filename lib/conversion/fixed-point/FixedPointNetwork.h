// A spiking network in the numbers of digital hardware.
#pragma once

#include "lib/conversion/fixed-point/FixedPointOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace spindle {

/// Makes weights integers and populations on them fixed point: linear operations are merged, then
/// the passes snn-quantize-weights and snn-fixed-point-neurons run. Populations that direct
/// encoding drives stay in float. What cannot be said in fixed point is an error that names the
/// layer; the module is not to be used then.
llvm::Error toFixedPoint(mlir::ModuleOp module, const FixedPointOptions &options);

/// Which populations of a network are in fixed point, and why the others are not.
struct FixedPointReach {
  struct Left {
    std::string population, reason;
    bool operator==(const Left &) const = default;
  };
  std::vector<std::string> reached;
  std::vector<Left> left;
};

FixedPointReach fixedPointReach(mlir::ModuleOp module);

} // namespace spindle
