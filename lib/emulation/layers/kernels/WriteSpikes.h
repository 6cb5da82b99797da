// Neurons that write their spikes themselves: as bits, or as a list.
#pragma once

#include "lib/emulation/lanes/KernelBuilder.h"

namespace spindle::layers {

/// Writes a bit for each neuron, sixteen at a time. Made before the loop over the vectors; `masks`
/// is a buffer of the kernel.
class MaskWriter {
public:
  MaskWriter(lanes::KernelBuilder &kernel, size_t masks);
  /// The spikes of vector n.
  void write(mlir::Value n, mlir::Value spikes);

private:
  lanes::KernelBuilder &b;
  lanes::Array masks; // a word for each vector
};

/// Writes the list of a step's spikes, vector by vector in ascending order. Made before the loop
/// over the vectors; adds two buffers to the kernel: the entries of the list and its end (EventList
/// of one plane; entries are as narrow as makeEventList makes them for so many elements).
class EventAppender {
public:
  EventAppender(lanes::KernelBuilder &kernel, size_t elements);
  /// Appends the neurons of vector n that spike.
  void append(mlir::Value n, mlir::Value counts);

private:
  lanes::KernelBuilder &b;
  int64_t elements;
  lanes::Array entries, end;
};

} // namespace spindle::layers
