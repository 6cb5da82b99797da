// Encoders, populations and decoders as stages: the emitters of the engine on vectors of elements.
#pragma once

#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

/// Spikes of an encoder from activations (slots).
Signal addEncoder(PlanBuilder &b, snn::EncodeOp op, const Signal &input, PopulationBuffers &booked);
/// Spikes of neurons in the natural order, or membranes of those that do not spike in the layout of
/// their currents. `asEvents`: spikes only as a list, which the neurons write themselves; for
/// spikes that are rare, one for each neuron, in the natural order.
Signal addNeurons(PlanBuilder &b, snn::NeuronOp op, llvm::ArrayRef<Signal> currents, bool asEvents,
                  PopulationBuffers &booked);
/// The answer after each step.
Signal addDecoder(PlanBuilder &b, snn::DecodeOp op, const Signal &spikes);

} // namespace spindle::layerwise
