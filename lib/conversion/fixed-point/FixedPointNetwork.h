// A spiking network in the numbers of digital hardware.
#pragma once

#include "lib/conversion/fixed-point/FixedPointOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spindle {

/// How a network will be run.
struct FixedPointUse {
  std::optional<std::pair<float, float>> inputRange{}; // the least and the greatest input
  int64_t steps = 0;                                   // 0: unknown
  bool repeatsEvents = false; // recorded events may be listed several times in a step
};

/// Makes weights integers and populations on them fixed point: linear operations are merged, then
/// the passes snn-quantize-weights and snn-fixed-point-neurons run. Populations that direct
/// encoding drives stay in float; with `integers: all` snn-quantize-input runs first, and nothing
/// stays in float. What cannot be said in fixed point is an error that names the layer; the module
/// is not to be used then.
llvm::Error toFixedPoint(mlir::ModuleOp module, const FixedPointOptions &options,
                         const FixedPointUse &use = {});

/// The weights of a network and the accumulators that their sums need, layer by layer.
struct FixedPointLayer {
  std::string layer;
  unsigned weightBits = 0, accumulatorBits = 0; // with sign
  bool operator==(const FixedPointLayer &) const = default;
};

/// Of a network of integers alone.
std::vector<FixedPointLayer> fixedPointLayers(mlir::ModuleOp module);

/// Which populations of a network are in fixed point, and why the others are not.
struct FixedPointReach {
  struct Left {
    std::string population, reason;
    bool operator==(const Left &) const = default;
  };
  struct Readout {
    std::string population;
    uint64_t bits = 0; // of its membranes
    bool operator==(const Readout &) const = default;
  };
  std::vector<std::string> reached; // those that spike
  std::vector<Readout> readouts;    // in fixed point, those that do not
  std::vector<Left> left;
};

FixedPointReach fixedPointReach(mlir::ModuleOp module);

} // namespace spindle
