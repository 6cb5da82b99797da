#include "hw/cosim/samples/SampleTokens.h"

#include "fmt/format.h"

#include <bit>

namespace spindle::hls {

/// Elements or words of a sample.
static size_t perSample(const HardwareArray &array) {
  size_t count = 1;
  for (int64_t extent : array.shape)
    count *= size_t(extent);
  return count;
}

static bool isInTime(const HardwareArray &array) {
  return array.role == ArrayRole::Input || array.role == ArrayRole::Spikes;
}

KernelArray makeTokens(const HardwareArray &array, size_t samples) {
  ElementType type{ElementType::Kind::Integer, array.bits};
  if (array.role == ArrayRole::Images)
    return makeIntegers(type, {}, {int64_t(samples)});
  if (array.isStream)
    return makeArray(type, {int64_t(samples * perSample(array))});
  return makeArray(type, array.shape);
}

void addSpike(KernelArray &tokens, const HardwareArray &array, size_t sample, size_t step,
              size_t neuron) {
  SpikePlace place = placeOf(array, step, neuron);
  size_t token = place.element + (array.isStream ? sample * perSample(array) : 0);
  tokens.set(token, tokens.at(token) | uint64_t(1) << place.bit);
}

namespace {

/// A value in its token.
struct ValuePlace {
  size_t token;
  unsigned bit, bits;
  uint64_t mask() const { return ElementType{ElementType::Kind::Integer, bits}.mask(); }
};

ValuePlace valuePlace(const HardwareArray &array, size_t sample, size_t element) {
  if (array.first.empty())
    return {element, 0, array.bits};
  SpikePlace place = placeOf(array, 0, element);
  return {place.element + sample * perSample(array), place.bit, array.valueBits};
}

int64_t signExtended(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

} // namespace

void setValue(KernelArray &tokens, const HardwareArray &array, size_t sample, size_t element,
              int64_t value) {
  ValuePlace at = valuePlace(array, sample, element);
  uint64_t others = tokens.at(at.token) & ~(at.mask() << at.bit);
  tokens.set(at.token, others | (uint64_t(value) & at.mask()) << at.bit);
}

int64_t valueAt(const KernelArray &tokens, const HardwareArray &array, size_t sample,
                size_t element) {
  ValuePlace at = valuePlace(array, sample, element);
  return signExtended(tokens.at(at.token) >> at.bit & at.mask(), at.bits);
}

std::string bitName(const HardwareArray &array, size_t token, unsigned bit, size_t firstSample) {
  size_t words = perSample(array), sample = firstSample + (array.isStream ? token / words : 0);
  size_t place = token % words;
  if (!isInTime(array)) {
    size_t element = array.first.empty() ? place : neuronAt(array, {place, bit});
    if (array.role == ArrayRole::Class)
      return fmt::format("sample {}, class", sample);
    if (array.role == ArrayRole::Answer)
      return fmt::format("sample {}, answer{}, class {}", sample,
                         array.layer.empty() ? "" : fmt::format(" of layer '{}'", array.layer),
                         element);
    return fmt::format("sample {}, {}, element {}", sample, array.name, element);
  }
  return fmt::format("sample {}, layer '{}', neuron {}, step {}", sample, array.layer,
                     neuronAt(array, {place, bit}), place / size_t(array.shape[1]));
}

std::string firstDifference(const HardwareArray &array, const KernelArray &found,
                            const KernelArray &wanted, size_t firstSample) {
  if (found.count() != wanted.count())
    return fmt::format("{}: {} words come out, expected {}", array.name, found.count(),
                       wanted.count());
  for (size_t token = 0; token < wanted.count(); ++token) {
    uint64_t right = wanted.at(token), wrong = right ^ found.at(token);
    if (wrong == 0)
      continue;
    auto bit = unsigned(std::countr_zero(wrong));
    std::string name = bitName(array, token, bit, firstSample);
    if (isInTime(array)) {
      bool spiked = right >> bit & 1;
      return fmt::format("{}: found {}, expected {}", name, spiked ? "silence" : "a spike",
                         spiked ? "a spike" : "silence");
    }
    unsigned bits = array.first.empty() ? array.bits : array.valueBits;
    unsigned low = bit - bit % bits;
    auto value = [&](const KernelArray &of) {
      uint64_t mask = ElementType{ElementType::Kind::Integer, bits}.mask();
      return signExtended(of.at(token) >> low & mask, bits);
    };
    return fmt::format("{}: found {}, expected {}", name, value(found), value(wanted));
  }
  return "";
}

} // namespace spindle::hls
