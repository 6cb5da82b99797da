// How thoroughly a conversion is diagnosed: the section `diagnosis` of a flow.
#pragma once

#include "core/support/formats/Yaml.h"

namespace spindle {

struct DiagnosisOptions {
  int64_t samples = 1000; // the first ones of the data set
};

/// Reads the section `diagnosis`.
void readDiagnosisOptions(YamlReader &reader, DiagnosisOptions &options);

} // namespace spindle
