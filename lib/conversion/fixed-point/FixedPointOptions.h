// The formats of a network in fixed point: the section `fixed_point` of a flow.
#pragma once

#include "core/support/formats/Yaml.h"

#include <map>
#include <string>
#include <vector>

namespace spindle {

/// What becomes integers: weights and the populations that spikes drive, or all that a step
/// computes.
enum class IntegerReach { Populations, All };

struct FixedPointOptions {
  int64_t weightBits = 8;                  // with sign
  std::map<std::string, int64_t> bitsOf{}; // of single layers
  bool searchesBits = false;               // weight_bits: auto
  double maxLoss = 0.3;                    // points of accuracy, for the search
  bool perChannel = true;    // a unit of weights per channel, else per layer; readouts: per layer
  int64_t membraneBits = 24; // with sign; membranes saturate
  int64_t fractionBits = -1; // of a membrane, finer than a unit of weights; -1: chosen per layer
  int64_t decayBits = 12;    // of the share that a membrane loses in a step

  IntegerReach integers = IntegerReach::Populations;
  int64_t inputBits = 8;            // of a pixel, without sign where none is negative
  std::vector<double> inputRange{}; // least and greatest value; empty: that of the calibration
  int64_t readoutBits = -1;         // of a membrane that is read; -1: cannot overflow
  int64_t accumulatorBits = 25;     // what the sums of a step may need
};

/// Reads the section `fixed_point`.
void readFixedPointOptions(YamlReader &reader, FixedPointOptions &options);

} // namespace spindle
