// How the accuracy on the chip is assessed: the section `assessment` of a flow.
#pragma once

#include "core/support/formats/Yaml.h"

namespace spindle {

struct AssessmentOptions {
  int64_t samples = 100;          // the first ones of the data set
  std::vector<double> stepUs;     // ascending; empty: that of a free-running chip
  std::vector<double> variations; // programming noise of the device; empty: its own
  std::vector<int64_t> adcBits;   // of its converters, 0: exact sums; empty: their own
  int64_t seeds = 5;              // of the device, from its own on
};

/// Reads the section `assessment`.
void readAssessmentOptions(YamlReader &reader, AssessmentOptions &options);

} // namespace spindle
