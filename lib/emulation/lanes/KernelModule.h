// The generated kernels of a network and what their arguments mean.
#pragma once

#include "dialects/snn/NeuronModel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace spindle::lanes {

/// Samples of a batch: the width of the vectors in the kernels, one AVX-512 register of floats.
constexpr int64_t kLanes = 16;

/// @setup works once per sample and resets all state, @step once per step.
enum class Phase { Setup, Step };

struct KernelBuffer {
  int64_t elements;
  bool lanes;                   // vectors; else a parameter, of floats or of indices
  std::vector<float> contents;  // of a parameter of floats or of vectors
  std::vector<int32_t> indices; // of a parameter of indices
};

/// Models that the kernels hold by their address.
using NeuronModels = std::vector<std::unique_ptr<snn::NeuronModel>>;

struct KernelModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelBuffer> buffers;
  llvm::DenseMap<mlir::Value, size_t> signals; // buffer of each signal of the network
  std::vector<size_t> membranes;               // buffer of each population; unused for encoders
  std::vector<size_t> counts;                  // spikes so far of each population
  std::vector<size_t> events;                  // buffers of the encoders of events
  NeuronModels models;
};

} // namespace spindle::lanes
