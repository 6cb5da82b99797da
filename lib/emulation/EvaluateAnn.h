// The ANN before its conversion: how often it is right, and what its layers output.
#pragma once

#include "core/network/Activations.h"
#include "core/network/Evaluation.h"
#include "core/network/Samples.h"
#include "lib/emulation/runtime/Batches.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Runs the ANN on all samples. `model` and `source` of the result are the caller's to fill in.
/// Errors as for `emulate`; a spiking network is refused.
llvm::Expected<AnnEvaluation> evaluateAnn(mlir::ModuleOp ann, const Samples &samples,
                                          size_t threads, const Progress &progress = {});

/// The error of `evaluateAnn` where the samples do not fit the input, without evaluating any.
llvm::Error checkSamples(mlir::ModuleOp ann, const Samples &samples);

/// The class that the ANN answers for each sample. Errors as for `evaluateAnn`.
llvm::Expected<std::vector<uint32_t>> classify(mlir::ModuleOp ann, const Samples &samples,
                                               size_t threads);

/// What every snn.relu outputs, named as the layer, for all samples; and last, unless it is a
/// rectifier itself, the result of the function under the name of its last synapse with weights.
/// Needs 4 bytes for each activation of each sample.
llvm::Expected<Activations> collectActivations(mlir::ModuleOp ann, const Samples &samples,
                                               size_t threads, const Progress &progress = {});

} // namespace spindle
