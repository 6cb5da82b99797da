// Maxima of windows by events: a spike goes on where it is the first of its window in a step.
#pragma once

#include "lib/conversion/snn-to-loops/events/EventSource.h"
#include "lib/conversion/snn-to-loops/events/Processes.h"

namespace spindle::snn_to_loops {

/// The spikes of a pooling as its reader sees them: place after place, channels side by side.
SpikeWords wordsOf(snn::MaxPool2dOp pool);

/// What the numbers of its inputs stand for.
EventSource sourceOf(snn::MaxPool2dOp pool, const SpikeWords &from);

/// A process from the numbers of spikes to those of maxima, in the numbers that `out` has for
/// `wordsOf`. An output spikes when the largest count of spikes in its window grows, which it does
/// by one at most in a step: when the count of an element becomes larger than the largest one was.
/// Each spike takes an iteration for every window it may lie in, the first ones of a sample clear
/// the counts. Adds the layer and its cycles to the program. Errors: too many channels.
llvm::Expected<mlir::Value> emitMaxPool(ProgramBuilder &program, snn::MaxPool2dOp pool,
                                        const std::string &name, const EventSource &source,
                                        mlir::Value events, const EventNumbers &out);

/// Iterations of a spike, and of a sample beside its spikes and ends of steps.
struct MaxPoolTurns {
  int64_t perEvent = 1, perSample = 1;
};
MaxPoolTurns turnsOf(snn::MaxPool2dOp pool);

} // namespace spindle::snn_to_loops
