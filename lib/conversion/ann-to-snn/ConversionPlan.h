// What a conversion decides about each layer before it writes the spiking network.
#pragma once

#include "core/network/Activations.h"
#include "core/support/Error.h"
#include "lib/conversion/ann-to-snn/ConversionOptions.h"

#include <vector>

namespace spindle {

/// One population. Values are one for all neurons, or one per channel (first dimension).
struct LayerPlan {
  std::vector<int64_t> shape;
  std::vector<float> scale;           // the activation that a spike in every step stands for; of a
                                      // tensor layer the greatest one
  std::vector<float> shift{0};        // added to the current of every step, in activations
  std::vector<float> initialMembrane; // in thresholds
};

struct ConversionPlan {
  std::vector<LayerPlan> layers; // every snn.relu in order, then the last layer
  float inputMaximum = 0;        // that an encoder's highest rate stands for
};

/// The error of activations that are no finite numbers: nothing could be fitted to them.
llvm::Error checkActivations(const Activations &activations);

/// Scales by percentile or maximum, membranes as the options say.
ConversionPlan planFromActivations(const Activations &activations,
                                   const ConversionOptions &options);

} // namespace spindle
