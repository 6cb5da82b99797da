// ANN → SNN: every rectifier becomes a population, weights absorb the scales of the activations.
#pragma once

#include "core/network/Evaluation.h"
#include "core/support/Error.h"
#include "lib/conversion/ann-to-snn/ConversionPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <optional>

namespace spindle {

struct SpikingNetwork {
  /// Where a calibration that tried several percentiles started.
  struct Start {
    double percentile = 0;
    uint64_t tried = 0;   // percentiles
    uint64_t differs = 0; // calibration samples that it answers otherwise than the ANN
  };

  mlir::OwningOpRef<mlir::ModuleOp> module;
  ConversionSummary summary;
  /// By layer: the activation that one stands for in each element of what its weights read. Only
  /// layers that read signals in time.
  std::map<std::string, std::vector<float>> sourceScales;
  std::optional<Start> start = std::nullopt;
};

/// Whether the answers of `@main` are those of a rectifier, or a maximum of them, whose neurons are
/// then compared with each other.
bool endsInRectifier(mlir::ModuleOp ann);

/// Warns where `decoding: membrane` asks for the membranes of a rectifier at the end, which has
/// spikes only: they are counted, under first_spike their times are read.
void warnOfRectifierAtEnd(mlir::ModuleOp ann, const ConversionOptions &options);

/// Converts `@main` of `ann`: snn synapses over tensors in any arrangement without cycles, with
/// snn.relu and snn.max_pool2d between them, by a plan with the layers of this network.
///
/// Direct encoding: the operations before the first rectifiers stay with the host (they keep tensor
/// type) and its populations receive their result as constant current. The other encodings: the
/// input spikes. The last layer becomes integrators read by their membranes, or spiking neurons,
/// which a rectifier at the end is in any case.
///
/// With method first_spike, `options.steps` is divided into equal windows, one per layer on the
/// longest way; values are the time from a spike to the end of its window.
///
/// Errors: max pooling of sums, an operation without a spiking counterpart; under first_spike
/// branches of unequal depth.
llvm::Expected<SpikingNetwork> convertAnnToSnn(mlir::ModuleOp ann, const ConversionPlan &plan,
                                               const ConversionOptions &options);

/// The same by `planFromActivations`. `activations` holds the output of every snn.relu, in order,
/// and of the last layer.
llvm::Expected<SpikingNetwork> convertAnnToSnn(mlir::ModuleOp ann, const Activations &activations,
                                               const ConversionOptions &options);

} // namespace spindle
