// Pooling of spikes for the convolution after it: sums of windows that stay where the bits were,
// the channels of a pixel together.
#pragma once

#include "lib/emulation/layers/kernels/convolution/Convolution.h"

namespace spindle::layers {

/// Sums or averages of windows without padding of spikes that stand as bits.
struct SpikePooling {
  mlir::Operation *op;
  Signal bits;
};

/// Whether the sums of its windows are made in bytes, channels of a pixel together.
bool staysImage(const SpikePooling &pooling);

/// As floats in the layout of an image.
Signal addPooledImage(PlanBuilder &b, const SpikePooling &pooling);
/// As bytes of the sums: rows of pixels of as many bytes as there are channels.
size_t addPooledBytes(PlanBuilder &b, const SpikePooling &pooling);

/// Whether such a convolution gives the same bits in dot products of bytes, and this processor has
/// them.
bool isByteConvolution(const Convolution &conv, const SpikePooling &pooling);
/// Of the bytes of a pooling.
Signal addByteConvolution(PlanBuilder &b, const Convolution &conv, const SpikePooling &pooling);

} // namespace spindle::layers
