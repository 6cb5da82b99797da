// Threshold crossings within a step: exponentials and logarithms, for which the kernels call the
// function of the reference semantics, neuron by neuron.
#pragma once

#include "lib/emulation/lanes/MachineCode.h"
#include "lib/emulation/lanes/emitters/MembraneEmitter.h"

namespace spindle::lanes {

/// Emits the membranes after a whole step, then the call. The kernels hold the address of `model`.
void emitCrossings(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons,
                   const Signals &signals, size_t membranes, MembraneEmitter &membrane);

/// The called function.
MachineCode::Callee crossingCallee();

} // namespace spindle::lanes
