// Neurons that write their spikes as bits.
#pragma once

#include "lib/emulation/lanes/KernelBuilder.h"

namespace spindle::layerwise {

/// Writes a bit for each neuron, sixteen at a time. Made before the loop over the vectors; `masks`
/// is a buffer of the kernel.
class MaskWriter {
public:
  MaskWriter(engine::KernelBuilder &kernel, size_t masks);
  /// The spikes of vector n.
  void write(mlir::Value n, mlir::Value spikes);

private:
  engine::KernelBuilder &b;
  mlir::Value masks; // an address
};

} // namespace spindle::layerwise
