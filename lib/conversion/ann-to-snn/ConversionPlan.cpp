#include "lib/conversion/ann-to-snn/ConversionPlan.h"

#include "lib/conversion/ann-to-snn/Normalization.h"

namespace spindle {

ConversionPlan planFromActivations(const Activations &activations,
                                   const ConversionOptions &options) {
  ConversionPlan plan;
  plan.inputMaximum = activations.inputMaximum;
  for (const LayerActivations &layer : activations.layers) {
    LayerPlan made;
    made.shape = layer.shape;
    made.scale = activationScales(layer, options, options.perChannel);
    made.initialMembrane = {static_cast<float>(options.initialMembrane)};
    plan.layers.push_back(std::move(made));
  }
  return plan;
}

} // namespace spindle
