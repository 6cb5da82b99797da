#include "lib/conversion/snn-to-loops/CircuitOptions.h"

#include <algorithm>

namespace spindle {

LayerOptions CircuitOptions::of(const std::string &layer, int64_t neurons) const {
  auto own = layers.find(layer);
  if (own != layers.end())
    return own->second;
  LayerOptions options = others;
  if (picksLanes)
    options.lanes = neurons;
  options.lanes = std::min(options.lanes, neurons);
  if (options.style == LayerStyle::Event && options.lanes > 0) { // as few as its groups need
    int64_t groups = (neurons + options.lanes - 1) / options.lanes;
    options.lanes = (neurons + groups - 1) / groups;
  }
  return options;
}

bool CircuitOptions::takesEvents() const {
  bool takes = others.style == LayerStyle::Event;
  for (const auto &[name, options] : layers)
    takes |= options.style == LayerStyle::Event;
  return takes;
}

static void readStyle(YamlReader &reader, LayerOptions &options) {
  reader.readEnum("style", options.style, {"clock", "event"});
}

void readCircuitOptions(YamlReader &reader, CircuitOptions &options) {
  enum class Weights { Arguments, Constants } weights = Weights::Arguments;
  reader.readEnum("weights", weights, {"arguments", "constants"});
  options.takesWeights = weights == Weights::Arguments;
  enum class Place { Host, Circuit } encoder = Place::Host;
  reader.readEnum("encoder", encoder, {"host", "circuit"});
  options.encodes = encoder == Place::Circuit;
  enum class Answers { Values, Class } answer = Answers::Values;
  reader.readEnum("answer", answer, {"values", "class"});
  options.classifies = answer == Answers::Class;
  options.recordsSpikes = true;
  reader.read("record", options.recordsSpikes);
  if (reader.has("system"))
    reader.readEnum("system", options.system.emplace(), {"centralised", "dataflow"});
  readStyle(reader, options.others);
  enum class Kinds { Given, Auto } kinds = Kinds::Given;
  reader.readEnum("as", kinds, {"given", "auto"});
  options.picksKinds = kinds == Kinds::Auto;
  if (options.picksKinds && options.others.style != LayerStyle::Event)
    reader.fail("as", "found auto in style clock, which has no tensor kernels, expected style: "
                      "event");
  std::string lanes;
  if (reader.has("lanes"))
    reader.read("lanes", lanes);
  options.picksLanes = lanes == "auto";
  if (!options.picksLanes)
    reader.read("lanes", options.others.lanes, int64_t(1));
  reader.readEnum("objective", options.objective, {"throughput", "latency"});
  YamlReader budget = reader.section("budget");
  budget.read("lut", options.budget.lut, 0);
  budget.read("ff", options.budget.ff, 0);
  budget.read("dsp", options.budget.dsp, 0);
  budget.read("bram", options.budget.bram, 0);
  YamlReader tile = reader.section("tile");
  tile.read("layer", options.tile);
  tile.read("targets", options.tileTargets, 1, 4096);
  if (reader.has("tile") && options.tile.empty())
    reader.fail("tile", "found no layer, expected the name of a population, as tile: {layer: "
                        "dense2}");
  YamlReader layers = reader.section("layers");
  for (const std::string &name : layers.keys()) {
    YamlReader layer = layers.section(name);
    LayerOptions &own = options.layers[name];
    own.style = options.others.style;
    readStyle(layer, own);
    layer.readEnum("as", own.kind, {"spiking", "tensor"});
    own.isToSpike = layer.has("as") && own.kind == LayerKind::Spiking;
    layer.read("lanes", own.lanes, int64_t(1));
    layer.read("inputs", own.inputs, int64_t(1));
  }
}

} // namespace spindle
