// All tensor layers of a network, joined to its first neurons.
#pragma once

#include "lib/conversion/snn-to-loops/LayerNames.h"
#include "lib/conversion/snn-to-loops/tensor/TensorStreams.h"

namespace spindle::snn_to_loops {

struct TensorChain {
  std::vector<TensorLayer> tensors;  // in the order in which they are computed
  std::vector<HardwareLayer> layers; // of all but the last one, which its population describes

  /// The layers in front of an encoder that `program.options` says are tensor layers, poolings
  /// between them included, the last one in any case. Errors: those of `tensorLayers`; a layer that
  /// is to be one is not among them.
  static llvm::Expected<TensorChain> of(ProgramBuilder &program, LayerNames &names,
                                        snn::EncodeOp encode);

  /// Of the sums that the population takes: channels, rows, columns where they are an image.
  llvm::ArrayRef<int64_t> shape() const;

  /// The processes; the currents go to the parts of `currents`, whose streams are returned. `last`
  /// is the layer of the population. Errors: lanes or inputs that do not fit.
  llvm::Expected<llvm::SmallVector<mlir::Value>> emit(ProgramBuilder &program,
                                                      const SpikeWords &words,
                                                      const ValueWords &currents,
                                                      HardwareLayer &last);
};

/// Errors: a layer that the host computes is to be a tensor kernel and is none of `tensors`.
llvm::Error checkTensorLayers(const CircuitOptions &options, mlir::Block &network,
                              llvm::ArrayRef<TensorLayer> tensors);

} // namespace spindle::snn_to_loops
