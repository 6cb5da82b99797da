// Encoders, populations and decoders as stages: the emitters of the engine on vectors of elements.
#pragma once

#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Spikes of an encoder from activations (slots).
Signal addEncoder(PlanBuilder &b, snn::EncodeOp op, const Signal &input, PopulationBuffers &booked);
/// Spikes of neurons in the natural order, or membranes of those that do not spike in the layout of
/// their currents.
Signal addNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                  PopulationBuffers &booked);
/// Spikes as bits, one of a neuron at a time, in the layout of their currents, which keep the
/// channels of a pixel together.
Signal addImageNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                       PopulationBuffers &booked);
/// As addNeurons for few spikes, one of a neuron at a time, in the natural order: neurons list them
/// themselves, there are no rows.
Signal addListedNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents,
                        PopulationBuffers &booked);
/// The answer after each step.
Signal addDecoder(PlanBuilder &b, snn::DecodeOp op, const Signal &spikes);

/// snn.relu or snn.quantize of what was decoded.
Signal addActivation(PlanBuilder &b, mlir::Operation *op, const Signal &sums);

} // namespace spindle::layers
