#include "lib/conversion/fixed-point/FixedPointOptions.h"

namespace spindle {

/// A number, `auto`, or a number for each layer that is named.
static void readWeightBits(YamlReader &reader, FixedPointOptions &options) {
  if (reader.isMapping("weight_bits")) {
    YamlReader layers = reader.section("weight_bits");
    for (const std::string &layer : layers.keys()) {
      options.bitsOf[layer] = options.weightBits;
      layers.read(layer, options.bitsOf[layer], int64_t(2), int64_t(16));
    }
    return;
  }
  std::string word;
  if (reader.has("weight_bits"))
    reader.read("weight_bits", word);
  options.searchesBits = word == "auto";
  if (!options.searchesBits)
    reader.read("weight_bits", options.weightBits, int64_t(2), int64_t(16));
}

void readFixedPointOptions(YamlReader &reader, FixedPointOptions &options) {
  readWeightBits(reader, options);
  reader.read("max_loss", options.maxLoss, 0, 100);
  reader.read("per_channel", options.perChannel);
  reader.read("membrane_bits", options.membraneBits, int64_t(2), int64_t(25));
  reader.read("fraction_bits", options.fractionBits, int64_t(-1), int64_t(23));
  reader.read("decay_bits", options.decayBits, int64_t(1), int64_t(28));
  reader.readEnum("integers", options.integers, {"populations", "all"});
  reader.read("input_bits", options.inputBits, int64_t(1), int64_t(12));
  reader.read("input_range", options.inputRange);
  if (!options.inputRange.empty() &&
      (options.inputRange.size() != 2 || !(options.inputRange[0] < options.inputRange[1])))
    reader.fail("input_range", "input_range has not two rising values, expected [least, greatest]");
  reader.read("readout_bits", options.readoutBits, int64_t(-1), int64_t(25));
  if (options.readoutBits == 0 || options.readoutBits == 1)
    reader.fail("readout_bits", "readout_bits is less than 2, expected 2 to 25, or -1 for as many "
                                "as cannot overflow");
  reader.read("accumulator_bits", options.accumulatorBits, int64_t(2), int64_t(25));
}

} // namespace spindle
