// How the accuracy on the chip is assessed: the section `assessment` of a flow.
#pragma once

#include "core/support/formats/Yaml.h"

namespace spindle {

struct AssessmentOptions {
  int64_t samples = 100;      // the first ones of the data set
  std::vector<double> stepUs; // ascending; empty: that of a free-running chip
};

/// Reads the section `assessment`.
void readAssessmentOptions(YamlReader &reader, AssessmentOptions &options);

} // namespace spindle
