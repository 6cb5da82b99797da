// The SNN on a data set: every spike, and how often it is right after each step.
#pragma once

#include "core/network/Evaluation.h"
#include "core/network/MembraneTrace.h"
#include "core/network/Samples.h"
#include "core/network/SpikeTrace.h"
#include "lib/emulation/runtime/Batches.h"
#include "lib/emulation/runtime/EmulationOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

class Ranks;

struct EmulationResult {
  SpikeTrace trace;
  MembraneTrace membranes; // of the populations that the options name
  EmulationSummary summary;
  double compileSeconds = 0; // preparing the engine; not part of summary.seconds
};

/// Emulates a spiking network on all samples. The answer of a sample is the output with the largest
/// value. Results do not depend on threads, ranks and engine; rank 0 calls this while the others
/// serve. Errors: a module that is no spiking network, samples that do not fit its input, labels
/// beyond its outputs, negative values before encoders of rates or times, membranes of a population
/// that has none. Progress counts samples, or steps where there is only one sample, from the moment
/// on when the engine is ready.
llvm::Expected<EmulationResult> emulate(mlir::ModuleOp snn, const Samples &samples,
                                        const EmulationOptions &options,
                                        const Progress &progress = {}, Ranks *ranks = nullptr);

} // namespace spindle
