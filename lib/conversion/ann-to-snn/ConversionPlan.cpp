#include "lib/conversion/ann-to-snn/ConversionPlan.h"

#include "lib/conversion/ann-to-snn/Normalization.h"

#include "fmt/format.h"

#include <cmath>

namespace spindle {

llvm::Error checkActivations(const Activations &activations) {
  for (const LayerActivations &layer : activations.layers)
    for (float value : layer.values)
      if (!std::isfinite(value))
        return inputError("conversion",
                          fmt::format("layer '{}' puts out {} on the calibration samples, expected "
                                      "finite numbers; look at the weights of the model",
                                      layer.layer, value));
  return llvm::Error::success();
}

ConversionPlan planFromActivations(const Activations &activations,
                                   const ConversionOptions &options) {
  ConversionPlan plan;
  plan.inputMaximum = activations.inputMaximum;
  for (const LayerActivations &layer : activations.layers) {
    LayerPlan made;
    made.shape = layer.shape;
    bool staysTensor = options.staysTensor(layer.layer);
    made.scale = activationScales(layer, options, options.perChannel && !staysTensor);
    made.initialMembrane = {static_cast<float>(options.initialMembrane)};
    plan.layers.push_back(std::move(made));
  }
  return plan;
}

} // namespace spindle
