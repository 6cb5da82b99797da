// Neurons that write their spikes as bits, and count them.
#pragma once

#include "lib/emulation/engine/KernelBuilder.h"

namespace spindle::layerwise {

/// Writes a bit for each neuron, sixteen at a time, and adds the spikes to the counts. Made before
/// the loop over the vectors; `masks` and `counts` are buffers of the kernel.
class MaskWriter {
public:
  MaskWriter(engine::KernelBuilder &kernel, size_t masks, size_t counts, int64_t vectors);
  /// The spikes of vector n.
  void write(mlir::Value n, mlir::Value spikes);

private:
  engine::KernelBuilder &b;
  mlir::Value masks, totals; // an address and a view
};

} // namespace spindle::layerwise
