// Networks whose layers take events, one spike after the other.
#pragma once

#include "lib/conversion/snn-to-loops/LoopProgram.h"
#include "lib/conversion/snn-to-loops/ProgramBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::snn_to_loops {

/// A chain of dense layers, from an encoder to a decoder, as processes that streams join. Errors
/// name the layer that has no form in events.
llvm::Expected<LoopProgram> eventNetwork(mlir::func::FuncOp function,
                                         const CircuitOptions &options);

} // namespace spindle::snn_to_loops
