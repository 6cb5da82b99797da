// All tensor layers of a network in front of its first neurons, or behind its last ones.
#pragma once

#include "lib/conversion/snn-to-loops/LayerNames.h"
#include "lib/conversion/snn-to-loops/tensor/TensorStreams.h"

namespace spindle::snn_to_loops {

struct TensorChain {
  std::vector<TensorLayer> tensors;  // in the order in which they are computed
  std::vector<HardwareLayer> layers; // of all but the last one, which its population describes
  snn::DecodeOp counts;              // the first one's input, unless that is the network's

  /// The layers in front of an encoder that `program.options` says are tensor layers, poolings
  /// between them included, the last one in any case. Errors: those of `tensorLayers`; a layer that
  /// is to be one is not among them.
  static llvm::Expected<TensorChain> of(ProgramBuilder &program, LayerNames &names,
                                        snn::EncodeOp encode);

  /// The layers from counted spikes to the answer; `last` describes the one that answers. Errors:
  /// those of `tensorLayersBehind`; one of style clock.
  static llvm::Expected<TensorChain> behind(ProgramBuilder &program, LayerNames &names,
                                            snn::DecodeOp counts, HardwareLayer &last);

  /// Of the sums that the population takes: channels, rows, columns where they are an image.
  llvm::ArrayRef<int64_t> shape() const;

  /// The processes; what the last layer makes goes to `out`. `last` describes that layer. Errors:
  /// lanes or inputs that do not fit.
  llvm::Error emit(ProgramBuilder &program, const TensorStreams &out, HardwareLayer &last,
                   llvm::function_ref<void(const TensorStreams &)> count = {});

private:
  HardwareLayer describe(ProgramBuilder &program, LayerNames &names, size_t tensor);
};

/// Tensor layers behind spikes, to the answer.
llvm::Error emitTensorAnswer(ProgramBuilder &program, LayerNames &names, snn::DecodeOp counts,
                             const SpikeStreams &spikes, const std::string &population);

/// Errors: a layer that the host computes is to be a tensor kernel and is none of `tensors`.
llvm::Error checkTensorLayers(const CircuitOptions &options, mlir::Block &network,
                              llvm::ArrayRef<TensorLayer> tensors);

} // namespace spindle::snn_to_loops
