#include "hw/synthesis/NetworkBus.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace spindle::hls {

/// Of the last word of a step, which is the last one of a sample, too.
static uint32_t lastBitsOf(const HardwareArray &array) {
  if (array.first.empty())
    return array.bits;
  int64_t left = array.elements - array.first.back();
  if (left <= 0) // the last word has no element
    return array.bits;
  int64_t values = std::min((left + array.stride - 1) / array.stride, array.perWord);
  return uint32_t(values) * array.valueBits;
}

AxiOptions busOptions(const HardwareNetwork &network, AxiData data, unsigned channels) {
  AxiOptions options;
  options.data = data;
  options.channels = channels;
  for (uint32_t index = 0; index < network.arrays.size(); ++index) {
    const HardwareArray &array = network.arrays[index];
    if (array.role == ArrayRole::Images)
      options.packetCount = index;
    if (!array.isStream)
      continue;
    uint64_t words = 1;
    for (int64_t extent : array.shape)
      words *= uint64_t(extent);
    options.packets[index] = {words, lastBitsOf(array)};
  }
  return options;
}

/// Names of layers come from models.
static std::string plain(std::string name) {
  for (char &letter : name)
    if (!llvm::isAlnum(letter) && letter != '.' && letter != '_' && letter != '-')
      letter = '_';
  return name;
}

static std::string meaningOf(const HardwareArray &array) {
  std::string name = plain(array.name);
  if (array.role == ArrayRole::Images)
    return "samples of a run";
  if (!array.isStream)
    return name;
  return array.valueBits == 1
             ? fmt::format("{}, up to {}", name, array.perWord)
             : fmt::format("{}, up to {} of {} bits", name, array.perWord, array.valueBits);
}

ArgumentMeanings meaningsOf(const HardwareNetwork &network) {
  ArgumentMeanings meanings;
  for (size_t index = 0; index < network.arrays.size(); ++index)
    meanings[fmt::format("arg{}", index)] = meaningOf(network.arrays[index]);
  return meanings;
}

} // namespace spindle::hls
