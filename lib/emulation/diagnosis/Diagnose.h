// What each layer of a converted network costs, and how it goes wrong.
#pragma once

#include "core/network/Diagnosis.h"
#include "core/network/Evaluation.h"
#include "core/network/Samples.h"
#include "lib/emulation/runtime/Batches.h"
#include "lib/emulation/runtime/EmulationOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Compares every spiking layer with the rectifier of the same name in the ANN, and emulates the
/// network once more for each, with its analog twin in its place. `conversion` holds the scales the
/// network was converted with. All samples are recorded: memory for their spikes and for the
/// activations of the ANN. Errors as for `emulate` and `evaluateAnn`; a network that was not
/// converted, or not from this ANN.
llvm::Expected<Diagnosis> diagnose(mlir::ModuleOp ann, mlir::ModuleOp snn,
                                   const ConversionSummary &conversion, const Samples &samples,
                                   const EmulationOptions &options, const Progress &progress = {});

} // namespace spindle
