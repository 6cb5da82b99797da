#include "lib/conversion/fixed-point/FixedPointOptions.h"

namespace spindle {

void readFixedPointOptions(YamlReader &reader, FixedPointOptions &options) {
  reader.read("weight_bits", options.weightBits, int64_t(2), int64_t(16));
  reader.read("per_channel", options.perChannel);
  reader.read("membrane_bits", options.membraneBits, int64_t(2), int64_t(25));
  reader.read("fraction_bits", options.fractionBits, int64_t(-1), int64_t(23));
  reader.read("decay_bits", options.decayBits, int64_t(1), int64_t(28));
}

} // namespace spindle
