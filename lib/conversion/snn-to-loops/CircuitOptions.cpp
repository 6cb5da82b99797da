#include "lib/conversion/snn-to-loops/CircuitOptions.h"

namespace spindle {

void readCircuitOptions(YamlReader &reader, CircuitOptions &options) {
  enum class Weights { Arguments, Constants } weights = Weights::Arguments;
  reader.readEnum("weights", weights, {"arguments", "constants"});
  options.takesWeights = weights == Weights::Arguments;
  options.recordsSpikes = true;
  reader.read("record", options.recordsSpikes);
  YamlReader layers = reader.section("layers");
  for (const std::string &name : layers.keys()) {
    YamlReader layer = layers.section(name);
    enum class Style { Clock } style = Style::Clock;
    layer.readEnum("style", style, {"clock"});
    LayerOptions &own = options.layers[name];
    layer.read("lanes", own.lanes, int64_t(1));
    layer.read("inputs", own.inputs, int64_t(1));
  }
}

} // namespace spindle
