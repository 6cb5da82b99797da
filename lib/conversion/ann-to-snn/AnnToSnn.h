// ANN → SNN: every rectifier becomes a population, weights absorb the scales of the activations.
#pragma once

#include "lib/conversion/ann-to-snn/ConversionOptions.h"
#include "lib/core/Activations.h"
#include "lib/core/Evaluation.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spindle {

struct SpikingNetwork {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ConversionSummary summary;
};

/// Converts `@main` of `ann`, a chain of snn synapses over tensors with snn.relu between them.
/// `activations` holds the output of every snn.relu, in order, and of the last layer.
///
/// Direct encoding: the linear operations before the first rectifier stay with the host (they keep
/// tensor type) and its population receives their result as constant current. Poisson encoding: the
/// input spikes. The last layer becomes integrators read by their membranes, or spiking neurons
/// that are counted.
///
/// Errors: a value with two consumers, an operation without a spiking counterpart.
llvm::Expected<SpikingNetwork> convertAnnToSnn(mlir::ModuleOp ann, const Activations &activations,
                                               const ConversionOptions &options);

} // namespace spindle
