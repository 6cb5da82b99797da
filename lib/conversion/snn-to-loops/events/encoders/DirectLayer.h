// The first layer of direct coding: the same currents in every step, which come from outside.
#pragma once

#include "lib/conversion/snn-to-loops/LayerNames.h"
#include "lib/conversion/snn-to-loops/events/Processes.h"

namespace spindle::snn_to_loops {

/// A population behind `encode`, all neurons in every step, place after place of an image with its
/// channels side by side (lanes of neighbours where there is no image). `layer` has the lanes.
/// Where `layer` is a tensor kernel, it and those before it make the currents (TensorChain.h).
/// Neurons that are read put out their membranes, and no spikes.
/// Errors: lanes that do not fit, what EventNeurons refuses.
llvm::Expected<SpikeStreams> emitDirectLayer(ProgramBuilder &program, LayerNames &names,
                                             snn::NeuronOp population, snn::EncodeOp encode,
                                             HardwareLayer &layer);

} // namespace spindle::snn_to_loops
