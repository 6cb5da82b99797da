// Data-based normalisation: which activation a rate of one spike per step stands for.
// Diehl et al., "Fast-classifying, high-accuracy spiking deep networks through weight and threshold
// balancing", IJCNN 2015; percentiles: Rueckauer et al., "Conversion of continuous-valued deep
// networks …", Front. Neurosci. 2017, section 2.2.2.
#pragma once

#include "core/network/Activations.h"
#include "lib/conversion/ann-to-snn/ConversionOptions.h"

#include <vector>

namespace spindle {

/// The p-th percentile of values, linear between the ranks as numpy does; 0 where there are none.
/// Reorders `values`.
float percentileOf(std::vector<float> &values, double percentile);

/// One scale per channel (first dimension), or a single one: the percentile (or maximum) of the
/// positive activations. A channel that was never active takes the layer's; a layer that was never
/// active takes 1.
std::vector<float> activationScales(const LayerActivations &layer, const ConversionOptions &options,
                                    bool perChannel);

} // namespace spindle
