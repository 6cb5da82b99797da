#include "lib/conversion/ann-to-snn/ConversionOptions.h"

namespace spindle {

void readConversionOptions(YamlReader &reader, ConversionOptions &options) {
  reader.readEnum("method", options.method,
                  {"percentile", "max", "calibrated", "first_spike", "auto"});
  options.givesPercentile = reader.has("percentile");
  reader.read("percentile", options.percentile, 50, 100);
  reader.read("per_channel", options.perChannel);
  reader.readEnum("neuron", options.neuron, {"if", "lif"});
  reader.read("tau", options.tauSteps, 1, 1e6);
  reader.readEnum("reset", options.reset, {"zero", "subtract"});
  reader.read("initial_membrane", options.initialMembrane, 0, 1);
  reader.read("max_spikes", options.maxSpikes, 1, 1000);
  reader.readEnum("decoding", options.decoding, {"count", "membrane", "first_spike"});
  reader.readEnum("pooling", options.pooling, {"linear", "population"});
  reader.read("tensor", options.tensor);
  reader.read("fit_weights", options.fitWeights);
  reader.read("ridge", options.ridge, 0, 1e6);
  reader.read("max_loss", options.maxLoss, 0, 100);
}

llvm::Error checkConversionOptions(const ConversionOptions &options, const std::string &place) {
  if (options.maxSpikes > 1 && options.reset == ResetChoice::Zero)
    return inputError(place, "conversion.max_spikes above one needs conversion.reset: subtract, "
                             "since a membrane reset to zero spikes once");
  if (!options.tensor.empty() && options.method == ConversionMethod::FirstSpike)
    return inputError(place, "conversion.tensor keeps layers that read numbers, not times, which "
                             "needs another method than first_spike");
  if (options.encoding == InputEncoding::Latency && options.method != ConversionMethod::FirstSpike)
    return inputError(place, "latency encoding carries values in the time of one spike, which "
                             "only conversion.method: first_spike reads");
  return llvm::Error::success();
}

} // namespace spindle
