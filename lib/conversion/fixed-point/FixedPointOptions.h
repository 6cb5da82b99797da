// The formats of a network in fixed point: the section `fixed_point` of a flow.
#pragma once

#include "core/support/formats/Yaml.h"

namespace spindle {

struct FixedPointOptions {
  int64_t weightBits = 8;    // with sign
  bool perChannel = true;    // a unit of weights per channel, else per layer
  int64_t membraneBits = 24; // with sign; membranes saturate
  int64_t fractionBits = -1; // of a membrane, finer than a unit of weights; -1: chosen per layer
  int64_t decayBits = 12;    // of the share that a membrane loses in a step
};

/// Reads the section `fixed_point`.
void readFixedPointOptions(YamlReader &reader, FixedPointOptions &options);

} // namespace spindle
