// What stays on the host beside a circuit: the values of a network in front of its encoders.
#pragma once

#include "core/network/Samples.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// A signal that is computed once per sample, of the first `count` samples: samples × elements, by
/// the reference interpreter. Errors: samples that do not fit the network.
llvm::Expected<std::vector<float>> hostValues(mlir::ModuleOp network, mlir::Value signal,
                                              const Samples &samples, size_t count);

} // namespace spindle
