// The samples of a network at the ports of its circuit: spikes and values in arrays, or in the
// tokens of streams, sample after sample.
#pragma once

#include "core/kernel/KernelArray.h"
#include "core/network/HardwareNetwork.h"

namespace spindle::hls {

/// Zeros: an array, or the words of so many samples on a stream; of `images` their number.
KernelArray makeTokens(const HardwareArray &array, size_t samples);

/// A spike of a neuron that the array has.
void addSpike(KernelArray &tokens, const HardwareArray &array, size_t sample, size_t step,
              size_t neuron);
/// The value of an element that the array has, cut to its bits.
void setValue(KernelArray &tokens, const HardwareArray &array, size_t sample, size_t element,
              int64_t value);
/// That value, sign-extended.
int64_t valueAt(const KernelArray &tokens, const HardwareArray &array, size_t sample,
                size_t element);

/// What a bit of an element or a token is of: `sample 3, layer 'dense1', neuron 5, step 2`, or
/// `sample 3, answer of layer 'dense2', class 7`. Samples count from `firstSample` on.
std::string bitName(const HardwareArray &array, size_t token, unsigned bit, size_t firstSample);

/// The first difference, as `bitName` says, and what was found and expected; empty where there is
/// none.
std::string firstDifference(const HardwareArray &array, const KernelArray &found,
                            const KernelArray &wanted, size_t firstSample);

} // namespace spindle::hls
