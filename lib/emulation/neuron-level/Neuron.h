// The neuron of the neuron level, in continuous time or in steps.
#pragma once

#include "dialects/snn/neuron-level/SingleNeuron.h"
#include "lib/emulation/neuron-level/Values.h"

#include <optional>

namespace spindle::neuron_level {

/// More spikes than that in one train are refused: a crossing time that no longer advances would
/// never end.
constexpr size_t kMostSpikes = size_t(1) << 22;

/// What every engine calls for exponentials and logarithms: results must not depend on the engine.
float exponential(float x);
float logarithm(float x);

/// The output train. `weights` is empty (ones) or has one value per train. Both semantics stand in
/// NeuronLevelOps.td; this is their definition, float for float.
llvm::Expected<Train> neuron(const snn::SingleNeuron &parameters, const std::vector<Train> &inputs,
                             const std::vector<float> &weights, std::optional<float> bias);

/// Steps that a clocked neuron runs: those it was given, else up to the step of the last input
/// spike.
llvm::Expected<int64_t> stepsOf(const snn::SingleNeuron &parameters,
                                const std::vector<Train> &inputs);

/// The errors of a train beyond kMostSpikes and of weights for another number of trains.
llvm::Error tooManySpikes();
llvm::Error weightsDoNotFit(size_t weights, size_t trains);

} // namespace spindle::neuron_level
