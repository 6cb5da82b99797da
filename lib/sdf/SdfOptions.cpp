#include "lib/sdf/SdfOptions.h"

namespace spindle {

void readSdfOptions(YamlReader &reader, SdfOptions &options) {
  reader.read("maximum_firings", options.maximumFirings, 1, 10'000'000);
  reader.read("self_timed_firings", options.selfTimedFirings, 0, 10'000'000);
  reader.read("packet_bits", options.packetBits, 1, 4096);
  reader.readEnum("lists", options.lists, kListsInNames);
  reader.read("detailed_steps", options.detailedSteps, 0, 1'000'000);
}

} // namespace spindle
