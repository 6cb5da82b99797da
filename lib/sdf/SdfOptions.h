// What the flow file's section `analysis` sets.
#pragma once

#include "core/chip/file/ListsIn.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

struct SdfOptions {
  int64_t maximumFirings = 100'000; // that are expanded, of the cycle that limits
  int64_t selfTimedFirings =
      1'000'000;                 // after which self-timed execution gives up; 0 leaves it out
  int64_t packetBits = 32;       // token size of the channels of a graph made from clusters
  int64_t detailedSteps = 16;    // recorded ones from which a mapped network is predicted; 0: none
  ListsIn lists = ListsIn::Auto; // of the stage file of the graph
};

/// Keys maximum_firings, self_timed_firings, packet_bits, detailed_steps, lists; errors are kept by
/// the reader.
void readSdfOptions(YamlReader &reader, SdfOptions &options);

} // namespace spindle
