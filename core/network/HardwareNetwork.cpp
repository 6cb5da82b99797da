#include "core/network/HardwareNetwork.h"

#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>

namespace spindle {

static constexpr FileFormat kHardwareFormat = {"spindle-hardware", 1};
static constexpr const char *kStyles[] = {"clock", "event"};
static constexpr const char *kRoles[] = {"input", "weights", "spikes", "answer"};

static Json toJson(const HardwareLayer &layer) {
  Json json = {{"name", layer.name},
               {"style", kStyles[size_t(layer.style)]},
               {"neurons", layer.neurons},
               {"lanes", layer.lanes},
               {"inputs", layer.inputs}};
  for (auto [key, bits] :
       {std::pair("weight_bits", layer.weightBits), std::pair("current_bits", layer.currentBits),
        std::pair("membrane_bits", layer.membraneBits)})
    if (bits > 0)
      json[key] = bits;
  if (layer.cycles)
    json["cycles"] = *layer.cycles;
  return json;
}

static Json toJson(const HardwareArray &array) {
  Json json = {{"name", array.name},
               {"role", kRoles[size_t(array.role)]},
               {"layer", array.layer},
               {"shape", array.shape},
               {"bits", array.bits}};
  if (!array.first.empty()) {
    json["elements"] = array.elements;
    json["per_word"] = array.perWord;
    json["first"] = array.first;
  }
  return json;
}

llvm::Error writeHardwareNetwork(const std::string &path, const HardwareNetwork &network) {
  Json json = jsonHeader(kHardwareFormat);
  json["top"] = network.top;
  json["target"] = network.target;
  json["clock_period_ns"] = network.clockPeriodNs;
  json["steps"] = network.steps;
  json["predicted_cycles"] = network.predictedCycles ? Json(*network.predictedCycles) : Json();
  json["layers"] = Json::array();
  for (const HardwareLayer &layer : network.layers)
    json["layers"].push_back(toJson(layer));
  json["arrays"] = Json::array();
  for (const HardwareArray &array : network.arrays)
    json["arrays"].push_back(toJson(array));
  return writeJson(path, json);
}

static std::optional<uint64_t> cyclesAt(const Json &json, const char *key) {
  if (!json.contains(key) || memberAt(json, key).is_null())
    return std::nullopt;
  return unsignedAt<uint64_t>(json, key);
}

static unsigned bitsAt(const Json &json, const char *key) {
  return json.contains(key) ? unsignedAt<unsigned>(json, key) : 0;
}

static HardwareLayer layerOf(const Json &json) {
  HardwareLayer layer;
  layer.name = textAt(json, "name");
  std::string style = textAt(json, "style");
  const auto *found = std::find(std::begin(kStyles), std::end(kStyles), style);
  if (found == std::end(kStyles))
    refuseValue(memberAt(json, "style"), "clock or event");
  layer.style = static_cast<LayerStyle>(found - std::begin(kStyles));
  layer.neurons = unsignedAt<uint32_t>(json, "neurons");
  layer.lanes = unsignedAt<uint32_t>(json, "lanes");
  layer.inputs = unsignedAt<uint32_t>(json, "inputs");
  layer.weightBits = bitsAt(json, "weight_bits");
  layer.currentBits = bitsAt(json, "current_bits");
  layer.membraneBits = bitsAt(json, "membrane_bits");
  layer.cycles = cyclesAt(json, "cycles");
  return layer;
}

static HardwareArray arrayOf(const Json &json, uint32_t steps) {
  HardwareArray array;
  array.name = textAt(json, "name");
  std::string role = textAt(json, "role");
  const auto *found = std::find(std::begin(kRoles), std::end(kRoles), role);
  if (found == std::end(kRoles))
    refuseValue(memberAt(json, "role"), "input, weights, spikes or answer");
  array.role = static_cast<ArrayRole>(found - std::begin(kRoles));
  array.layer = textAt(json, "layer");
  for (uint32_t extent : unsignedListAt<uint32_t>(json, "shape"))
    array.shape.push_back(extent);
  bool isInTime = array.role == ArrayRole::Input || array.role == ArrayRole::Spikes;
  if (isInTime && (array.shape.size() != 2 || array.shape[0] != int64_t(steps)))
    refuseValue(memberAt(json, "shape"), fmt::format("{} steps and a number of neurons", steps));
  array.bits = unsignedAt<unsigned>(json, "bits");
  if (array.bits < 1 || array.bits > 64)
    refuseValue(memberAt(json, "bits"), "1 to 64");
  if (!json.contains("first"))
    return array;
  array.elements = unsignedAt<uint32_t>(json, "elements");
  array.perWord = unsignedAt<uint32_t>(json, "per_word");
  if (array.perWord < 1 || array.perWord > array.bits)
    refuseValue(memberAt(json, "per_word"), fmt::format("1 to {}, the bits of a word", array.bits));
  for (uint32_t first : unsignedListAt<uint32_t>(json, "first"))
    array.first.push_back(first);
  if (!isInTime || int64_t(array.first.size()) != array.shape[1])
    refuseValue(memberAt(json, "first"),
                fmt::format("an element for each of the {} words of a step of spikes",
                            isInTime ? array.shape[1] : 0));
  return array;
}

static HardwareNetwork networkOf(const Json &json) {
  HardwareNetwork network;
  network.top = textAt(json, "top");
  network.target = textAt(json, "target");
  network.clockPeriodNs = numberAt(json, "clock_period_ns");
  network.steps = unsignedAt<uint32_t>(json, "steps");
  network.predictedCycles = cyclesAt(json, "predicted_cycles");
  for (const Json &layer : listAt(json, "layers"))
    network.layers.push_back(layerOf(layer));
  for (const Json &array : listAt(json, "arrays"))
    network.arrays.push_back(arrayOf(array, network.steps));
  return network;
}

llvm::Expected<HardwareNetwork> readHardwareNetwork(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kHardwareFormat));
  return parseJson<HardwareNetwork>(path, json, networkOf);
}

} // namespace spindle
