// What of a flow makes of it the ANN of 8-bit integers of the same network, by the same stages.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace spindle {

/// Settings `key=value`, as `--set` takes them: all layers but the last one keep their activations
/// (conversion.tensor), all are tensor kernels, and the last one's sums are the membranes of its
/// readout after one step. Lanes and inputs are such that the slowest layer is as fast as `dsp`
/// products at a time allow; `target` as the flow names it. Nothing where the network is no chain
/// of dense layers, convolutions and poolings, or `dsp` is too small for a product per filter.
std::vector<std::string> int8AnnSettings(mlir::ModuleOp network, const std::string &target,
                                         double dsp);

} // namespace spindle
