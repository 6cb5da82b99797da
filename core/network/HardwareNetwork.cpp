#include "core/network/HardwareNetwork.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

namespace spindle {

static constexpr FileFormat kHardwareFormat = {"spindle-hardware", 2};
static constexpr const char *kStyles[] = {"clock", "event"};
static constexpr const char *kRoles[] = {"input",    "weights", "spikes", "answer",
                                         "currents", "images",  "pixels", "class"};
static constexpr const char *kAnswers[] = {"membranes", "counts", "first_spikes", "sums"};
static constexpr const char *kKinds[] = {"spiking", "tensor"};

static void describe(auto &file, MaybeConst<HardwareLayer> auto &layer) {
  file.field("name", layer.name);
  file.field("style", wordOf(layer.style, kStyles, "clock or event"));
  if (file.has("as", layer.kind != LayerKind::Spiking))
    file.field("as", wordOf(layer.kind, kKinds, "spiking or tensor"));
  file.field("neurons", within<uint32_t>(layer.neurons));
  file.field("lanes", within<uint32_t>(layer.lanes));
  file.field("inputs", within<uint32_t>(layer.inputs));
  file.fieldUnless("weight_bits", layer.weightBits, 0);
  file.fieldUnless("current_bits", layer.currentBits, 0);
  file.fieldUnless("membrane_bits", layer.membraneBits, 0);
  file.fieldUnless("cycles", layer.cycles, std::nullopt);
  file.fieldUnless("tasks", layer.tasks, {});
  file.optional("estimate", layer.estimate, [](auto &entry, auto &area) {
    entry.field("lut", area.lut);
    entry.field("ff", area.ff);
    entry.field("dsp", area.dsp);
    entry.field("bram", area.bram);
  });
}

/// Of a network that runs for so many steps.
static void describe(auto &file, MaybeConst<HardwareArray> auto &array, uint32_t steps) {
  file.field("name", array.name);
  file.field("role", wordOf(array.role, kRoles,
                            "input, weights, spikes, answer, currents, images, pixels or class"));
  bool isOfSums = array.role == ArrayRole::Answer && array.answer == AnswerKind::Sums;
  if (file.has("of", array.role == ArrayRole::Class || isOfSums))
    file.field("of", wordOf(array.answer, kAnswers, "membranes, counts, first_spikes or sums"));
  file.field("layer", array.layer);
  file.field("shape", within<uint32_t>(array.shape));
  bool isInTime = array.role == ArrayRole::Input || array.role == ArrayRole::Spikes;
  file.require("shape", !isInTime || (array.shape.size() == 2 && array.shape[0] == int64_t(steps)),
               fmt::format("{} steps and a number of neurons", steps));
  file.field("bits", array.bits);
  file.require("bits", array.bits >= 1 && array.bits <= 64, "1 to 64");
  if (!file.has("first", !array.first.empty()))
    return;
  file.field("elements", within<uint32_t>(array.elements));
  file.fieldUnless("value_bits", array.valueBits, 1);
  file.require("value_bits", array.valueBits >= 1 && array.valueBits <= array.bits,
               fmt::format("1 to {}, the bits of a word", array.bits));
  file.field("per_word", within<uint32_t>(array.perWord));
  int64_t most = array.bits / array.valueBits;
  file.require("per_word", array.perWord >= 1 && array.perWord <= most,
               fmt::format("1 to {}, the values of a word", most));
  file.field("first", within<uint32_t>(array.first));
  file.fieldUnless("stride", array.stride, 1);
  file.require("stride", array.stride >= 1, "at least 1");
  file.fieldUnless("stream", array.isStream, false);
  int64_t words = array.shape.size() == 2 ? array.shape[1] : 0;
  file.require("first", words > 0 && int64_t(array.first.size()) == words,
               fmt::format("an element for each of the {} words of a step", words));
}

static void describe(auto &file, MaybeConst<HardwareNetwork> auto &network) {
  file.field("top", network.top);
  file.field("target", network.target);
  file.field("clock_period_ns", network.clockPeriodNs);
  file.field("steps", network.steps);
  file.field("spikes", network.spikesHash);
  file.fieldOr("predicted_cycles", network.predictedCycles, std::nullopt);
  file.field("layers", network.layers);
  file.list("arrays", network.arrays,
            [&](auto &entry, auto &array) { describe(entry, array, network.steps); });
  file.fieldUnless("int8_ann", network.int8Ann, {});
  file.optional("tile", network.tile, [](auto &entry, auto &tile) {
    entry.field("top", tile.top);
    entry.field("layer", tile.layer);
    entry.field("first", tile.first);
    entry.field("source", tile.source);
    entry.field("first_input", tile.firstInput);
    entry.field("targets", tile.targets);
    entry.require("targets", tile.targets >= 1 && tile.targets <= 4096, "1 to 4096");
  });
}

const HardwareArray *findArray(const HardwareNetwork &network, ArrayRole role,
                               const std::string &layer) {
  for (const HardwareArray &array : network.arrays)
    if (array.role == role && array.layer == layer)
      return &array;
  return nullptr;
}

size_t neuronsOf(const HardwareArray &array) {
  return size_t(array.first.empty() ? array.shape[1] : array.elements);
}

SpikePlace placeOf(const HardwareArray &array, size_t step, size_t neuron) {
  auto perStep = size_t(array.shape[1]);
  if (array.first.empty())
    return {step * perStep + neuron, 0};
  SpikePlace found;
  size_t latest = 0;
  for (size_t word = 0; word < perStep; ++word) {
    auto first = size_t(array.first[word]), stride = size_t(array.stride);
    if (neuron < first || (neuron - first) % stride != 0 ||
        (neuron - first) / stride >= size_t(array.perWord) || first < latest)
      continue;
    latest = first;
    found = {step * perStep + word, unsigned((neuron - first) / stride) * array.valueBits};
  }
  return found;
}

bool holds(const HardwareArray &array, size_t neuron) {
  if (array.first.empty())
    return neuron < neuronsOf(array);
  return neuron < size_t(array.elements) && neuronAt(array, placeOf(array, 0, neuron)) == neuron;
}

size_t neuronAt(const HardwareArray &array, const SpikePlace &place) {
  size_t word = place.element % size_t(array.shape[1]);
  return array.first.empty()
             ? word
             : size_t(array.first[word]) + place.bit / array.valueBits * size_t(array.stride);
}

llvm::Error writeHardwareNetwork(const std::string &path, const HardwareNetwork &network) {
  return writeDescribed(path, kHardwareFormat, network);
}

llvm::Expected<HardwareNetwork> readHardwareNetwork(const std::string &path) {
  return readDescribed<HardwareNetwork>(path, kHardwareFormat);
}

} // namespace spindle
